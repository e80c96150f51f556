"""Data into the structs of schema.py; whatever does not fit is told by its key and by what would be right."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

T = TypeVar("T", bound=msgspec.Struct)

MOST_TOLD: Final = 80
"""Characters of a value or a name that an error tells."""
_LONG_WORD: Final = re.compile(rf"\S{{{MOST_TOLD + 1},}}")


class Unfit(ValueError):
    """Raised for a value that cannot be used; the text names its key and says what would be right."""

    def __init__(self, key: str, problem: str) -> None:
        told = f"{key} {problem}" if key else problem
        super().__init__(_LONG_WORD.sub(lambda word: _short(word[0]), told))


def struct(data: object, kind: type[T], key: str = "") -> T:
    """A struct from a mapping. Entries of lists are counted from 1: `offers#2.min_bets`. Raises Unfit."""
    if not isinstance(data, Mapping):
        raise Unfit(key, f"is {_told(data)}; it must be a table of keys and values")
    hints = get_type_hints(kind, include_extras=True)
    for name in data:
        if name not in hints:
            raise Unfit(_within(key, name), f"is no key of a house{_instead(name, hints)}")
    for field in msgspec.structs.fields(kind):
        if field.required and field.name not in data:
            raise Unfit(_within(key, field.name), f"is missing; it must be {_right(hints[field.name])}")
    return kind(**{name: _value(value, hints[name], _within(key, name)) for name, value in data.items()})


def _told(value: object) -> str:
    """A value as its file has it, or how it begins."""
    try:
        return _short(repr(value))
    except ValueError:  # of thousands of digits
        return "a number too long to be told"


def _short(text: str) -> str:
    return text if len(text) <= MOST_TOLD else f"{text[:MOST_TOLD]}…"


def _within(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _instead(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), 1, cutoff=0.75)
    return f"; did you mean {close[0]}?" if close else f"; there are {', '.join(known)}"


def _value(value: Any, kind: Any, key: str) -> Any:
    kind, bounds = _bare(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return struct(value, kind, key)
    origin = get_origin(kind)
    if origin is tuple and isinstance(value, list):
        entry = get_args(kind)[0]
        return tuple(_value(one, entry, f"{key}#{number}") for number, one in enumerate(value, start=1))
    if origin is dict and isinstance(value, Mapping):
        return {name: _value(one, get_args(kind)[1], _within(key, name)) for name, one in value.items()}
    fits = value in get_args(kind) if origin is Literal else type(value) is kind
    if not fits or not _inside(value, bounds):
        raise Unfit(key, f"is {_told(value)}; it must be {_right(kind, bounds)}")
    return value


def _bare(kind: Any) -> tuple[Any, Meta | None]:
    """A type without its bounds, which come beside it; an optional one is what it is when given."""
    if get_origin(kind) in (Union, UnionType):
        kind = next(one for one in get_args(kind) if one is not NoneType)
    if get_origin(kind) is Annotated:
        return kind.__origin__, kind.__metadata__[0]
    return kind, None


def _inside(value: Any, bounds: Meta | None) -> bool:
    if bounds is None:
        return True
    if isinstance(value, str):
        if bounds.pattern is not None:
            return re.fullmatch(bounds.pattern, value) is not None
        return len(value) <= (bounds.max_length or 0) and len(value) > 0 and value.isprintable()
    return bool(bounds.ge <= value <= bounds.le)


def _right(kind: Any, bounds: Meta | None = None) -> str:
    """What would be right, in words."""
    if bounds is None:
        kind, bounds = _bare(kind)
    origin = get_origin(kind)
    if origin is Literal:
        return f"one of {', '.join(get_args(kind))}"
    if origin is tuple:
        return "a list"
    if kind is bool:
        return "true or false"
    if kind is int and bounds is not None:
        return f"a whole number from {bounds.ge} to {bounds.le}"
    if kind is str and bounds is not None:
        return (
            f"a text like {bounds.pattern}"
            if bounds.pattern
            else f"1 to {bounds.max_length} printable characters"
        )
    return "a text" if kind is str else "a table of keys and values"
