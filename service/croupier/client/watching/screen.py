"""A table as a terminal shows it, made of rich's parts without any markup; what it shows, state.py knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table as Grid
from rich.text import Text

from croupier.client.watching import words
from croupier.client.watching.seats import Seats
from croupier.client.watching.state import WatchedTable
from croupier.v1.hand_pb2 import Decision, HandSeat, Pot, Street
from croupier.v1.table_pb2 import (
    SEAT_STATE_PLAYING,
    TABLE_STATE_OPEN,
    Seat,
    SeatState,
    TableState,
    TableSummary,
)

_SUITS = {"c": ("♣", "green"), "d": ("♦", "blue"), "h": ("♥", "red"), "s": ("♠", "bold")}
_NAME = 40
_COLUMNS = ("seat", "button", "player", "stack", "bet", "cards", "state", "equity")


def screen(
    watched: WatchedTable,
    decision: Decision | None = None,
    seconds_left: float = 0.0,
    equities: Mapping[int, Sequence[int]] | None = None,
    lines: Iterable[str] = (),
    most_rows: int | None = None,
) -> RenderableType:
    """The whole view, in `most_rows` if it can be.

    `equities` are basis points by seat, street after street; `lines`, the last events in words.
    """
    parts: list[RenderableType | None] = [
        _heading(watched),
        _hand(watched),
        _seats(watched, decision, seconds_left, equities or {}),
        _waiting(watched),
    ]
    return _Screen(
        [part for part in parts if part is not None], [_text(line, "dim") for line in lines], most_rows
    )


class _Screen:
    """All of the table, and of the last events as many as fit below it; where not even it fits, no line is broken."""

    def __init__(
        self, table: Sequence[RenderableType], events: Sequence[Text], most_rows: int | None
    ) -> None:
        self._table = table
        self._events = events
        self._most_rows = most_rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = Group(*self._table)
        if self._most_rows is None:
            yield Group(table, *self._events)
            return
        room = self._most_rows - len(console.render_lines(table, options))
        if room < 0:
            table = Group(*(_unbroken(part) if isinstance(part, Text) else part for part in self._table))
        yield table
        first = len(self._events)
        while first and (room := room - len(console.render_lines(self._events[first - 1], options))) >= 0:
            first -= 1
        yield from self._events[first:]


def _unbroken(line: Text) -> Text:
    line = line.copy()
    line.no_wrap, line.overflow = True, "ellipsis"
    return line


def summaries(tables: Iterable[TableSummary]) -> RenderableType:
    """Open tables to choose from."""
    grid = _grid("table", "name", "house", "game", ">seats", "state")
    for table in tables:
        options = table.options
        grid.add_row(
            _text(table.table_id),
            _text(options.name, longest=_NAME),
            _text(options.house_id, longest=_NAME),
            _text(words.game(options)),
            f"{table.taken_seat_count} of {options.seat_count}",
            words.value(TableState, table.state),
        )
    return grid


def cards(texts: Iterable[str]) -> Text:
    """Cards with the signs of their suits."""
    shown = Text()
    for text in texts:
        sign, style = _SUITS.get(text[1:], ("", ""))
        shown.append(" " if shown else "")
        shown.append(words.plain(text[:1] + sign if sign else text, 4), style)
    return shown


def _text(text: str, style: str = "", longest: int = words.LONGEST) -> Text:
    """Never taken for markup, and nothing but printable characters."""
    return Text(words.plain(text, longest), style)


def _grid(*headings: str) -> Grid:
    grid = Grid(box=SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        right = heading.startswith(">")
        # What one would copy or count is never cut.
        kept = right or heading == "table"
        grid.add_column(heading.lstrip(">"), justify="right" if right else "left", no_wrap=kept)
    return grid


def _heading(watched: WatchedTable) -> Text:
    table = watched.table
    heading = _text(table.options.name or table.table_id, "bold")
    heading.append(words.plain(f"  {words.game(table.options)}, {table.options.house_id}"))
    if table.state != TABLE_STATE_OPEN:
        heading.append(f"  {words.value(TableState, table.state)}", "yellow")
    return heading


def _hand(watched: WatchedTable) -> Text:
    hand = watched.table.hand
    if not hand.hand_id:
        return Text("no hand is in play")
    street = "over" if watched.over else words.value(Street, hand.street)
    line = _text(f"hand {words.hand_number(hand.hand_id)}, {street}")
    if hand.board:
        line.append("   ").append(cards(hand.board))
    line.append(f"   {_pots(hand.pots, watched.hand.values())}")
    return line


def _pots(pots: Sequence[Pot], seats: Iterable[HandSeat]) -> str:
    """All chips of the hand, and where they lie."""
    bets = sum(seat.street_bet for seat in seats)
    whole = sum(pot.amount for pot in pots) + bets
    if not whole:
        return ""
    named = [
        f"side pot {index} {words.chips(pot.amount)} (seats {', '.join(map(str, pot.eligible_seats))})"
        if index
        else f"main pot {words.chips(pot.amount)}"
        for index, pot in enumerate(pots)
    ]
    if bets:
        named.append(f"bets {words.chips(bets)}")
    return f"pot {words.chips(whole)}: {', '.join(named)}"


def _seats(
    watched: WatchedTable,
    decision: Decision | None,
    seconds_left: float,
    equities: Mapping[int, Sequence[int]],
) -> Seats:
    columns: dict[str, list[Text]] = {name: [] for name in _COLUMNS if equities or name != "equity"}
    for number in sorted(watched.seats.keys() | watched.hand.keys()):
        seat, dealt = watched.seats.get(number), watched.hand.get(number)
        to_act = decision is not None and decision.seat_number == number
        cells = {
            "seat": Text(str(number)),
            "button": Text("D" if number == watched.table.button_seat else ""),
            "player": _text(watched.name(number), "bold" if to_act else "", _NAME),
            "stack": Text(words.chips(seat.stack) if seat is not None else ""),
            "bet": Text(words.chips(dealt.street_bet) if dealt is not None and dealt.street_bet else ""),
            "cards": cards(dealt.hole_cards) if dealt is not None else Text(),
            "state": _to_act(seconds_left) if to_act else _text(_state(seat, dealt)),
            "equity": Text(" → ".join(words.percent(bps) for bps in equities.get(number, ()))),
        }
        for name, column in columns.items():
            column.append(cells[name])
    return Seats(columns)


def _to_act(seconds_left: float) -> Text:
    return Text(f"to act, {max(0, round(seconds_left))} s", "bold yellow", no_wrap=True)


def _state(seat: Seat | None, dealt: HandSeat | None) -> str:
    told = []
    if dealt is not None and dealt.folded:
        told.append("folded")
    elif dealt is not None and dealt.all_in:
        told.append("all in")
    if dealt is not None and dealt.drawn_count:
        told.append(f"drew {dealt.drawn_count}")
    if seat is None:
        told.append("gone")
    elif seat.state != SEAT_STATE_PLAYING:
        told.append(words.value(SeatState, seat.state))
    if seat is not None and seat.queued_rebuy:
        told.append(f"adds {words.chips(seat.queued_rebuy)}")
    return ", ".join(told)


def _waiting(watched: WatchedTable) -> Text | None:
    waiting = [one.player_id for one in watched.table.waiting_list]
    return _text(f"waiting for a seat: {', '.join(waiting)}") if waiting else None
