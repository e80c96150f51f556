"""What `croupier watch` shows: every event in words, nothing harmful from names, chips in pots as they lie."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from rich.console import Console, RenderableType

from croupier.client.watching import events as watch_events
from croupier.client.watching.pots import add_dead, gather
from croupier.client.watching.run import Lines
from croupier.client.watching.screen import screen, summaries
from croupier.client.watching.state import WatchedTable
from croupier.client.watching.words import game, plain
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.hand_event_pb2 import HoleCardsShown
from croupier.v1.hand_pb2 import Decision, Hand, HandSeat, Pot
from croupier.v1.house_pb2 import AllInRule, BetStructure, Game, Stakes
from croupier.v1.table_pb2 import Seat, Table, TableOptions, TableSummary, WaitingPlayer
from croupier.v1.table_service_pb2 import EventBatch

EVIL = "\x1b[2J\x1b]0;owned\x07[red]x[/red]\r\n\u202e\u200b\x9b31m[/]"
KINDS = [field.name for field in TableEvent.DESCRIPTOR.oneofs_by_name["event"].fields]


def drawn(view: RenderableType) -> str:
    """As a terminal would be sent it."""
    console = Console(file=io.StringIO(), force_terminal=True, width=100, highlight=False)
    console.print(view)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def assert_harmless(text: str) -> None:
    """Nothing but colours that rich chose moves a terminal, and markup is told as it was written."""
    without_colours = re.sub(r"\x1b\[[0-9;]*m", "", text)
    signs = {sign for sign in without_colours if not sign.isprintable()}
    assert signs <= {"\n"}
    assert "[red]x[/red]" in without_colours


def evil_table() -> Table:
    return Table(
        table_id="t",
        options=TableOptions(name=EVIL, house_id=EVIL, seat_count=6),
        seats=[Seat(seat_number=1, player_id=EVIL, stack=100)],
        hand=Hand(hand_id=EVIL, board=["As", EVIL], seats=[HandSeat(seat_number=1, player_id=EVIL)]),
        waiting_list=[WaitingPlayer(player_id=EVIL)],
    )


def test_names_cannot_move_the_terminal() -> None:
    shown = drawn(
        screen(WatchedTable(evil_table()), Decision(seat_number=1), 5.0, {1: [5000]}, [plain(EVIL)])
    )
    assert_harmless(shown)
    assert_harmless(drawn(summaries([TableSummary(table_id=EVIL, options=evil_table().options)])))


@pytest.mark.parametrize("kind", KINDS)
def test_names_in_lines_cannot_move_the_terminal(kind: str) -> None:
    out = io.StringIO()
    lines = Lines(Console(file=out))
    lines.begin(evil_table())
    event = TableEvent(sequence=1)
    fill(getattr(event, kind))
    lines.hear(EventBatch(events=[event]))
    assert_harmless(out.getvalue())
    assert out.getvalue().count("\n") == 2


def fill(message: Any) -> None:
    """Evil into every text, and a seat into every seat."""
    message.SetInParent()
    for field in message.DESCRIPTOR.fields:
        if field.type == field.TYPE_STRING and not field.is_repeated:
            setattr(message, field.name, EVIL)
        elif field.type == field.TYPE_STRING:
            getattr(message, field.name).append(EVIL)
        elif field.name == "seat_number":
            message.seat_number = 1
        elif field.message_type is not None and field.is_repeated:
            fill(getattr(message, field.name).add())


@pytest.mark.parametrize("kind", KINDS)
def test_every_event_has_words(kind: str) -> None:
    event = TableEvent(sequence=1)
    getattr(event, kind).SetInParent()
    words = watch_events.told(event, lambda seat: f"seat {seat}")
    assert words or kind == "blinds_missed"
    assert "does not know" not in words


def test_an_event_of_a_later_version_is_passed_over() -> None:
    watched = WatchedTable(Table(sequence=4))
    watched.apply(TableEvent(sequence=5))
    assert watched.table.sequence == 5
    assert "does not know" in watch_events.told(TableEvent(sequence=5), str)


def test_hands_shown_are_described() -> None:
    shown = HoleCardsShown(
        seat_number=1, hole_cards=["As", "Ah"], description="Pair of aces", low_description="8 low"
    )
    event = TableEvent(sequence=1, hole_cards_shown=shown)
    assert watch_events.told(event, lambda _: "ann") == "ann shows As Ah: Pair of aces; 8 low"


def seats(*bets: tuple[int, bool]) -> list[HandSeat]:
    return [
        HandSeat(seat_number=number, street_bet=bet, folded=folded)
        for number, (bet, folded) in enumerate(bets, start=1)
    ]


def lying(pots: list[Pot]) -> list[tuple[int, list[int]]]:
    return [(pot.amount, list(pot.eligible_seats)) for pot in pots]


def test_side_pots_go_by_level_of_all_in() -> None:
    """R-P1, with a folded bet between two levels."""
    pots: list[Pot] = []
    gather(pots, seats((1000, False), (800, False), (600, False), (1000, False), (700, True)))
    assert lying(pots) == [(3000, [1, 2, 3, 4]), (700, [1, 2, 4]), (400, [1, 4])]


def test_dead_chips_go_into_the_main_pot() -> None:
    """R-P1."""
    pots: list[Pot] = []
    playing = seats((2, False), (2, False))
    add_dead(pots, 1, playing)
    gather(pots, playing)
    assert lying(pots) == [(5, [1, 2])]


@pytest.mark.parametrize(
    ("rule", "held_to"),
    [
        (AllInRule.ALL_IN_RULE_NONE, ""),
        (AllInRule.ALL_IN_RULE_ALL_IN_OR_FOLD, ", all in or fold"),
        (
            AllInRule.ALL_IN_RULE_ALL_IN_OR_ALL_IN,
            ", all in or all in (by custom until five times the buy-in)",
        ),
    ],
)
def test_what_players_hold_to_is_shown(rule: AllInRule.ValueType, held_to: str) -> None:
    """R-T19."""
    options = TableOptions(
        game=Game.GAME_HOLDEM,
        structure=BetStructure.BET_STRUCTURE_NO_LIMIT,
        stakes=Stakes(small_blind=1, big_blind=2),
        all_in_rule=rule,
    )
    assert game(options) == f"holdem, no limit 1/2{held_to}"
