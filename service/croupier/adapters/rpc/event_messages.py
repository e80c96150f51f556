"""Events of the engine as croupier.v1.TableEvent, for one viewer: hole cards only where they are theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from google.protobuf.timestamp_pb2 import Timestamp

from croupier.adapters.rpc import (
    house_messages,
    messages,
    proof_messages,
    result_messages,
    share_messages,
    waiting_messages,
)
from croupier.adapters.rpc.hand_words import HandWords
from croupier.cards import cards_text
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.room.hand_id import hand_id_of
from croupier.room.own_cards import exchanged_in
from croupier.room.subscriptions import Publication
from croupier.v1 import event_pb2, hand_event_pb2, table_pb2

_CAUSES: Final = {
    ev.Cause.PLAYER: hand_event_pb2.ACTION_CAUSE_PLAYER,
    ev.Cause.TIME_OUT: hand_event_pb2.ACTION_CAUSE_TIME_OUT,
    ev.Cause.DISCONNECTED: hand_event_pb2.ACTION_CAUSE_TIME_OUT,
    ev.Cause.DISMISSED: hand_event_pb2.ACTION_CAUSE_DISMISSED,
    ev.Cause.ADVANCE: hand_event_pb2.ACTION_CAUSE_ADVANCE,
}
_BLINDS: Final = {
    ev.PostKind.SMALL_BLIND: hand_event_pb2.BLIND_KIND_SMALL,
    ev.PostKind.BIG_BLIND: hand_event_pb2.BLIND_KIND_BIG,
    ev.PostKind.BRING_IN: hand_event_pb2.BLIND_KIND_BRING_IN,
    ev.PostKind.LIVE_BLIND: hand_event_pb2.BLIND_KIND_LIVE,
    ev.PostKind.DEAD_BLIND: hand_event_pb2.BLIND_KIND_DEAD,
    ev.PostKind.ANTE: hand_event_pb2.BLIND_KIND_ANTE,
    ev.PostKind.TABLE_ANTE: hand_event_pb2.BLIND_KIND_TABLE_ANTE,
    ev.PostKind.STRADDLE: hand_event_pb2.BLIND_KIND_STRADDLE,
}


class Telling:
    """Turns one table's publications into messages; holds what an event alone does not say."""

    __slots__ = ("seat_kept_ns", "table_id", "words")

    def __init__(self, table_id: str, seat_kept_ns: int, words: HandWords) -> None:
        self.table_id = table_id
        self.seat_kept_ns = seat_kept_ns
        self.words = words

    def events(self, publication: Publication, viewer: str) -> list[event_pb2.TableEvent]:
        """The publication's events as one viewer (empty: without cards) may see them."""
        own = publication.hole_cards.get(viewer, b"") if viewer else b""
        own_seat = 0
        told = []
        when = messages.timestamp(publication.recorded_time)
        for event in publication.events:
            tell = _TELL.get(type(event))
            if type(event) is ev.HandStarted:
                own_seat = _seat_of(event, viewer) if own else 0
            if type(event) is ev.HoleCardsDealt:
                told.append(_dealt(event, publication.sequence, when, own_seat, own))
            elif type(event) is ev.CardsDrawn:
                told.append(_drawn(event, publication.sequence, when, own))
            elif type(event) is ev.HoleCardsShown:
                told.append(_turned_up(event, publication, when, self.words))
            elif tell is not None:
                told.append(
                    event_pb2.TableEvent(sequence=publication.sequence, event_time=when, **tell(self, event))
                )
        return told


def _seat_of(event: ev.HandStarted, viewer: str) -> int:
    return event.seats[event.players.index(viewer)] if viewer in event.players else 0


def _dealt(
    event: ev.HoleCardsDealt, sequence: int, when: Timestamp, own_seat: int, own: bytes
) -> event_pb2.TableEvent:
    seats = [
        hand_event_pb2.DealtSeat(
            seat_number=number,
            card_count=event.count,
            hole_cards=cards_text(own) if number == own_seat else (),
        )
        for number in event.seats
    ]
    return event_pb2.TableEvent(
        sequence=sequence, event_time=when, hole_cards_dealt=hand_event_pb2.HoleCardsDealt(seats=seats)
    )


