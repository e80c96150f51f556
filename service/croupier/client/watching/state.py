"""A table as its news make it: a snapshot, and the events after it, each as the contract's comment on it says.

Pure. Shows nothing, and asks nobody; what it is told it takes for granted.
"""

from __future__ import annotations

from typing import Any, Final

from croupier.client.watching.pots import add_dead, gather
from croupier.v1.event_pb2 import LEAVE_REASON_DISMISSED, TableEvent
from croupier.v1.hand_event_pb2 import BLIND_KIND_ANTE, BLIND_KIND_DEAD, BLIND_KIND_TABLE_ANTE
from croupier.v1.hand_pb2 import STREET_PREDRAW, STREET_PREFLOP, Hand, HandSeat
from croupier.v1.house_pb2 import GAME_FIVE_CARD_DRAW
from croupier.v1.table_pb2 import (
    SEAT_STATE_CASHING_OUT,
    SEAT_STATE_DISMISSED,
    SEAT_STATE_PLAYING,
    SEAT_STATE_RESERVED,
    SEAT_STATE_SITTING_OUT,
    SEAT_STATE_WAITING_FOR_BUTTON,
    TABLE_STATE_CLOSED,
    TABLE_STATE_CLOSING,
    TABLE_STATE_OPEN,
    TABLE_STATE_PAUSED,
    Seat,
    Table,
    WaitingPlayer,
)

_DEAD: Final = frozenset((BLIND_KIND_DEAD, BLIND_KIND_ANTE, BLIND_KIND_TABLE_ANTE))


