"""The moving line of `croupier load`."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from croupier.client.load.tally import Tally


class LoadProgress:
    """Shows a bar over the seconds measured, and how fast it goes."""

    def __init__(self, console: Console, seconds: float) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[told]}"),
        )
        self._bar = Progress(*columns, console=console, transient=True)
        self._task = self._bar.add_task("playing", total=seconds, told="")
        self._last: tuple[float, int] | None = None

    def __enter__(self) -> Callable[[float, Tally], None]:
        self._bar.start()
        return self._show

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def _show(self, seconds: float, tally: Tally) -> None:
        last = self._last
        self._last = (seconds, tally.acts)
        rate = (tally.acts - last[1]) / (seconds - last[0]) if last and seconds > last[0] else 0.0
        told = f"{rate:8,.0f} actions/s, {tally.hands:,} hands, {len(tally.wrong)} wrong"
        description = "warming up" if seconds < 0 else "playing"
        self._bar.update(self._task, completed=max(0.0, seconds), description=description, told=told)
