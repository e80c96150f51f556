"""Reading catalogues of words, one TOML file a language: each is checked whole before it is used."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from string import Formatter
from tomllib import TOMLDecodeError, loads
from typing import Final

from croupier.cards import RANKS
from croupier.handrank.classes import HandClass
from croupier.handrank.words.catalogue import PLACES, Catalogue

_HAND_KEYS: Final = {hand_class: f"hands.{hand_class.name.lower()}" for hand_class in HandClass}
_LOW_KEY: Final = "low"
_PLACE_COUNTS: Final = {
    HandClass.HIGH_CARD: 5,
    HandClass.PAIR: 4,
    HandClass.TWO_PAIR: 3,
    HandClass.THREE_OF_A_KIND: 3,
    HandClass.STRAIGHT: 1,
    HandClass.FLUSH: 5,
    HandClass.FULL_HOUSE: 2,
    HandClass.FOUR_OF_A_KIND: 2,
    HandClass.STRAIGHT_FLUSH: 1,
    HandClass.ROYAL_FLUSH: 1,
}
"""How many ranks a hand of the class is told by."""


class CatalogueError(Exception):
    """Raised when a catalogue cannot be used; the text names the file and the key."""


@cache
def bundled() -> Mapping[str, Catalogue]:
    """The catalogues that come with the package, by language."""
    return load(resources.files("croupier.handrank.words"))


def load(folder: Traversable) -> dict[str, Catalogue]:
    """A catalogue for each TOML file of the folder; its name is the language ("en.toml"). Raises CatalogueError."""
    files = sorted(folder.iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(".toml"): _read(file) for file in files if file.name.endswith(".toml")}


def _read(file: Traversable) -> Catalogue:
    try:
        entries = dict(_flat(loads(file.read_text(encoding="utf-8"))))
        forms = _forms(entries)
        texts = _checked_texts(entries, forms)
        _check_placeholders(texts, forms)
    except (TOMLDecodeError, UnicodeDecodeError, CatalogueError) as error:
        raise CatalogueError(f"{file.name}: {error}") from error
    return Catalogue(
        hands={hand_class: texts[key] for hand_class, key in _HAND_KEYS.items()},
        low=texts[_LOW_KEY],
        rank_forms=[{form: texts[f"ranks.{rank}.{form}"] for form in forms} for rank in RANKS],
    )


def _flat(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """The values of a table and those within it, by dotted key."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _forms(entries: Iterable[str]) -> list[str]:
    """Those of the ace, which every rank must then have. What cannot stand in a placeholder is no form."""
    ace = "ranks.A."
    forms = [key.removeprefix(ace) for key in entries if key.startswith(ace)]
    if not forms:
        raise CatalogueError("ranks.A is missing")
    return [form for form in forms if form.isidentifier()]


def _checked_texts(entries: Mapping[str, object], forms: Iterable[str]) -> dict[str, str]:
    wanted = [_LOW_KEY, *_HAND_KEYS.values(), *(f"ranks.{rank}.{form}" for rank in RANKS for form in forms)]
    if unknown := sorted(entries.keys() - set(wanted)):
        raise CatalogueError(f"{unknown[0]} is no key of a catalogue")
    texts = {}
    for key in wanted:
        text = entries.get(key)
        if text is None:
            raise CatalogueError(f"{key} is missing")
        if not isinstance(text, str) or not text.strip():
            raise CatalogueError(f"{key} must be a text, and not an empty one")
        texts[key] = text
    return texts


def _check_placeholders(texts: Mapping[str, str], forms: Iterable[str]) -> None:
    counts = {_HAND_KEYS[hand_class]: count for hand_class, count in _PLACE_COUNTS.items()}
    for key, count in (counts | {_LOW_KEY: len(PLACES)}).items():
        known = [f"{{{place}.{form}}}" for place in PLACES[:count] for form in forms]
        try:
            fields = [_placeholder(*part) for part in Formatter().parse(texts[key])]
        except ValueError as error:
            raise CatalogueError(f"{key}: {error}") from error
        for field in fields:
            if field and field not in known:
                raise CatalogueError(f"{key}: no placeholder is called {field}; there are {', '.join(known)}")


def _placeholder(_text: str, name: str | None, spec: str | None, conversion: str | None) -> str | None:
    """As it was written, so that what follows the name is refused too."""
    if name is None:
        return None
    return f"{{{name}{'!' + conversion if conversion else ''}{':' + spec if spec else ''}}}"
