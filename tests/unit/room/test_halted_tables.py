"""Halted tables resolved by an operator: they go on where their journal stands, or their hand is voided."""

from __future__ import annotations

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import WEALTH
from tests.support.stopped import (
    EVEN,
    PLAYERS,
    WHY,
    halt,
    must_stand_as,
    refused,
    resolve,
    seated,
    tried,
    unfoldable,
)

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.actions import CHECK, RaiseTo
from croupier.room.failures import TableHalted
from croupier.room.operations import OperationQuery
from croupier.room.resolving import Resolution


@simulated()
async def test_a_halted_table_goes_on_where_its_journal_stands(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    await table.act(RaiseTo(20))
    decision = table.decision
    await halt(table)
    answer = await resolve(table, void=False)
    assert (answer.before.state, answer.after.state) == ("HALTED", "OPEN")
    assert (table.decision.player_id, table.decision.legal) == (decision.player_id, decision.legal)
    await table.check_down()
    (logged,) = await table.store.operations(OperationQuery(9))
    assert (logged.operation.reason, logged.operation.method) == (WHY, "ResolveTable")
    subscription = table.actor.subscribe("")
    assert not subscription.ended


@simulated()
async def test_a_halted_tables_hand_is_voided_and_the_table_paused(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    await table.act(RaiseTo(20))
    await halt(table)
    answer = await resolve(table, void=True)
    assert (answer.before.state, answer.after.state) == ("HALTED", "PAUSED")
    assert not table.actor.halted
    await must_stand_as(table, EVEN)
    await table.change_state(cmd.ResumeTable())
    assert table.decision.hand_number == 2
    await table.check_down()


@simulated()
async def test_a_void_that_does_not_become_durable_leaves_the_table_halted(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    await halt(table)
    token = (await tried(table, void=True)).token
    table.store.fail_next()
    with pytest.raises(Exception, match="disk full"):
        await resolve(table, void=True, token=token)
    await runtime.idle()
    assert table.actor.halted
    assert table.actor.table.hand is not None
    assert await table.store.operations(OperationQuery(9)) == []
    await resolve(table, void=True)
    await must_stand_as(table, EVEN)


@pytest.mark.parametrize("restarted", [False, True])
def test_a_hand_that_does_not_fold_can_be_voided_alone(
    monkeypatch: pytest.MonkeyPatch, restarted: bool
) -> None:
    """Halted while it runs or as the service starts: other tables are not concerned."""

    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime)
        await table.act(RaiseTo(20))
        unfoldable(monkeypatch)
        if restarted:
            await table.restart()
        else:
            await halt(table)
        assert table.actor.halted
        assert table.actor.recovery.wrong
        assert await refused(table, void=False) == "TABLE_NOT_FOLDED"
        with pytest.raises(TableHalted):
            await table.dismiss(PLAYERS[0])
        before = (await tried(table, void=True)).before
        assert sorted(seat.contribution for seat in before.seats) == [1, 2, 20]
        await resolve(table, void=True)
        await must_stand_as(table, EVEN)
        await table.restart()
        assert not table.actor.halted
        await table.change_state(cmd.ResumeTable())
        await table.check_down()

    scenario()


@simulated()
async def test_a_closing_tables_voided_hand_ends_it(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    await table.act(RaiseTo(20))
    await table.close()
    await halt(table)
    await resolve(table, void=True)
    await table.sleep(1)
    assert table.actor.table.carried.state is tev.TableState.CLOSED
    assert [await table.wallet_of(player_id) for player_id in PLAYERS] == [WEALTH] * 3


@simulated()
async def test_a_repeated_request_gets_the_first_answer_also_after_a_restart(
    runtime: SimulatedRuntime,
) -> None:
    table = await seated(runtime)
    await table.act(RaiseTo(20))
    await halt(table)
    wanted = Resolution(table.table_id, False, WHY)
    key, token = table.key("ResolveTable"), (await tried(table, void=False)).token
    first = await table.room.resolving.resolve(key, wanted, token)
    assert await table.room.resolving.resolve(key, wanted, token) == first
    await table.restart()
    assert await table.room.resolving.resolve(key, wanted, token) == first
    assert len(await table.store.operations(OperationQuery(9))) == 1


@simulated()
async def test_a_check_is_the_first_thing_after_a_resume_of_a_table_halted_in_mid_street(
    runtime: SimulatedRuntime,
) -> None:
    """R-T15: whoever must act has the whole time again."""
    table = await seated(runtime)
    for _ in PLAYERS:
        await table.check_or_call()
    await table.sleep(7)
    await halt(table)
    await table.sleep(3600)
    await resolve(table, void=False)
    assert table.seconds_left() == table.actor.table.rules.action_time_ms / 1000
    await table.act(CHECK)
