"""`croupier replay`: recorded hands played again through the engine, and each that comes out differently."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_FILES = typer.Argument(
    help="Recorded hands: .jsonl, .phh or .phhs, each also gzipped (.gz).", exists=True, dir_okay=False
)


def replay(files: Annotated[list[Path], _FILES]) -> None:
    """Play recorded hands anew, and compare what comes out.

    The cards are those that were dealt. Compared are who posts what, the
    legality of every action, its chips and whose turn it was, uncalled bets,
    pots, winners and payoffs.
    Each hand that comes out differently is told, then a table of all.

    Example: croupier replay hands.phhs more.jsonl.gz

    Exits 0 when every hand came out as recorded, 1 when any did not, 2 when
    a file is none of these.
    """
    from rich.console import Console

    from croupier.adapters.games import GAMES
    from croupier.adapters.recorded.files import KINDS, readable
    from croupier.adapters.recorded.report import foreign, replay_files

    for path in files:
        if not readable(path):
            raise typer.BadParameter(f"{foreign(path.name).plain} is none of {KINDS}", param_hint="FILES")
    out = Console(highlight=False, soft_wrap=True)
    if not replay_files(files, GAMES, out, Console(stderr=True)):
        raise typer.Exit(1)
