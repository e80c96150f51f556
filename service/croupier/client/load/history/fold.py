"""A table's public history applied event by event: who sits where with what, and what somebody must have asked for.

Follows whatever it is given, be it impossible. Compares nothing with what clients were told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from croupier.v1.event_pb2 import LeaveReason, SitOutReason, TableEvent, WaitingListLeaveReason
from croupier.v1.hand_event_pb2 import ActionCause
from croupier.v1.hand_pb2 import ActionKind
from croupier.v1.settlement_service_pb2 import EntryKind
from croupier.v1.table_pb2 import TableState

ACTIONS: Final = {
    "folded": ActionKind.ACTION_KIND_FOLD,
    "checked": ActionKind.ACTION_KIND_CHECK,
    "called": ActionKind.ACTION_KIND_CALL,
    "bet_made": ActionKind.ACTION_KIND_BET_TO,
    "raised": ActionKind.ACTION_KIND_RAISE_TO,
    "cards_drawn": ActionKind.ACTION_KIND_DRAW,
}
_CHOSEN: Final = (ActionCause.ACTION_CAUSE_UNSPECIFIED, ActionCause.ACTION_CAUSE_PLAYER)
_LEFT_BY: Final = {
    LeaveReason.LEAVE_REASON_CASHED_OUT: ("CashOut",),
    LeaveReason.LEAVE_REASON_DISMISSED: ("Dismiss",),
    LeaveReason.LEAVE_REASON_RELEASED: ("ReleaseSeat",),
}
_STATES: Final = {
    "table_created": TableState.TABLE_STATE_OPEN,
    "table_paused": TableState.TABLE_STATE_PAUSED,
    "table_resumed": TableState.TABLE_STATE_OPEN,
    "table_closing": TableState.TABLE_STATE_CLOSING,
    "table_closed": TableState.TABLE_STATE_CLOSED,
}
MOVED: Final = ("paid", "street_bet", "all_in")


class Deed(NamedTuple):
    """What an event says that a client asked for, by any of the methods. Of an action, `number` is the decision's."""

    methods: tuple[str, ...]
    player_id: str = ""
    seat_number: int = 0
    amount: int = 0
    hand_id: str = ""
    number: int = 0
    action: int = 0
    paid: int = 0
    street_bet: int = 0
    all_in: bool = False
    cards: tuple[str, ...] = ()


class Posted(NamedTuple):
    """An entry set that an event must have led to: its kind, what it is of, and what each account got."""

    kind: int
    of: str
    amounts: tuple[tuple[str, int], ...]


