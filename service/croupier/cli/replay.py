"""`croupier replay`: recorded hands played again through the engine, and each that comes out differently."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_FILES = typer.Argument(
    help="Recorded hands: .jsonl, .phh or .phhs, each also gzipped (.gz).", exists=True, dir_okay=False
)


def replay(files: Annotated[list[Path], _FILES]) -> None:
    """Play recorded hands through the engine, with the cards that were dealt, and compare what comes out.

    Compares the legality of every action and whose turn it was, uncalled bets, pots, winners and payoffs.
    Prints each hand that comes out differently, then a table of all. The exit status is 1 where any differs.
    """
    from rich.console import Console

    from croupier.adapters.games import GAMES
    from croupier.adapters.recorded.files import KINDS, readable
    from croupier.adapters.recorded.report import replay_files

    for path in files:
        if not readable(path):
            raise typer.BadParameter(f"{path.name} is none of {KINDS}", param_hint="FILES")
    out = Console(highlight=False, soft_wrap=True)
    if not replay_files(files, GAMES, out, Console(stderr=True)):
        raise typer.Exit(1)
