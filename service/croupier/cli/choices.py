"""What values options may have, and shells complete them with."""

from __future__ import annotations

import math
from importlib import resources
from typing import Any

import typer

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


def number(option: typer.CallbackParam, value: float) -> float:
    """The value of an option within its bounds, which NaN would pass."""
    if math.isnan(value):
        bounds: Any = option.type
        raise typer.BadParameter(f"{value} is not in the range {bounds.min}<=x<={bounds.max}.")
    return value
