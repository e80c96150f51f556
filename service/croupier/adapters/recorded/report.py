"""Replays files of recorded hands and reports on a console: progress, differences, a table of the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from croupier.adapters.recorded import files
from croupier.adapters.recorded.hand import Malformed
from croupier.adapters.recorded.replay import replay
from croupier.adapters.recorded.tally import Tally
from croupier.adapters.recorded.verdict import Outcome, Verdict
from croupier.engine.game import Game


def replay_files(paths: Sequence[Path], games: Mapping[str, Game], out: Console, errors: Console) -> bool:
    """Whether no hand came out differently; differences and the table go to `out`, progress to `errors`."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress:
        tallies = [_replay_file(path, games, out, progress) for path in paths]
    out.print(_table(tallies))
    for tally in tallies:
        for (outcome, reason), names in sorted(tally.reasons.items(), key=str):
            told = f"{tally.name}: {len(names)} {outcome.value}: {reason}: {', '.join(names)}"
            out.print(foreign(told), soft_wrap=True)
    return not any(tally.outcomes[Outcome.DIFFERENT] for tally in tallies)


def foreign(text: str) -> Text:
    """Text from files, and their names, as a terminal shows it: what would move or colour it is spelt out."""
    return Text("".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text))


def _replay_file(path: Path, games: Mapping[str, Game], out: Console, progress: Progress) -> Tally:
    tally = Tally(path.name)
    with progress.open(path, "rb", description=foreign(path.name).plain) as stream:
        for recorded in files.read(path, stream):
            if isinstance(recorded, Malformed):
                name, verdict = "?", Verdict(Outcome.DIFFERENT, (f"malformed: {recorded}",))
            else:
                name, verdict = recorded.id, replay(recorded, games)
            tally.add(name, verdict)
            if verdict.outcome is Outcome.DIFFERENT:
                for reason in verdict.reasons:
                    out.print(foreign(f"{path.name}: {name}: {reason}"))
    return tally


def _table(tallies: Sequence[Tally]) -> Table:
    table = Table(title="Recorded hands", title_justify="left", box=SIMPLE, collapse_padding=True)
    table.add_column("file", no_wrap=True)
    for heading in ("hands", *(outcome.value for outcome in Outcome)):
        table.add_column(heading, justify="right")
    for tally in tallies:
        counts = [str(tally.outcomes[outcome]) for outcome in Outcome]
        table.add_row(foreign(tally.name), str(tally.hands), *counts)
    return table
