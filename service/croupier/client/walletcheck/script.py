"""What a script is, and all of them in the order in which they are played."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from croupier.client.walletcheck.probe import Probe

Play = Callable[[Probe], Awaitable[None]]


class Script(NamedTuple):
    """A script's name, the sentence of the contract that it shows, and how it is played."""

    name: str
    sentence: str
    play: Play


SCRIPTS: Final[list[Script]] = []


def script(play: Play) -> Play:
    """Adds a function to SCRIPTS: its name is the script's, its docstring the sentence."""
    sentence = " ".join((play.__doc__ or "").split())
    SCRIPTS.append(Script(getattr(play, "__name__", ""), sentence, play))
    return play