class Fold:
    """The table after the events taken. `hand_id` is empty between hands; `number` counts the hand's actions.

    `wrong` says what cannot be of the last event; `posted` what it did to the ledger.
    """

    def __init__(self) -> None:
        self.state = 0
        self.seats: Final[dict[int, str]] = {}
        self.stacks: Final[dict[int, int]] = {}
        self.hand_id = ""
        self.number = 0
        self.actor = ""
        self.wrong = ""
        self.posted: Posted | None = None
        self._players: dict[int, str] = {}
        self._queued: Final[dict[int, int]] = {}
        self._leaving: Final[set[int]] = set()
        self._sitting_out_next: Final[set[int]] = set()

    def take(self, event: TableEvent) -> Deed | None:
        """What a client did, None where the event came of itself."""
        name = event.WhichOneof("event") or ""
        self.wrong, self.posted, self.actor = "", None, ""
        body = getattr(event, name) if name else None
        if name in ACTIONS:
            return self._action(name, body)
        self.state = _STATES.get(name, self.state)
        take = _TAKE.get(name)
        return take(self, body) if take is not None else None

    def _action(self, name: str, body: Any) -> Deed | None:
        seat = body.seat_number
        self.number += 1
        self.actor = player = self._players.get(seat, "")
        paid, street_bet, all_in = (getattr(body, moved, 0) for moved in MOVED)
        self._move(seat, -paid)
        if not self.hand_id:
            self.wrong = f"seat {seat} acts without a hand"
        if getattr(body, "cause", 0) not in _CHOSEN:
            return None
        amount = street_bet if name in ("bet_made", "raised") else 0
        drawn = getattr(body, "count", 0)
        return Deed(
            ("Act",),
            player,
            seat,
            amount or drawn,
            self.hand_id,
            self.number,
            ACTIONS[name],
            paid,
            street_bet,
            bool(all_in),
        )

    def _move(self, seat: int, amount: int) -> None:
        self.stacks[seat] = self.stacks.get(seat, 0) + amount

    def _hand_started(self, body: Any) -> None:
        if self.hand_id:
            self.wrong = f"{body.hand_id} began in the middle of {self.hand_id}"
        self.hand_id, self.number = body.hand_id, 0
        self._players = {seat.seat_number: seat.player_id for seat in body.seats}
        for seat in body.seats:
            known = self.stacks.get(seat.seat_number, 0)
            if known != seat.stack or self.seats.get(seat.seat_number) != seat.player_id:
                self.wrong = f"seat {seat.seat_number} began with {seat.stack} chips, it had {known}"
            self.stacks[seat.seat_number] = seat.stack

    def _blind_posted(self, body: Any) -> None:
        self._move(body.seat_number, -body.paid)

    def _uncalled_bet_returned(self, body: Any) -> None:
        self._move(body.seat_number, body.amount)

    def _pot_awarded(self, body: Any) -> None:
        if body.rake + sum(award.amount for award in body.awards) != body.amount:
            self.wrong = f"rake and awards of pot {body.pot_index} do not add up to its {body.amount} chips"
        for award in body.awards:
            self._move(award.seat_number, award.amount)

    def _hand_ended(self, body: Any) -> None:
        total = body.rake
        amounts = []
        for result in body.results:
            total += result.net
            known = self.stacks.get(result.seat_number, 0)
            if known != result.stack:
                self.wrong = (
                    f"seat {result.seat_number} ended with {result.stack} chips, its events come to {known}"
                )
            self.stacks[result.seat_number] = result.stack
            if result.net:
                amounts.append((self._players.get(result.seat_number, ""), result.net))
        if total:
            self.wrong = f"the results and the rake add up to {total}"
        if body.hand_id != self.hand_id:
            self.wrong = f"{body.hand_id} ended, {self.hand_id or 'no hand'} was in play"
        if body.rake:
            amounts.append(("", body.rake))
        if amounts:
            self.posted = Posted(EntryKind.ENTRY_KIND_SETTLEMENT, body.hand_id, tuple(sorted(amounts)))
        self.hand_id, self.number = "", 0

    def _seat_reserved(self, body: Any) -> Deed:
        if body.seat_number in self.seats:
            self.wrong = f"seat {body.seat_number} was taken"
        self.seats[body.seat_number] = body.player_id
        self.stacks[body.seat_number] = 0
        return Deed(("ReserveSeat",), body.player_id, body.seat_number)

    def _bought_in(self, body: Any) -> Deed:
        self._move(body.seat_number, body.amount)
        self.posted = _moved(EntryKind.ENTRY_KIND_BUY_IN, body.player_id, body.amount)
        return Deed(("BuyIn",), body.player_id, 0, body.amount)

    def _rebuy_queued(self, body: Any) -> Deed:
        seat, amount = body.seat_number, body.amount
        self._queued[seat] = self._queued.get(seat, 0) + amount
        return self._rebuy(seat, amount)

    def _rebuy(self, seat: int, amount: int) -> Deed:
        player = self.seats.get(seat, "")
        self.posted = _moved(EntryKind.ENTRY_KIND_REBUY, player, amount)
        return Deed(("Rebuy",), player, 0, amount)

    def _rebought(self, body: Any) -> Deed | None:
        seat, amount = body.seat_number, body.amount
        self._move(seat, amount)
        queued = self._queued.pop(seat, 0)
        if not queued:
            return self._rebuy(seat, amount)
        if amount + body.returned != queued:
            self.wrong = f"{queued} chips waited for seat {seat}, {amount} came, {body.returned} went back"
        if body.returned:
            self.posted = _moved(EntryKind.ENTRY_KIND_CASH_OUT, self.seats.get(seat, ""), -body.returned)
        return None

    def _leave_queued(self, body: Any) -> Deed | None:
        self._leaving.add(body.seat_number)
        methods = _LEFT_BY.get(body.reason)
        return Deed(methods, self.seats.get(body.seat_number, "")) if methods else None

    def _player_left(self, body: Any) -> Deed | None:
        seat, player = body.seat_number, body.player_id
        if self.seats.pop(seat, None) != player:
            self.wrong = f"{player} left seat {seat}, which was not theirs"
        held = self.stacks.pop(seat, 0)
        if held != body.returned:
            self.wrong = f"{player} left with {body.returned} chips, the seat had {held}"
        if body.returned:
            self.posted = _moved(EntryKind.ENTRY_KIND_CASH_OUT, player, -body.returned)
        queued = seat in self._leaving
        self._leaving.discard(seat)
        self._sitting_out_next.discard(seat)
        methods = _LEFT_BY.get(body.reason)
        return Deed(methods, player) if methods and not queued else None

    def _sit_out_queued(self, body: Any) -> Deed:
        self._sitting_out_next.add(body.seat_number)
        return Deed(("SitOut",), self.seats.get(body.seat_number, ""))

    def _sat_out(self, body: Any) -> Deed | None:
        queued = body.seat_number in self._sitting_out_next
        self._sitting_out_next.discard(body.seat_number)
        if queued or body.reason != SitOutReason.SIT_OUT_REASON_ASKED:
            return None
        return Deed(("SitOut", "SetPreferences"), self.seats.get(body.seat_number, ""))

    def _sat_in(self, body: Any) -> Deed:
        self._sitting_out_next.discard(body.seat_number)
        return Deed(("SitIn",), self.seats.get(body.seat_number, ""))

    def _waiting_list_joined(self, body: Any) -> Deed:
        return Deed(("JoinWaitingList",), body.player_id)

    def _waiting_list_left(self, body: Any) -> Deed | None:
        asked = body.reason == WaitingListLeaveReason.WAITING_LIST_LEAVE_REASON_ASKED
        return Deed(("LeaveWaitingList",), body.player_id) if asked else None

    def _cards_shown(self, body: Any) -> Deed:
        return Deed(("ShowCards",), body.player_id, hand_id=body.hand_id, cards=tuple(body.cards))

    def _entropy_committed(self, body: Any) -> Deed:
        return Deed(("CommitEntropy",), body.player_id)

    def _entropy_revealed(self, body: Any) -> Deed:
        return Deed(("RevealEntropy",), body.player_id)


