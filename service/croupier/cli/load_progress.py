"""The moving line of `croupier load`."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from croupier.client.load.progress import Now

_DOES: Final = {
    "opening": "opening tables",
    "ramp": "ramp",
    "steady": "steady",
    "draining": "sending what is due",
    "closing": "closing tables",
    "checking": "checking",
}


class LoadProgress:
    """Shows the phase, a bar over its seconds, and how fast it goes."""

    def __init__(self, console: Console) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[told]}"),
        )
        self._bar = Progress(*columns, console=console, transient=True)
        self._task = self._bar.add_task("", total=None, told="")
        self._phase = ""

    def __enter__(self) -> LoadProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def say(self, text: str) -> None:
        """A line that stays."""
        self._bar.console.print(text)

    def show(self, now: Now) -> None:
        """How far it is."""
        if now.phase != self._phase:
            self._phase = now.phase
            self._bar.remove_task(self._task)
            self._task = self._bar.add_task(_DOES[now.phase], total=now.of or None, told="")
        away = f"no server for {now.away:,.0f} s" if now.away else ""
        if not now.of:
            self._bar.update(self._task, told=away)
        else:
            waiting = f", {now.waiting:,} waiting" if now.waiting else ""
            speed = f"{now.rate:8,.0f} actions/s, p99 {now.p99_ms:,.1f} ms"
            told = f"{speed}{waiting}, {now.hands:,} hands, {now.wrong} wrong"
            self._bar.update(self._task, completed=now.seconds, total=now.of, told=away or told)
