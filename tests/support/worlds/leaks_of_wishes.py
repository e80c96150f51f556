"""Leaks planted on purpose: of what others say in advance, prefer and own."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec.structs import replace
from tests.support.worlds.leaks import Leak, Patch, around

from croupier.adapters.rpc import watch_stream
from croupier.adapters.rpc.seat_servicer import SeatServicer
from croupier.engine.table import Table
from croupier.engine.table_events import AdvanceKind
from croupier.room import listing, subscriptions, views
from croupier.room import watched as watched_module
from croupier.room.actor import TableActor
from croupier.room.clock import DecisionClock
from croupier.room.failures import Refusal
from croupier.room.history import sequence_unavailable
from croupier.room.principal import Principal
from croupier.room.subscriptions import PrivatePart, Publication


def refusals_name_what_others_said_in_advance(patch: Patch) -> None:
    run = TableActor._run

    def told(table: TableActor, *command: Any) -> Any:
        try:
            return run(table, *command)
        except Refusal as refusal:
            said = [seat.advance.kind.name for seat in table.table.seats.values() if seat.advance is not None]
            raise Refusal(refusal.reason, **refusal.facts, advance=",".join(said)) from None

    patch.setattr(TableActor, "_run", told)


def snapshots_show_what_others_said_in_advance(patch: Patch) -> None:
    own_view = views.own_view

    def anybodys(table: Table, viewer: str) -> views.OwnView | None:
        seats = table.seats.values()
        others = [seat.player_id for seat in seats if seat.advance is not None and seat.player_id != viewer]
        return own_view(table, others[0] if others else viewer)

    patch.setattr(views, "own_view", anybodys)


class _Anybody(str):
    """A name that everybody has."""

    __slots__ = ()

    def __eq__(self, _: object) -> bool:
        return True

    __hash__ = str.__hash__


def private_news_for_everybody(patch: Patch) -> None:
    part_of = subscriptions.private_part

    def everybodys(events: Any) -> PrivatePart | None:
        part = part_of(events)
        return part._replace(player_id=_Anybody(part.player_id)) if part is not None else None

    patch.setattr(watched_module, "private_part", everybodys)


def preferences_move_the_deadline(patch: Patch) -> None:
    span = DecisionClock._span_ms

    def moved(clock: DecisionClock, table: Table, number: int) -> int:
        seats = table.carried.seats.values()
        return span(clock, table, number) + sum(seat.preferences.show_losing_hands for seat in seats)

    patch.setattr(DecisionClock, "_span_ms", moved)


def preferences_show_in_the_seats_state(patch: Patch) -> None:
    state = views._seat_state

    def shown(seat: Any) -> str:
        return "SITTING_OUT" if seat.preferences.sit_out_next_blind else state(seat)

    patch.setattr(views, "_seat_state", shown)


def heartbeats_wait_for_others_private_news(patch: Patch) -> None:
    """Each of them starts the silence anew."""
    patch.setattr(Publication, "concerns", lambda *_: True)


def tables_are_listed_with_their_records_counted(patch: Patch) -> None:
    def make(row: Any) -> Any:
        return lambda table, player_id: replace(row(table, player_id), sequence=table.next_record)

    around(patch, listing, "_row", make)


def resuming_is_refused_by_records_counted(patch: Patch) -> None:
    """As the service once did."""

    def make(check: Any) -> Any:
        async def counted(table: TableActor, after: int) -> None:
            if after >= table.next_record // 2:
                raise sequence_unavailable(table.sequence)
            await check(table, after)

        return counted

    around(patch, watch_stream, "_must_be_resumable", make)


def refusals_name_anothers_wallet(patch: Patch) -> None:
    def make(reserve: Any) -> Any:
        async def told(servicer: SeatServicer, principal: Principal, request: Any) -> Any:
            try:
                return await reserve(servicer, principal, request)
            except Refusal as refusal:
                table = await servicer._seats._table(request.table_id)
                owner = table.table.seats[request.seat_number].player_id
                wallet = servicer._seats._cashier._wallet
                chips = await wallet.available(owner, table.table.rules.currency)
                raise Refusal(refusal.reason, **refusal.facts, available=chips) from None

        return told

    around(patch, SeatServicer, "reserve_seat", make)


def ledger_entries_for_every_backend(patch: Patch) -> None:
    patch.setattr(Principal, "may_read_whole_ledger", lambda _: True)


def balances_for_everybody(patch: Patch) -> None:
    patch.setattr(Principal, "may_know_balance_of", lambda *_: True)


def deadlines_in_snapshots_moved_by_what_others_said(patch: Patch) -> None:
    def make(view: Any) -> Any:
        def moved(table: Table, deadline: int) -> views.DecisionView | None:
            said = [seat.advance for seat in table.carried.seats.values() if seat.advance is not None]
            decision: views.DecisionView | None = view(table, deadline)
            if decision is None:
                return None
            kinds = sum(one.kind is AdvanceKind.CHECK_FOLD for one in said)
            return msgspec.structs.replace(decision, deadline=deadline + kinds)

        return moved

    around(patch, views, "decision_view", make)


OF_WISHES: Final[tuple[Leak, ...]] = (
    refusals_name_what_others_said_in_advance,
    snapshots_show_what_others_said_in_advance,
    private_news_for_everybody,
    preferences_move_the_deadline,
    preferences_show_in_the_seats_state,
    heartbeats_wait_for_others_private_news,
    tables_are_listed_with_their_records_counted,
    resuming_is_refused_by_records_counted,
    refusals_name_anothers_wallet,
    ledger_entries_for_every_backend,
    balances_for_everybody,
    deadlines_in_snapshots_moved_by_what_others_said,
)