class WatchedTable:
    """Keeps `table` current; a hand that is over stays to be looked at until the next begins, `over` being set."""

    def __init__(self, snapshot: Table) -> None:
        self.table: Final = Table()
        self.table.CopyFrom(snapshot)
        self.over = False
        self.seats: Final = {seat.seat_number: seat for seat in self.table.seats}
        self.hand: Final = {seat.seat_number: seat for seat in self.table.hand.seats}
        self._awarding = False

    def apply(self, event: TableEvent) -> None:
        """Take one event in; one of a kind not known here changes the sequence alone."""
        self.table.sequence = event.sequence
        kind = event.WhichOneof("event")
        step = getattr(self, f"_{kind}", None)
        if step is not None:
            step(getattr(event, str(kind)))

    def name(self, seat_number: int) -> str:
        """Who sits, or sat when the hand was dealt, at a seat."""
        dealt, sitting = self.hand.get(seat_number), self.seats.get(seat_number)
        for known in (sitting, dealt) if self.over else (dealt, sitting):
            if known is not None and known.player_id:
                return known.player_id
        return f"seat {seat_number}"

    def _seat(self, seat_number: int) -> Seat:
        return self.seats.setdefault(seat_number, Seat(seat_number=seat_number))

    def _in_hand(self, seat_number: int) -> HandSeat:
        return self.hand.setdefault(seat_number, HandSeat(seat_number=seat_number))

    # The table

    def _table_paused(self, _: Any) -> None:
        self.table.state = TABLE_STATE_PAUSED

    def _table_resumed(self, _: Any) -> None:
        self.table.state = TABLE_STATE_OPEN

    def _table_closing(self, _: Any) -> None:
        self.table.state = TABLE_STATE_CLOSING

    def _table_closed(self, _: Any) -> None:
        self.table.state = TABLE_STATE_CLOSED

    def _waiting_list_joined(self, event: Any) -> None:
        self.table.waiting_list.add(player_id=event.player_id)

    def _waiting_list_left(self, event: Any) -> None:
        rest = [one for one in self.table.waiting_list if one.player_id != event.player_id]
        del self.table.waiting_list[:]
        self.table.waiting_list.extend(rest)

    def _seat_offered(self, event: Any) -> None:
        for one in self.table.waiting_list:
            if one.player_id == event.player_id:
                one.MergeFrom(
                    WaitingPlayer(offered_seat=event.seat_number, offer_end_time=event.offer_end_time)
                )

    # Seats

    def _seat_reserved(self, event: Any) -> None:
        self.seats[event.seat_number] = Seat(
            seat_number=event.seat_number,
            player_id=event.player_id,
            state=SEAT_STATE_RESERVED,
            release_time=event.release_time,
        )

    def _bought_in(self, event: Any) -> None:
        seat = self._seat(event.seat_number)
        seat.ClearField("release_time")
        seat.player_id, seat.stack, seat.state = event.player_id, event.amount, event.state
        seat.owes_bring_in = event.owes_bring_in

    def _rebuy_queued(self, event: Any) -> None:
        self._seat(event.seat_number).queued_rebuy += event.amount

    def _rebought(self, event: Any) -> None:
        seat = self._seat(event.seat_number)
        seat.stack += event.amount
        seat.queued_rebuy = 0

    def _leave_queued(self, event: Any) -> None:
        dismissed = event.reason == LEAVE_REASON_DISMISSED
        self._seat(event.seat_number).state = SEAT_STATE_DISMISSED if dismissed else SEAT_STATE_CASHING_OUT

    def _player_left(self, event: Any) -> None:
        self.seats.pop(event.seat_number, None)

    def _sit_out_queued(self, event: Any) -> None:
        self._seat(event.seat_number).state = SEAT_STATE_SITTING_OUT

    def _sat_out(self, event: Any) -> None:
        seat = self._seat(event.seat_number)
        seat.state = SEAT_STATE_SITTING_OUT
        seat.release_time.CopyFrom(event.release_time)

    def _sat_in(self, event: Any) -> None:
        seat = self._seat(event.seat_number)
        seat.state = event.state
        seat.ClearField("release_time")

    def _blinds_missed(self, event: Any) -> None:
        for number in event.big_blind_seats:
            self._seat(number).missed_big_blind = True
        for number in event.small_blind_seats:
            self._seat(number).missed_small_blind = True

    def _button_passed(self, event: Any) -> None:
        for number in event.seats:
            if self._seat(number).state == SEAT_STATE_WAITING_FOR_BUTTON:
                self._seat(number).state = SEAT_STATE_PLAYING

    # The hand

    def _hand_started(self, event: Any) -> None:
        draw = self.table.options.game == GAME_FIVE_CARD_DRAW
        self.table.button_seat = event.button_seat
        self.table.hand.CopyFrom(
            Hand(
                hand_id=event.hand_id,
                street=STREET_PREDRAW if draw else STREET_PREFLOP,
                button_seat=event.button_seat,
                small_blind_seat=event.small_blind_seat,
                big_blind_seat=event.big_blind_seat,
            )
        )
        self.hand.clear()
        self.over = self._awarding = False
        for dealt in event.seats:
            seat = self._seat(dealt.seat_number)
            seat.player_id, seat.stack, seat.state = dealt.player_id, dealt.stack, SEAT_STATE_PLAYING
            seat.owes_bring_in = seat.missed_big_blind = seat.missed_small_blind = False
            self._in_hand(dealt.seat_number).player_id = dealt.player_id

    def _hole_cards_dealt(self, event: Any) -> None:
        for dealt in event.seats:
            self._in_hand(dealt.seat_number).hole_cards[:] = dealt.hole_cards

    def _blind_posted(self, event: Any) -> None:
        self._pay(event)
        if event.kind in _DEAD:
            add_dead(self.table.hand.pots, event.paid, self.hand.values())

    def _folded(self, event: Any) -> None:
        self._in_hand(event.seat_number).folded = True
        for pot in self.table.hand.pots:
            pot.eligible_seats[:] = [seat for seat in pot.eligible_seats if seat != event.seat_number]

    def _pay(self, event: Any) -> None:
        self._seat(event.seat_number).stack -= event.paid
        seat = self._in_hand(event.seat_number)
        seat.contribution += event.paid
        seat.street_bet, seat.all_in = event.street_bet, event.all_in

    _called = _bet_made = _raised = _pay

    def _cards_drawn(self, event: Any) -> None:
        seat = self._in_hand(event.seat_number)
        seat.drawn_count = event.count
        if event.drawn:
            kept = [card for card in seat.hole_cards if card not in event.discarded]
            seat.hole_cards[:] = [*kept, *event.drawn]

    def _street_dealt(self, event: Any) -> None:
        self.table.hand.street = event.street
        self.table.hand.board.extend(event.cards)
        self._close_street()

    def _close_street(self) -> None:
        gather(self.table.hand.pots, self.hand.values())
        for seat in self.hand.values():
            seat.street_bet = 0

    def _uncalled_bet_returned(self, event: Any) -> None:
        self._seat(event.seat_number).stack += event.amount
        seat = self._in_hand(event.seat_number)
        seat.contribution -= event.amount
        seat.street_bet -= event.amount
        seat.all_in = False

    def _hole_cards_shown(self, event: Any) -> None:
        self._in_hand(event.seat_number).hole_cards[:] = event.hole_cards

    def _cards_shown(self, event: Any) -> None:
        if event.hand_id == self.table.hand.hand_id:
            self._in_hand(event.seat_number).hole_cards[:] = event.cards

    def _pot_awarded(self, event: Any) -> None:
        if not self._awarding:
            self._awarding = True
            self._close_street()
        for award in event.awards:
            self._seat(award.seat_number).stack += award.amount
        del self.table.hand.pots[event.pot_index :]

    def _hand_voided(self, event: Any) -> None:
        for one in event.returns:
            self._seat(one.seat_number).stack += one.amount
        self._end_hand()

    def _hand_ended(self, event: Any) -> None:
        for result in event.results:
            if result.seat_number in self.seats:
                self.seats[result.seat_number].stack = result.stack
        self._end_hand()

    def _end_hand(self) -> None:
        del self.table.hand.pots[:]
        for seat in self.hand.values():
            seat.street_bet = 0
        self.over = True
