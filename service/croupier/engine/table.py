"""The state of one table and the only code that changes it, one event at a time; it decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.engine import chips, entropy, seated, unseated
from croupier.engine import events as ev
from croupier.engine import hand as hands
from croupier.engine import table_events as tev
from croupier.engine.game import Game
from croupier.engine.hand import Hand
from croupier.engine.rejection import InvariantViolation
from croupier.engine.showing import EndedHand
from croupier.engine.table_rules import TableRules
from croupier.engine.voiding import Before, as_it_is, as_it_was


class Table:
    """A table: what it carries between hands, and the hand in progress. Private to its actor."""

    __slots__ = ("before", "carried", "ended", "hand", "hand_rules", "name", "rules", "table_id")

    def __init__(self, created: tev.TableCreated, game: Game) -> None:
        self.table_id = created.table_id
        self.name = created.name
        self.rules: TableRules = created.rules
        self.hand_rules = created.rules.hand_rules(game)
        self.carried = tev.TableCarried(seats={}, transfers={}, waiting=[], cashed_out={})
        self.hand: Hand | None = None
        self.before: Before | None = None
        """What the hand in progress changed as it began."""
        self.ended: EndedHand | None = None
        """The last hand while its cards may be shown; never stored."""

    @property
    def seats(self) -> dict[int, tev.Seat]:
        """Taken seats by seat number."""
        return self.carried.seats

    def seat_of(self, player_id: str) -> int:
        """The seat number a player holds, 0 where none."""
        for number, seat in self.carried.seats.items():
            if seat.player_id == player_id:
                return number
        return 0

    def in_hand(self, number: int) -> bool:
        """Whether the seat was dealt into the hand in progress, folded or not."""
        return self.hand is not None and number in self.hand.position_of

    def chips_at(self, number: int) -> int:
        """What a seat has behind, wherever it is counted just now."""
        if self.hand is not None and number in self.hand.position_of:
            return self.hand.stack[self.hand.position_of[number]]
        return self.carried.seats[number].stack

    def next_payout_id(self) -> str:
        """The transfer id of the next payout this table owes."""
        return f"{self.table_id}-payout-{self.carried.payout_count + 1}"

    def chips_in_play(self) -> int:
        """Every chip on the table: stacks, the pot, queued rebuys; the rake has left it."""
        chips = sum(seat.stack + seat.queued_rebuy for seat in self.carried.seats.values())
        if self.hand is not None:
            chips += self.hand.pot + sum(self.hand.stack)
            chips -= sum(self.carried.seats[number].stack for number in self.hand.seats)
        return chips


def evolve(table: Table, event: ev.Event) -> None:
    """Apply one event after TableCreated."""
    apply = _EVOLVE.get(type(event))
    if apply is not None:
        apply(table, event)
    elif table.hand is None:
        raise InvariantViolation(f"{type(event).__name__} where no hand is in progress")
    else:
        hands.evolve(table.hand, event)


def apply(table: Table, happened: list[ev.Event], event: ev.Event) -> None:
    """Apply an event and note that it happened."""
    evolve(table, event)
    happened.append(event)


def after_action(table: Table, event: ev.Event) -> None:
    """What an action means to the player's seat.

    The player's own, also one chosen in advance, ends the run of time-outs (R-T15). An action chosen in advance
    is done with, but for a call of any amount (R-T16); cards are not exchanged so.
    """
    seat = table.carried.seats[event.seat]  # type: ignore[attr-defined]
    cause = getattr(event, "cause", ev.Cause.PLAYER)
    if cause is ev.Cause.PLAYER or cause is ev.Cause.ADVANCE:
        seat.time_outs = 0
    advance = seat.advance
    if (
        advance is not None
        and advance.kind is not tev.AdvanceKind.CALL_ANY
        and type(event) is not ev.CardsDrawn
    ):
        seat.advance = None


def _hand_started(table: Table, event: ev.HandStarted) -> None:
    begin_hand(table, Hand(table.hand_rules, event), event)


def begin_hand(table: Table, hand: Hand, event: ev.HandStarted) -> None:
    """Put a started hand on the table and remember who had the button and the blinds."""
    _remember(table)
    carried = table.carried
    carried.hand_number = event.hand_number
    carried.button_seat = event.button_seat
    carried.small_blind_seat = event.small_blind_seat
    carried.big_blind_seat = event.big_blind_seat
    carried.coming = None
    for number in event.seats:
        seat = carried.seats[number]
        seat.owes_bring_in = False
        seat.waiting_for_button = False
        seat.waiting_for_big_blind = False
        seat.missed_big_blind = False
        seat.missed_small_blind = False
        seat.sat_out_for = 0
        if seat.preferences.show_losing_hands:
            hand.preferring.add(number)
    table.hand = hand


def _remember(table: Table) -> None:
    if table.before is None:
        table.before = as_it_is(table.carried)


def _remembering(change: Callable[[tev.TableCarried, Any], None]) -> Callable[[Table, ev.Event], None]:
    """Of what comes right before a hand's start."""

    def apply(table: Table, event: ev.Event) -> None:
        _remember(table)
        change(table.carried, event)

    return apply


