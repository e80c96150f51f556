"""Hands in words, in the language that the caller picks (R-C8): "Full house, kings full of fives".

    describe(rank, language)       a high hand, by its hand rank
    describe_low(rank, language)   an eight-or-better low, by its low rank; NO_LOW is refused
    languages()                    what there is to pick

A language is one TOML file beside this; `loader` checks them all when the first is asked for. A rank off its
scale or an unknown language raises ValueError.
"""

from croupier.handrank.words.catalogue import Catalogue
from croupier.handrank.words.loader import CatalogueError, bundled, load

__all__ = ["Catalogue", "CatalogueError", "describe", "describe_low", "languages", "load"]


def languages() -> tuple[str, ...]:
    """In alphabetical order, as "de"."""
    return tuple(sorted(bundled()))


def describe(rank: int, language: str = "en") -> str:
    return _catalogue(language).describe(rank)


def describe_low(rank: int, language: str = "en") -> str:
    return _catalogue(language).describe_low(rank)


def _catalogue(language: str) -> Catalogue:
    try:
        return bundled()[language]
    except KeyError:
        raise ValueError(
            f"hands are not described in {language!r}: pick one of {', '.join(languages())}"
        ) from None
