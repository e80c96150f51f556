"""A table as a watcher knows it: one snapshot, kept current by events alone, as the contract promises."""

from __future__ import annotations

from typing import Any

from croupier.v1 import event_pb2, hand_pb2, table_pb2


class Mirror:
    """Begins with a snapshot; `apply` does what an event's comment in the contract says, and no more."""

    def __init__(self, snapshot: table_pb2.Table) -> None:
        self.table = table_pb2.Table()
        self.table.CopyFrom(snapshot)
        self.table.ClearField("next_decision")
        self._seats = {seat.seat_number: seat for seat in snapshot.seats}
        self._hand: dict[int, hand_pb2.HandSeat] = {seat.seat_number: seat for seat in snapshot.hand.seats}

    def apply(self, event: event_pb2.TableEvent) -> None:
        self.table.sequence = event.sequence
        kind = event.WhichOneof("event")
        assert kind is not None, "an event of no kind"
        getattr(self, f"_{kind}")(getattr(event, kind))

    def told(self) -> str:
        """What a watcher knows now, to be compared with `shown`."""
        table = table_pb2.Table()
        table.CopyFrom(self.table)
        del table.seats[:], table.hand.seats[:]
        table.seats.extend(self._seats[number] for number in sorted(self._seats))
        table.hand.seats.extend(self._hand[number] for number in sorted(self._hand))
        return shown(table)

    # the table

    def _table_paused(self, _: Any) -> None:
        self.table.state = table_pb2.TABLE_STATE_PAUSED

    def _table_resumed(self, _: Any) -> None:
        self.table.state = table_pb2.TABLE_STATE_OPEN

    def _table_closing(self, _: Any) -> None:
        self.table.state = table_pb2.TABLE_STATE_CLOSING

    def _table_closed(self, _: Any) -> None:
        self.table.state = table_pb2.TABLE_STATE_CLOSED

    # the waiting list

    def _waiting_list_joined(self, event: event_pb2.WaitingListJoined) -> None:
        self.table.waiting_list.add(player_id=event.player_id)

    def _waiting_list_left(self, event: event_pb2.WaitingListLeft) -> None:
        rest = [one for one in self.table.waiting_list if one.player_id != event.player_id]
        del self.table.waiting_list[:]
        self.table.waiting_list.extend(rest)

    def _seat_offered(self, event: event_pb2.SeatOffered) -> None:
        (one,) = [one for one in self.table.waiting_list if one.player_id == event.player_id]
        one.offered_seat = event.seat_number
        one.offer_end_time.CopyFrom(event.offer_end_time)

    # seats

    def _seat_reserved(self, event: event_pb2.SeatReserved) -> None:
        self._seats[event.seat_number] = table_pb2.Seat(
            seat_number=event.seat_number,
            player_id=event.player_id,
            state=table_pb2.SEAT_STATE_RESERVED,
            release_time=event.release_time,
        )

    def _bought_in(self, event: event_pb2.BoughtIn) -> None:
        seat = self._seats[event.seat_number]
        seat.ClearField("release_time")
        seat.stack, seat.state, seat.owes_bring_in = event.amount, event.state, event.owes_bring_in

    def _rebuy_queued(self, event: event_pb2.RebuyQueued) -> None:
        self._seats[event.seat_number].queued_rebuy += event.amount

    def _rebought(self, event: event_pb2.Rebought) -> None:
        seat = self._seats[event.seat_number]
        seat.stack += event.amount
        seat.queued_rebuy = 0

    def _leave_queued(self, event: event_pb2.LeaveQueued) -> None:
        dismissed = event.reason == event_pb2.LEAVE_REASON_DISMISSED
        self._seats[event.seat_number].state = (
            table_pb2.SEAT_STATE_DISMISSED if dismissed else table_pb2.SEAT_STATE_CASHING_OUT
        )

    def _player_left(self, event: event_pb2.PlayerLeft) -> None:
        assert self._seats.pop(event.seat_number).stack == event.returned

    def _sit_out_queued(self, event: event_pb2.SitOutQueued) -> None:
        self._seats[event.seat_number].state = table_pb2.SEAT_STATE_SITTING_OUT

    def _sat_out(self, event: event_pb2.SatOut) -> None:
        seat = self._seats[event.seat_number]
        seat.state = table_pb2.SEAT_STATE_SITTING_OUT
        seat.release_time.CopyFrom(event.release_time)

    def _sat_in(self, event: event_pb2.SatIn) -> None:
        seat = self._seats[event.seat_number]
        seat.state = event.state
        seat.ClearField("release_time")

    def _blinds_missed(self, event: event_pb2.BlindsMissed) -> None:
        for number in event.big_blind_seats:
            self._seats[number].missed_big_blind = True
        for number in event.small_blind_seats:
            self._seats[number].missed_small_blind = True

    def _button_passed(self, event: event_pb2.ButtonPassed) -> None:
        for number in event.seats:
            if self._seats[number].state == table_pb2.SEAT_STATE_WAITING_FOR_BUTTON:
                self._seats[number].state = table_pb2.SEAT_STATE_PLAYING

    # the hand

    def _hand_started(self, event: Any) -> None:
        self.table.button_seat = event.button_seat
        self.table.hand.CopyFrom(
            hand_pb2.Hand(
                hand_id=event.hand_id,
                street=hand_pb2.STREET_PREFLOP,
                button_seat=event.button_seat,
                small_blind_seat=event.small_blind_seat,
                big_blind_seat=event.big_blind_seat,
            )
        )
        for dealt in event.seats:
            seat = self._seats[dealt.seat_number]
            assert (seat.player_id, seat.stack) == (dealt.player_id, dealt.stack)
            seat.state = table_pb2.SEAT_STATE_PLAYING
            seat.owes_bring_in = seat.missed_big_blind = seat.missed_small_blind = False
            self._hand[dealt.seat_number] = hand_pb2.HandSeat(
                seat_number=dealt.seat_number, player_id=dealt.player_id
            )

    def _blind_posted(self, event: Any) -> None:
        self._pays(event)

    def _hole_cards_dealt(self, event: Any) -> None:
        for dealt in event.seats:
            self._hand[dealt.seat_number].hole_cards[:] = dealt.hole_cards

    def _folded(self, event: Any) -> None:
        self._hand[event.seat_number].folded = True

    def _checked(self, event: Any) -> None:
        pass

    def _called(self, event: Any) -> None:
        self._pays(event)

    def _bet_made(self, event: Any) -> None:
        self._pays(event)

    def _raised(self, event: Any) -> None:
        self._pays(event)

    def _pays(self, event: Any) -> None:
        self._seats[event.seat_number].stack -= event.paid
        seat = self._hand[event.seat_number]
        seat.contribution += event.paid
        seat.street_bet = event.street_bet
        seat.all_in = event.all_in

    def _street_dealt(self, event: Any) -> None:
        self.table.hand.street = event.street
        self.table.hand.board.extend(event.cards)
        for seat in self._hand.values():
            seat.street_bet = 0

    def _uncalled_bet_returned(self, event: Any) -> None:
        self._seats[event.seat_number].stack += event.amount
        seat = self._hand[event.seat_number]
        seat.contribution -= event.amount
        seat.street_bet -= event.amount
        seat.all_in = False

    def _hole_cards_shown(self, event: Any) -> None:
        self._hand[event.seat_number].hole_cards[:] = event.hole_cards

    def _pot_awarded(self, event: Any) -> None:
        for award in event.awards:
            self._seats[award.seat_number].stack += award.amount

    def _hand_ended(self, event: Any) -> None:
        for result in event.results:
            assert self._seats[result.seat_number].stack == result.stack
        self._hand.clear()
        self.table.ClearField("hand")


def shown(table: table_pb2.Table) -> str:
    """The server's own view, without what events leave to the reader: the decision, and chips sorted into pots;
    and without what concerns the viewer alone, of which other events tell."""
    copy = table_pb2.Table()
    copy.CopyFrom(table)
    copy.ClearField("next_decision")
    copy.ClearField("own")
    del copy.hand.pots[:]
    if not copy.hand.hand_id:
        copy.ClearField("hand")
    return str(copy)