def _drawn(event: ev.CardsDrawn, sequence: int, when: Timestamp, own: bytes) -> event_pb2.TableEvent:
    """`own` is what a viewer who exchanged cards knows of them; standing pat is alike to all."""
    discarded, drawn = exchanged_in(event, own)
    told = hand_event_pb2.CardsDrawn(
        seat_number=event.seat,
        count=len(event.places),
        cause=_CAUSES[event.cause],
        discarded=cards_text(discarded),
        drawn=cards_text(drawn),
    )
    return event_pb2.TableEvent(sequence=sequence, event_time=when, cards_drawn=told)


def _turned_up(
    event: ev.HoleCardsShown, publication: Publication, when: Timestamp, words: HandWords
) -> event_pb2.TableEvent:
    high, low = words.of(event.cards, publication.board_at(event))
    shown = hand_event_pb2.HoleCardsShown(
        seat_number=event.seat, hole_cards=cards_text(event.cards), description=high, low_description=low
    )
    return event_pb2.TableEvent(sequence=publication.sequence, event_time=when, hole_cards_shown=shown)


def _chips(event: Any) -> dict[str, Any]:
    return {
        "seat_number": event.seat,
        "paid": event.amount,
        "street_bet": event.to,
        "all_in": event.all_in,
    }


def _started(telling: Telling, event: ev.HandStarted) -> dict[str, Any]:
    seats = [
        hand_event_pb2.StartingSeat(seat_number=number, player_id=player, stack=stack)
        for number, player, stack in sorted(zip(event.seats, event.players, event.stacks, strict=True))
    ]
    small = event.small_blind_seat
    return {
        "hand_started": hand_event_pb2.HandStarted(
            hand_id=hand_id_of(telling.table_id, event.hand_number),
            button_seat=event.button_seat,
            small_blind_seat=small if small in event.seats else 0,
            big_blind_seat=event.big_blind_seat,
            seats=seats,
            deal=proof_messages.deal(telling.table_id, event),
        )
    }


def _posted(_: Telling, event: ev.Posted) -> dict[str, Any]:
    return {"blind_posted": hand_event_pb2.BlindPosted(kind=_BLINDS[event.kind], **_chips(event))}


def _shown(telling: Telling, event: tev.CardsShown) -> dict[str, Any]:
    return {
        "cards_shown": hand_event_pb2.CardsShown(
            hand_id=hand_id_of(telling.table_id, event.hand_number),
            seat_number=event.seat,
            player_id=event.player_id,
            cards=cards_text(event.cards),
        )
    }


def _bought_in(_: Telling, event: tev.BoughtIn) -> dict[str, Any]:
    state = table_pb2.SEAT_STATE_PLAYING
    if event.waiting_for_button:
        state = table_pb2.SEAT_STATE_WAITING_FOR_BUTTON
    elif event.waiting_for_big_blind:
        state = table_pb2.SEAT_STATE_WAITING_FOR_BIG_BLIND
    return {
        "bought_in": event_pb2.BoughtIn(
            seat_number=event.seat,
            player_id=event.player_id,
            amount=event.amount,
            state=state,
            owes_bring_in=event.owes_bring_in,
        )
    }


def _rebought(_: Telling, event: tev.Rebought) -> dict[str, Any]:
    if event.queued:
        return {"rebuy_queued": event_pb2.RebuyQueued(seat_number=event.seat, amount=event.amount)}
    return {"rebought": event_pb2.Rebought(seat_number=event.seat, amount=event.amount)}


def _left(_: Telling, event: tev.PlayerLeft) -> dict[str, Any]:
    return {
        "player_left": event_pb2.PlayerLeft(
            seat_number=event.seat,
            player_id=event.player_id,
            reason=event_pb2.LeaveReason.Value(f"LEAVE_REASON_{event.reason.name}"),
            returned=event.amount,
        )
    }


def _leaving(_: Telling, event: tev.LeaveRequested) -> dict[str, Any]:
    reason = event_pb2.LEAVE_REASON_DISMISSED if event.dismiss else event_pb2.LEAVE_REASON_CASHED_OUT
    if event.removed:
        reason = event_pb2.LEAVE_REASON_REMOVED
    return {"leave_queued": event_pb2.LeaveQueued(seat_number=event.seat, reason=reason)}


