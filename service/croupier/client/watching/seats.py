"""The seats of a watched table in as many columns as there is room for: who sits there and who must act stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table as Grid
from rich.text import Text

KEPT: Final = ("player", "state")
FIRST_LEFT_OUT: Final = ("equity", "button", "bet", "seat", "cards", "stack")
"""What is left out where there is no room, one after the other."""
_RIGHT: Final = ("seat", "stack", "bet")
_LEAST_NAME: Final = 7
_GAP: Final = 3


class Seats:
    """Made of the cells of each column, from the left; one is of no heading where that is `button`."""

    def __init__(self, columns: Mapping[str, Sequence[Text]]) -> None:
        self._columns = columns

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        widths = self._widths(options.max_width)
        grid = Grid(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for name, width in widths.items():
            grid.add_column(
                "" if name == "button" else name,
                width=width,
                justify="right" if name in _RIGHT else "left",
                no_wrap=name != "state",
            )
        for cells in zip(*(self._columns[name] for name in widths), strict=True):
            grid.add_row(*cells)
        yield grid

    def _widths(self, most: int) -> dict[str, int]:
        """Of those that have room. What is left over has the name, then the state."""
        widths = {name: self._least(name) for name in self._columns}
        for name in FIRST_LEFT_OUT:
            if _whole(widths) <= most:
                break
            widths.pop(name, None)
        for name in KEPT:
            over = most - _whole(widths)
            longest = self._longest(name)
            widths[name] = min(longest, widths[name] + over) if over > 0 else widths[name]
        widths["player"] = max(1, widths["player"] + min(0, most - _whole(widths)))
        return widths

    def _least(self, name: str) -> int:
        if name == "player":
            return min(_LEAST_NAME, self._longest(name))
        if name == "state":
            # In words, but never within what says who must act.
            words = [word for cell in self._columns[name] for word in _parts(cell)]
            return max(Text(word).cell_len for word in (*words, name))
        return self._longest(name)

    def _longest(self, name: str) -> int:
        heading = "" if name == "button" else name
        return max(Text(heading).cell_len, *(cell.cell_len for cell in self._columns[name]), 0)


def _parts(state: Text) -> list[str]:
    return [state.plain] if state.no_wrap else state.plain.split()


def _whole(widths: Mapping[str, int]) -> int:
    return sum(widths.values()) + _GAP * (len(widths) - 1)
