"""What a script is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from croupier.client.walletcheck.probe import Probe

Play = Callable[[Probe], Awaitable[None]]


class Script(NamedTuple):
    """A script's name, the sentence of the contract that it shows, and how it is played."""

    name: str
    sentence: str
    play: Play


def scripts_of(*plays: Play) -> tuple[Script, ...]:
    """A script of each function: its name is the script's, its docstring the sentence."""
    return tuple(
        Script(getattr(play, "__name__", ""), " ".join((play.__doc__ or "").split()), play) for play in plays
    )
