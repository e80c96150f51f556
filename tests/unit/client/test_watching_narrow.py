"""What `croupier watch` shows on terminals that are narrow or low: who sits there and who must act, before all else."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from croupier.client.watching.screen import screen
from croupier.client.watching.state import WatchedTable
from croupier.v1.hand_pb2 import Decision, Hand, HandSeat
from croupier.v1.table_pb2 import SEAT_STATE_PLAYING, SEAT_STATE_WAITING_FOR_BUTTON, Seat, Table, TableOptions

NAMES = ("ann", "bert-of-the-long-names", "\u65e5\u672c\u8a9e", "e\u0301va")
EVENTS = [f"event {number}" for number in range(8)]


def shown(width: int, rows: int | None = None, *, told: list[str] | None = None) -> list[str]:
    """The lines, without what is blank at their ends."""
    seats = [
        Seat(seat_number=number, player_id=name, stack=1000, state=SEAT_STATE_PLAYING)
        for number, name in enumerate(NAMES, start=1)
    ]
    seats[3].state = SEAT_STATE_WAITING_FOR_BUTTON
    hand = Hand(hand_id="t/1", seats=[HandSeat(seat_number=1, street_bet=20, hole_cards=["As", "Kd"])])
    table = Table(table_id="t", button_seat=2, options=TableOptions(name="long " * 8), seats=seats, hand=hand)
    console = Console(file=io.StringIO(), width=width, highlight=False)
    view = screen(WatchedTable(table), Decision(seat_number=2), 18.0, {1: [5000]}, told or [], rows)
    console.print(view)
    lines: list[str] = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    return [line.rstrip() for line in lines]


@pytest.mark.parametrize(
    ("width", "headings"),
    [
        (24, ["player", "state"]),
        (30, ["player", "stack", "state"]),
        (40, ["player", "stack", "cards", "state"]),
        (50, ["seat", "player", "stack", "cards", "state"]),
        (60, ["seat", "player", "stack", "bet", "cards", "state"]),
        (100, ["seat", "player", "stack", "bet", "cards", "state", "equity"]),
    ],
)
def test_the_least_important_columns_are_left_out_first(width: int, headings: list[str]) -> None:
    lines = shown(width)
    (heading,) = (line for line in lines if "player" in line)
    assert heading.split() == headings
    (acts,) = (line for line in lines if "bert" in line)
    assert acts.rstrip().endswith("to act, 18 s") or "equity" in headings
    assert all(any(name in line for line in lines) for name in ("ann", "\u65e5\u672c\u8a9e", "e\u0301va"))


def test_a_low_terminal_shows_the_last_events_that_fit() -> None:
    lines = shown(80, 12, told=EVENTS)
    assert len(lines) == 12
    assert lines[-1] == "event 7"
    assert "long" in lines[0]


def test_a_lower_one_breaks_no_line_above_the_seats() -> None:
    lines = shown(24, 6, told=EVENTS)
    assert lines[0].endswith("\u2026")
    assert [line.split()[0] for line in lines[1:3]] == ["hand", "player"]
    assert "event 7" not in lines


def test_what_is_no_terminal_is_told_all() -> None:
    lines = shown(24, told=EVENTS)
    assert lines[-8:] == EVENTS
