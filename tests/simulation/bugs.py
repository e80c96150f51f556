"""Bugs planted on purpose, each a mistake that somebody could make: the simulation must find every one of them."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from typing import Any, Final
from unittest.mock import patch

import msgspec
from tests.simulation.plant import Plant

from croupier.adapters import remote_wallet
from croupier.adapters.embedded_wallet import EmbeddedWallet
from croupier.engine import seating
from croupier.engine import table_events as tev
from croupier.room import accounts, folding, history, views, watched
from croupier.room.actor import TableActor
from croupier.room.acts import Acts
from croupier.room.commit import Commit
from croupier.room.ledger import move
from croupier.room.ports import Unit
from croupier.room.schedule import Schedule


def _published_before_durable(stack: ExitStack) -> None:
    submit = TableActor._submit

    def early(self: TableActor, *arguments: Any) -> Any:
        commit = submit(self, *arguments)
        if commit.publication is not None:
            self.watchers.publish(commit.publication)
            commit.publication = None
        return commit

    stack.enter_context(patch.object(TableActor, "_submit", early))


def _answered_before_durable(stack: ExitStack) -> None:
    async def at_once(self: Commit) -> None:
        if self.failure is not None:
            raise self.failure

    stack.enter_context(patch.object(Commit, "durable", at_once))


def _request_forgotten_after_restart(stack: ExitStack) -> None:
    fold = folding.fold

    def forgetful(*arguments: Any) -> Any:
        folded = fold(*arguments)
        folded.acts = Acts()
        return folded

    stack.enter_context(patch.object(folding, "fold", forgetful))


def _payout_doubled_on_retry(stack: ExitStack) -> None:
    message, attempts = remote_wallet._message, Counter[str]()

    def renamed(transfer: Any) -> Any:
        attempts[transfer.transfer_id] += 1
        if transfer.direction == "to_wallet" and attempts[transfer.transfer_id] > 1:
            name = f"{transfer.transfer_id}-{attempts[transfer.transfer_id]}"
            transfer = msgspec.structs.replace(transfer, transfer_id=name)
        return message(transfer)

    stack.enter_context(patch.object(remote_wallet, "_message", renamed))


def _time_out_of_a_newer_decision(stack: ExitStack) -> None:
    wake_by, do_due = Schedule.wake_by, Schedule._do_due
    armed: dict[Schedule, int] = {}

    def keeping(self: Schedule, when: int) -> None:
        armed.setdefault(self, when)
        wake_by(self, when)

    def hasty(self: Schedule, now: int) -> None:
        when = armed.pop(self, 0)
        clock = self._actor.clock
        if clock.deadline and when and when <= now:
            clock.deadline = when
        do_due(self, now)

    stack.enter_context(patch.object(Schedule, "wake_by", keeping))
    stack.enter_context(patch.object(Schedule, "_do_due", hasty))


def _folded_cards_in_view(stack: ExitStack) -> None:
    hand_view = views.hand_view

    def leaky(table: Any, hand: Any, viewer: str) -> Any:
        view = hand_view(table, hand, viewer)
        seats = [
            msgspec.structs.replace(seat, hole_cards=hand.hole_cards[hand.position_of[seat.seat]])
            if seat.folded
            else seat
            for seat in view.seats
        ]
        return msgspec.structs.replace(view, seats=tuple(seats))

    stack.enter_context(patch.object(views, "hand_view", leaky))


def _rebuy_in_mid_hand(stack: ExitStack) -> None:
    rebought = seating._rebought

    def at_once(table: Any, transfer: Any) -> Any:
        decided = rebought(table, transfer)
        if table.in_hand(transfer.seat) and isinstance(decided, list):
            return [msgspec.structs.replace(decided[0], queued=False)]
        return decided

    stack.enter_context(patch.object(seating, "_rebought", at_once))


def _queued_rebuy_lost_at_restart(stack: ExitStack) -> None:
    fold = folding.fold

    def lossy(*arguments: Any) -> Any:
        folded = fold(*arguments)
        carried = folded.table.carried
        for seat in carried.seats.values():
            carried.chips -= seat.queued_rebuy
            seat.queued_rebuy = 0
        return folded

    stack.enter_context(patch.object(folding, "fold", lossy))


def _private_event_to_all(stack: ExitStack) -> None:
    def open_hearted(events: Any) -> list[Any]:
        return [event for event in events if not isinstance(event, tev.INTERNAL)]

    for module in (watched, history):
        stack.enter_context(patch.object(module, "public", open_hearted))


def _transfer_voided_twice(stack: ExitStack) -> None:
    void, times = EmbeddedWallet.void, Counter[str]()

    async def generous(self: EmbeddedWallet, transfer: Any) -> None:
        await void(self, transfer)
        times[transfer.transfer_id] += 1
        if times[transfer.transfer_id] > 1:
            name = f"void/{transfer.transfer_id}/{times[transfer.transfer_id]}"
            home, source = self._home(transfer.player_id), accounts.ADJUSTMENTS
            again = move(name, transfer.currency, "void", source, home, transfer.amount)
            await self._submitted(Unit(entry_sets=(again,)))

    stack.enter_context(patch.object(EmbeddedWallet, "void", generous))


def _sequence_skipped_after_failed_commit(stack: ExitStack) -> None:
    stand = TableActor.stand

    def skipping(self: TableActor, folded: Any) -> None:
        stand(self, folded)
        self._chain.sequence += 1

    stack.enter_context(patch.object(TableActor, "stand", skipping))


BUGS: Final[dict[str, Plant]] = {
    "answered-before-durable": _answered_before_durable,
    "published-before-durable": _published_before_durable,
    "request-forgotten-after-restart": _request_forgotten_after_restart,
    "payout-doubled-on-retry": _payout_doubled_on_retry,
    "time-out-of-a-newer-decision": _time_out_of_a_newer_decision,
    "folded-cards-in-view": _folded_cards_in_view,
    "rebuy-in-mid-hand": _rebuy_in_mid_hand,
    "queued-rebuy-lost-at-restart": _queued_rebuy_lost_at_restart,
    "private-event-to-all": _private_event_to_all,
    "transfer-voided-twice": _transfer_voided_twice,
    "sequence-skipped-after-failed-commit": _sequence_skipped_after_failed_commit,
}
