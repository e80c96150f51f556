"""What shells complete values with."""

from __future__ import annotations

from importlib import resources

from croupier.stated import LOG_LEVELS


def houses() -> list[str]:
    """The houses that come with the package."""
    files = resources.files("croupier.houses").iterdir()
    return sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


def games() -> list[str]:
    """Those that equities are told for."""
    from croupier.handrank.equity_games import EQUITY_GAMES

    return list(EQUITY_GAMES)


def log_levels() -> list[str]:
    """All there are."""
    return list(LOG_LEVELS)