def _hand_voided(table: Table, event: ev.HandVoided) -> None:
    """The hand is as if it had never been, but for its number."""
    if table.hand is None or table.before is None:
        raise InvariantViolation("a hand was voided where none was in progress")
    hands.evolve(table.hand, event)
    as_it_was(table.carried, table.before, table.hand.seats)


def _hand_ended(table: Table, event: ev.HandEnded) -> None:
    hand = table.hand
    if hand is None:
        raise InvariantViolation("a hand ended where none was in progress")
    hands.evolve(hand, event)
    end_hand(table, event)


def end_hand(table: Table, event: ev.HandEnded) -> None:
    """Carry the stacks of an ended hand back to the seats."""
    hand = table.hand
    if hand is None:
        raise InvariantViolation("a hand ended where none was in progress")
    for number, stack in zip(hand.seats, event.stacks, strict=True):
        seat = table.carried.seats[number]
        seat.stack = stack
        seat.advance = None
    table.carried.chips -= event.rake
    table.hand = table.before = None


def _carried(
    change: Callable[[tev.TableCarried, Any], None],
) -> Callable[[Table, ev.Event], None]:
    return lambda table, event: change(table.carried, event)


def _advance_action_set(table: Table, event: tev.AdvanceActionSet) -> None:
    seat = table.carried.seats[event.seat]
    seat.private_sequence = event.private_sequence
    seat.advance = event.action
    if table.hand is not None:
        seat.advance_street = table.hand.street


def _preferences_set(table: Table, event: tev.PreferencesSet) -> None:
    seat = table.carried.seats[event.seat]
    seat.private_sequence = event.private_sequence
    seat.preferences = event.preferences
    if table.hand is None:
        return
    if event.preferences.show_losing_hands and table.in_hand(event.seat):
        table.hand.preferring.add(event.seat)
    else:
        table.hand.preferring.discard(event.seat)


def _nothing_changes(_: Table, __: ev.Event) -> None:
    """It says something of a hand that has ended."""


def _becomes(state: tev.TableState) -> Callable[[Table, ev.Event], None]:
    def apply(table: Table, _: ev.Event) -> None:
        table.carried.state = state

    return apply


def _checkpointed(table: Table, event: tev.TableCheckpointed) -> None:
    table.carried = event.carried
    table.hand = table.before = None


def _acted(table: Table, event: ev.Event) -> None:
    if table.hand is None:
        raise InvariantViolation(f"{type(event).__name__} where no hand is in progress")
    hands.evolve(table.hand, event)
    after_action(table, event)


_EVOLVE: dict[type, Callable[[Table, Any], None]] = {
    ev.HandStarted: _hand_started,
    ev.HandEnded: _hand_ended,
    ev.HandVoided: _hand_voided,
    ev.Folded: _acted,
    ev.Checked: _acted,
    ev.Called: _acted,
    ev.BetMade: _acted,
    ev.Raised: _acted,
    ev.CardsDrawn: _acted,
    tev.SeatReserved: _carried(seated.seat_reserved),
    **dict.fromkeys(seated.GOING_ON, _carried(seated.transfer_goes_on)),
    **dict.fromkeys(seated.ENDED, _carried(seated.transfer_ended)),
    tev.TransferPosted: _carried(seated.transfer_posted),
    tev.BoughtIn: chips.bought_in,
    tev.Rebought: chips.rebought,
    tev.RebuyApplied: chips.rebuy_applied,
    tev.LeaveRequested: _carried(seated.leave_requested),
    tev.PlayerLeft: chips.player_left,
    tev.SitOutRequested: _carried(seated.sit_out_requested),
    tev.SatOut: _carried(seated.sat_out),
    tev.SatIn: _carried(seated.sat_in),
    tev.TimedOut: _carried(seated.timed_out),
    tev.BlindsMissed: _remembering(seated.blinds_missed),
    tev.ButtonPassed: _remembering(seated.button_passed),
    tev.WaitingListJoined: _carried(unseated.joined),
    tev.WaitingListLeft: _carried(unseated.left),
    tev.SeatOffered: _carried(unseated.offered),
    tev.AdvanceActionSet: _advance_action_set,
    tev.PreferencesSet: _preferences_set,
    tev.CardsShown: _nothing_changes,
    tev.EntropyCommitted: _carried(entropy.entropy_committed),
    tev.DeckCommitted: _carried(entropy.deck_committed),
    tev.EntropyRevealed: _carried(entropy.entropy_revealed),
    tev.DeckOpened: _nothing_changes,
    tev.TablePaused: _becomes(tev.TableState.PAUSED),
    tev.TableResumed: _becomes(tev.TableState.OPEN),
    tev.TableClosing: _becomes(tev.TableState.CLOSING),
    tev.TableClosed: _becomes(tev.TableState.CLOSED),
    tev.TableCheckpointed: _checkpointed,
}


def check_invariants(table: Table) -> None:
    """Raises InvariantViolation unless the chips on the table are those that came and did not leave (R-K6)."""
    if table.chips_in_play() != table.carried.chips:
        raise InvariantViolation(
            f"table {table.table_id}: {table.carried.chips} chips came to it, {table.chips_in_play()} are there"
        )