def _moved(kind: int, player_id: str, amount: int) -> Posted:
    return Posted(kind, player_id, ((player_id, amount),))


def _method(name: str) -> Callable[[Fold, Any], Deed]:
    deed = Deed((name,))
    return lambda _fold, _body: deed


_TAKE: Final[dict[str, Callable[[Fold, Any], Deed | None]]] = {
    "hand_started": Fold._hand_started,
    "blind_posted": Fold._blind_posted,
    "uncalled_bet_returned": Fold._uncalled_bet_returned,
    "pot_awarded": Fold._pot_awarded,
    "hand_ended": Fold._hand_ended,
    "seat_reserved": Fold._seat_reserved,
    "bought_in": Fold._bought_in,
    "rebuy_queued": Fold._rebuy_queued,
    "rebought": Fold._rebought,
    "leave_queued": Fold._leave_queued,
    "player_left": Fold._player_left,
    "sit_out_queued": Fold._sit_out_queued,
    "sat_out": Fold._sat_out,
    "sat_in": Fold._sat_in,
    "waiting_list_joined": Fold._waiting_list_joined,
    "waiting_list_left": Fold._waiting_list_left,
    "cards_shown": Fold._cards_shown,
    "entropy_committed": Fold._entropy_committed,
    "entropy_revealed": Fold._entropy_revealed,
    "table_created": _method("CreateTable"),
    "table_paused": _method("PauseTable"),
    "table_resumed": _method("ResumeTable"),
    "table_closing": _method("CloseTable"),
}