def _sat_out(telling: Telling, event: tev.SatOut) -> dict[str, Any]:
    return {
        "sat_out": event_pb2.SatOut(
            seat_number=event.seat,
            reason=event_pb2.SitOutReason.Value(f"SIT_OUT_REASON_{event.reason.name}"),
            release_time=messages.timestamp(event.since + telling.seat_kept_ns),
        )
    }


def _sat_in(_: Telling, event: tev.SatIn) -> dict[str, Any]:
    state = table_pb2.SEAT_STATE_PLAYING
    if event.waiting_for_button:
        state = table_pb2.SEAT_STATE_WAITING_FOR_BUTTON
    elif event.waiting_for_big_blind:
        state = table_pb2.SEAT_STATE_WAITING_FOR_BIG_BLIND
    return {"sat_in": event_pb2.SatIn(seat_number=event.seat, state=state)}


_TELL: Final[dict[type, Callable[[Telling, Any], dict[str, Any]]]] = {
    ev.HandStarted: _started,
    ev.Posted: _posted,
    ev.Folded: lambda _, e: {"folded": hand_event_pb2.Folded(seat_number=e.seat, cause=_CAUSES[e.cause])},
    ev.Checked: lambda _, e: {"checked": hand_event_pb2.Checked(seat_number=e.seat, cause=_CAUSES[e.cause])},
    ev.Called: lambda _, e: {"called": hand_event_pb2.Called(cause=_CAUSES[e.cause], **_chips(e))},
    ev.BetMade: lambda _, e: {"bet_made": hand_event_pb2.BetMade(**_chips(e))},
    ev.Raised: lambda _, e: {"raised": hand_event_pb2.Raised(**_chips(e))},
    ev.StreetDealt: lambda _, e: {
        "street_dealt": hand_event_pb2.StreetDealt(
            street=messages.STREETS[e.street], cards=cards_text(e.cards)
        )
    },
    ev.StubReshuffled: lambda _, e: {
        "stub_reshuffled": hand_event_pb2.StubReshuffled(card_count=e.count, places=e.places)
    },
    ev.UncalledBetReturned: lambda _, e: {
        "uncalled_bet_returned": hand_event_pb2.UncalledBetReturned(seat_number=e.seat, amount=e.amount)
    },
    ev.PotAwarded: result_messages.awarded,
    ev.HandEnded: result_messages.ended,
    ev.HandVoided: result_messages.voided,
    tev.TableCreated: lambda _, e: {
        "table_created": event_pb2.TableCreated(options=house_messages.options(e.name, e.rules))
    },
    tev.SeatReserved: lambda _, e: {
        "seat_reserved": event_pb2.SeatReserved(
            seat_number=e.seat, player_id=e.player_id, release_time=messages.timestamp(e.until)
        )
    },
    tev.BoughtIn: _bought_in,
    tev.Rebought: _rebought,
    tev.RebuyApplied: lambda _, e: {
        "rebought": event_pb2.Rebought(seat_number=e.seat, amount=e.amount, returned=e.returned)
    },
    tev.LeaveRequested: _leaving,
    tev.PlayerLeft: _left,
    tev.SitOutRequested: lambda _, e: {"sit_out_queued": event_pb2.SitOutQueued(seat_number=e.seat)},
    tev.SatOut: _sat_out,
    tev.SatIn: _sat_in,
    tev.BlindsMissed: lambda _, e: {
        "blinds_missed": event_pb2.BlindsMissed(big_blind_seats=e.big, small_blind_seats=e.small)
    },
    tev.ButtonPassed: lambda _, e: {"button_passed": event_pb2.ButtonPassed(seats=e.seats)},
    tev.WaitingListJoined: waiting_messages.joined,
    tev.WaitingListLeft: waiting_messages.left,
    tev.SeatOffered: waiting_messages.offered,
    tev.CardsShown: _shown,
    tev.EntropyCommitted: share_messages.committed,
    tev.DeckCommitted: share_messages.deck_committed,
    tev.EntropyRevealed: share_messages.revealed,
    tev.TablePaused: lambda *_: {"table_paused": event_pb2.TablePaused()},
    tev.TableResumed: lambda *_: {"table_resumed": event_pb2.TableResumed()},
    tev.TableClosing: lambda *_: {"table_closing": event_pb2.TableClosing()},
    tev.TableClosed: lambda *_: {"table_closed": event_pb2.TableClosed()},
}
