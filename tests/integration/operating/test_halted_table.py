"""Halted tables resolved over gRPC, on both stores, with kills in between and requests made twice."""

from __future__ import annotations

import pytest
from tests.support.live import Backend
from tests.support.live_table import ONCE
from tests.support.operated import (
    PLAYERS,
    RESUME,
    VOID,
    WHY,
    Kept,
    actor_of,
    chips,
    halt,
    played,
    raised,
    refusal,
    resolved,
    state_of,
)
from tests.support.stopped import unfoldable

from croupier.v1.operator_service_pb2 import ResolveOutcome
from croupier.v1.table_pb2 import TABLE_STATE_HALTED, TABLE_STATE_OPEN, TABLE_STATE_PAUSED


@pytest.mark.parametrize("outcome", [VOID, RESUME])
async def test_a_halted_table_is_resolved_either_way(kept: Kept, outcome: ResolveOutcome.ValueType) -> None:
    async with kept.served() as (app, backend):
        table_id = await raised(backend)
        table, decision = await backend.get_table(table_id), await backend.decision(table_id)
        await halt(app, backend, table_id)
        assert await refusal(backend.resume_table(table_id)) == "TABLE_HALTED"
        done = await resolved(backend, table_id, outcome)
        assert done.before.state == TABLE_STATE_HALTED
        stood = chips(done.before.seats)
        assert {name: stack for name, (stack, _) in stood.items()} == {
            seat.player_id: seat.stack for seat in table.seats
        }
        if outcome == VOID:
            assert done.after.state == TABLE_STATE_PAUSED
            assert chips(done.after.seats) == {name: (sum(stood[name]), 0) for name in PLAYERS}
            await backend.resume_table(table_id)
        else:
            assert (done.after.state, done.after.hand_id) == (TABLE_STATE_OPEN, decision.hand_id)
            standing = await backend.decision(table_id)
            assert standing.action_sequence == decision.action_sequence
            assert standing.legal_actions == decision.legal_actions
        await played(backend, table_id)


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_hand_that_does_not_fold_can_be_voided_alone(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, restarted: bool
) -> None:
    """Found out while it is played, or as the server starts; other tables are not concerned."""
    async with kept.served() as (app, backend):
        table_id = await raised(backend)
        other = await backend.open_table("dora", "egon")
        stacks = {seat.player_id: seat.stack for seat in (await backend.get_table(table_id)).seats}
        unfoldable(monkeypatch)
        if not restarted:
            await halt(app, backend, table_id)
            await must_be_void_alone(backend, table_id, stacks)
            await played(backend, other)
    if restarted:
        async with kept.served() as (app, backend):
            assert actor_of(app, table_id).halted
            await must_be_void_alone(backend, table_id, stacks)
            await played(backend, other)
    async with kept.served() as (_, backend):
        await resolved(backend, table_id, RESUME)
        await played(backend, table_id)
    monkeypatch.undo()


async def must_be_void_alone(backend: Backend, table_id: str, stacks: dict[str, int]) -> None:
    assert (await backend.get_table(table_id)).state == TABLE_STATE_HALTED
    assert await refusal(backend.try_resolve_table(table_id, RESUME, WHY)) == "TABLE_NOT_FOLDED"
    void = await backend.try_resolve_table(table_id, VOID, WHY)
    resume = backend.resolve_table(table_id, RESUME, WHY, void.token)
    assert await refusal(resume) == "TABLE_NOT_FOLDED"
    done = await resolved(backend, table_id, VOID)
    stood = chips(done.before.seats)
    assert {name: stack for name, (stack, _) in stood.items()} == stacks
    assert max(put_in for _, put_in in stood.values()) == 20
    assert chips(done.after.seats) == {name: (sum(stood[name]), 0) for name in PLAYERS}


@pytest.mark.parametrize("outcome", [VOID, RESUME])
async def test_a_request_made_twice_has_one_effect_and_one_answer(
    kept: Kept, outcome: ResolveOutcome.ValueType
) -> None:
    """Also after the table has moved on, and after a restart, when its token is long stale."""
    async with kept.served() as (app, backend):
        table_id = await raised(backend)
        await halt(app, backend, table_id)
        token = (await backend.try_resolve_table(table_id, outcome, WHY)).token
        first = await backend.resolve_table(table_id, outcome, WHY, token, request_id="once")
        if outcome == VOID:
            await backend.resume_table(table_id)
        await played(backend, table_id)
        again = await backend.resolve_table(table_id, outcome, WHY, token, request_id="once")
        assert again == first
        changed = backend.resolve_table(table_id, outcome, "another reason", token, request_id="once")
        assert await refusal(changed) == "REQUEST_ID_REUSED"
    async with kept.served() as (_, backend):
        again = await backend.resolve_table(table_id, outcome, WHY, token, request_id="once")
        assert again == first
        assert len([one async for one in backend.list_operations()]) == 1


async def test_a_kill_between_dry_run_and_call_needs_another_dry_run(kept: Kept) -> None:
    """And a kill after the call takes nothing of it back."""
    server = kept.process()
    try:
        server.start()
        async with Backend(server.target, retry=ONCE) as backend:
            table_id = await raised(backend)
            await backend.pause_table(table_id)
            dry = await backend.try_resolve_table(table_id, VOID, WHY)
        server.kill()
        server.start()
        async with Backend(server.target, retry=ONCE) as backend:
            before = await state_of(backend, table_id)
            late = backend.resolve_table(table_id, VOID, WHY, dry.token)
            assert await refusal(late) == "RESOLUTION_STALE"
            assert await state_of(backend, table_id) == before
            done = await resolved(backend, table_id, VOID)
        server.kill()
        server.start()
        async with Backend(server.target, retry=ONCE) as backend:
            table = await backend.get_table(table_id)
            assert table.sequence == done.sequence
            assert {seat.player_id: (seat.stack, 0) for seat in table.seats} == chips(done.after.seats)
            (logged,) = [one async for one in backend.list_operations()]
            assert (logged.before.table, logged.after.table) == (done.before, done.after)
        assert server.stop() == 0
    finally:
        server.kill()
