"""What one viewer may know of a table: snapshots and decisions, concealed cards absent by construction."""

from __future__ import annotations

import msgspec

from croupier.engine import table_events as tev
from croupier.engine.actions import LegalActions
from croupier.engine.advance import standing
from croupier.engine.betting import legal_actions
from croupier.engine.game import Street
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.showdown import closed_pots
from croupier.engine.table import Table
from croupier.engine.table_rules import TableRules
from croupier.numbers import NS_PER_MS


class DecisionView(msgspec.Struct, frozen=True, gc=False):
    """Who must act, until when (nanoseconds since the epoch), and what they may do.

    `legal` is for callers who may act for the player; everybody may see the rest.
    """

    hand_number: int
    seat: int
    player_id: str
    action_sequence: int
    deadline: int
    stack: int
    legal: LegalActions


class SeatView(msgspec.Struct, frozen=True):
    """A taken seat. `stack` is behind; `state` as the contract names it; `release_time` 0 where none."""

    seat: int
    player_id: str
    state: str
    stack: int
    queued_rebuy: int
    release_time: int
    owes_bring_in: bool
    missed_big_blind: bool
    missed_small_blind: bool


class HandSeatView(msgspec.Struct, frozen=True):
    """A seat in the hand; `hole_cards` empty unless shown or the viewer's own."""

    seat: int
    player_id: str
    street_bet: int
    contribution: int
    folded: bool
    all_in: bool
    hole_cards: bytes
    drawn_count: int


class HandView(msgspec.Struct, frozen=True):
    """The hand in progress as its watchers see it; seats ascend, `small_blind_seat` is 0 where it is dead."""

    hand_number: int
    street: Street
    board: bytes
    pots: tuple[tuple[int, tuple[int, ...]], ...]
    seats: tuple[HandSeatView, ...]
    button_seat: int
    small_blind_seat: int
    big_blind_seat: int


class WaitingView(msgspec.Struct, frozen=True):
    """A player on the waiting list; `seat` is held until `until`, both 0 while none is."""

    player_id: str
    seat: int
    until: int


class OwnView(msgspec.Struct, frozen=True):
    """What a player at the table alone may know; `advance` is what will be done at the next turn."""

    private_sequence: int
    advance: tev.AdvanceAction | None
    preferences: tev.Preferences


class TableView(msgspec.Struct, frozen=True):
    """A table at one `sequence`."""

    table_id: str
    name: str
    rules: TableRules
    state: str
    sequence: int
    created_time: int
    seats: tuple[SeatView, ...]
    button_seat: int
    hand: HandView | None
    decision: DecisionView | None
    waiting: tuple[WaitingView, ...] = ()
    own: OwnView | None = None
    coming: tuple[int, tev.ComingDeal] | None = None
    """The number of the next hand, and what is known of its deal."""


def seat_view(table: Table, number: int) -> SeatView:
    """A taken seat as everybody sees it."""
    seat = table.seats[number]
    release = seat.reserved_until
    if seat.sitting_out:
        release = seat.sitting_out_since + table.rules.seat_kept_ms * NS_PER_MS
    return SeatView(
        number,
        seat.player_id,
        _seat_state(seat),
        table.chips_at(number),
        seat.queued_rebuy,
        release,
        seat.owes_bring_in,
        seat.missed_big_blind,
        seat.missed_small_blind,
    )


def _seat_state(seat: tev.Seat) -> str:
    if not seat.bought_in:
        return "RESERVED"
    if seat.leaving:
        return "CASHING_OUT" if seat.leaving == "cash_out" else "DISMISSED"
    if seat.sitting_out or seat.sit_out_next:
        return "SITTING_OUT"
    if seat.waiting_for_button:
        return "WAITING_FOR_BUTTON"
    return "WAITING_FOR_BIG_BLIND" if seat.waiting_for_big_blind else "PLAYING"


def decision_view(table: Table, deadline: int) -> DecisionView | None:
    """The decision that stands, None where nobody has to act."""
    hand = table.hand
    if hand is None or hand.actor == NOBODY:
        return None
    number = hand.seats[hand.actor]
    return DecisionView(
        hand.number,
        number,
        table.carried.seats[number].player_id,
        hand.action_sequence,
        deadline,
        hand.stack[hand.actor],
        legal_actions(hand),
    )


def hand_view(table: Table, hand: Hand, viewer: str) -> HandView:
    """The hand in progress for one viewer (empty: a watcher without cards)."""
    carried = table.carried
    seats = []
    for number, position in sorted(hand.position_of.items()):
        player_id = carried.seats[number].player_id
        visible = hand.shown[position] or (bool(viewer) and player_id == viewer)
        seats.append(
            HandSeatView(
                number,
                player_id,
                hand.street_bet[position],
                hand.contribution[position] + hand.dead_paid[position],
                hand.folded[position],
                not hand.folded[position] and not hand.stack[position],
                hand.hole_cards[position] if visible and hand.hole_cards else b"",
                hand.drawn_count[position],
            )
        )
    pots = tuple(
        (pot.amount, tuple(sorted(hand.seats[position] for position in pot.eligible)))
        for pot in closed_pots(hand)
    )
    small = carried.small_blind_seat
    return HandView(
        hand.number,
        hand.rules.game.streets[hand.street].street,
        bytes(hand.board),
        pots,
        tuple(seats),
        hand.button_seat,
        small if small in hand.position_of else 0,
        carried.big_blind_seat,
    )


def table_view(
    table: Table, viewer: str, *, sequence: int, deadline: int, created_time: int, halted: bool
) -> TableView:
    """The whole table for one viewer."""
    return TableView(
        table.table_id,
        table.name,
        table.rules,
        "HALTED" if halted else table.carried.state.name,
        sequence,
        created_time,
        tuple(seat_view(table, number) for number in sorted(table.seats)),
        table.carried.button_seat,
        hand_view(table, table.hand, viewer) if table.hand is not None else None,
        decision_view(table, deadline),
        tuple(WaitingView(one.player_id, one.seat, one.until) for one in table.carried.waiting),
        own_view(table, viewer),
        _coming(table),
    )


def _coming(table: Table) -> tuple[int, tev.ComingDeal] | None:
    coming = table.carried.coming
    if coming is None:
        return None
    return table.carried.hand_number + 1, tev.ComingDeal(list(coming.entropy), coming.roots)


def own_view(table: Table, viewer: str) -> OwnView | None:
    """What the viewer alone may know; None for who has no seat."""
    number = table.seat_of(viewer) if viewer else 0
    if not number:
        return None
    seat = table.seats[number]
    hand = table.hand
    stands = standing(hand, number, seat) if hand is not None and table.in_hand(number) else None
    return OwnView(seat.private_sequence, stands, seat.preferences)
