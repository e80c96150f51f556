"""Players kept away by an operator or by themselves: from when, until when, and what becomes of the seats they have."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import pytest
from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.fakes.simulated_table import CURRENCY, WEALTH, SimulatedTable
from tests.support.stopped import PLAYERS, halt, resolve, seated

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.room.failures import Refusal
from croupier.room.operations import Block, BlockKind, OperationQuery

DAY = 86_400 * NS
WHY = "asked for it"


async def block(
    table: SimulatedTable, player_id: str, days: int = 0, kind: BlockKind = "SELF_EXCLUSION", house: str = ""
) -> None:
    """For so many days from now, or for good."""
    until = table.runtime.now() + days * DAY if days else 0
    wanted = Block(player_id, kind, house, until)
    await table.room.operating.block(table.key("BlockPlayer"), wanted, WHY)
    await table.runtime.idle()


async def unblock(table: SimulatedTable, player_id: str) -> None:
    await table.room.operating.unblock(table.key("UnblockPlayer"), player_id, "", WHY)


async def reason(call: Awaitable[object]) -> str:
    """What a call is refused for; empty where it is not."""
    try:
        await call
    except Refusal as refusal:
        return refusal.reason
    return ""


def left(table: SimulatedTable) -> list[tuple[str, str]]:
    return [(event.player_id, event.reason.name) for event in table.heard(tev.PlayerLeft)]


@simulated()
async def test_a_blocked_player_comes_to_no_table_and_keeps_the_wallet(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    await table.fund("zoe")
    await table.reserve("zoe", 5)
    await block(table, "zoe", days=1)
    assert await reason(table.reserve("zoe", 5)) == "PLAYER_BLOCKED"
    assert await reason(table.join_waiting_list("zoe")) == "PLAYER_BLOCKED"
    assert await reason(table.buy_in("zoe", 200)) in ("PLAYER_BLOCKED", "PLAYER_NOT_SEATED")
    withdrawn = await table.room.bank.withdraw(table.key("Withdraw"), "zoe", CURRENCY, WEALTH)
    assert withdrawn.available == 0


@simulated()
async def test_who_is_in_a_hand_checks_or_folds_it_and_is_cashed_out(runtime: SimulatedRuntime) -> None:
    """R-T11, as by Dismiss; nobody else at the table is concerned."""
    table = await seated(runtime)
    actor = table.decision.player_id
    await block(table, actor, days=1)
    assert [(event.cause, event.seat) for event in table.heard(ev.Folded)] == [
        (ev.Cause.DISMISSED, table.actor.table.seat_of(actor))
    ]
    assert await reason(table.rebuy(actor, 10)) == "PLAYER_BLOCKED"
    assert await table.wallet_of(actor) == WEALTH - 200, "the hand goes on, and the chips are in it"
    await table.check_down()
    await table.sleep(1)
    assert left(table) == [(actor, "REMOVED")]
    assert await table.wallet_of(actor) == WEALTH
    assert await table.store.imbalance() == {CURRENCY: 0}


@simulated()
async def test_seats_reserved_and_places_in_the_waiting_list_are_given_up(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime, "anna", "bert", "cleo", "dora", "egon", seat_count=6)
    await table.fund("fred")
    await table.reserve("fred", 6)
    await table.fund("gina")
    await table.join_waiting_list("gina")
    await block(table, "gina")
    await block(table, "fred")
    assert [event.reason for event in table.heard(tev.WaitingListLeft)] == [tev.WaitReason.REMOVED]
    assert left(table) == [("fred", "REMOVED")]


@simulated()
async def test_a_buy_in_under_way_comes_to_nothing_and_to_no_loss(runtime: SimulatedRuntime) -> None:
    """The wallet has reserved the chips, or is about to; it has them all again."""
    table = await seated(runtime)
    await table.fund("zoe")
    await table.reserve("zoe", 5)
    coming = runtime.begin(table.buy_in("zoe", 200))
    await block(table, "zoe")
    await table.sleep(5)
    assert await reason(coming) in ("", "PLAYER_NOT_SEATED", "PLAYER_BLOCKED")
    await table.check_down()
    await table.sleep(5)
    assert not table.actor.table.seat_of("zoe")
    assert await table.wallet_of("zoe") == WEALTH
    assert await table.store.imbalance() == {CURRENCY: 0}


@simulated()
async def test_a_self_exclusion_is_made_longer_and_never_shorter(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    await block(table, "zoe", days=30)
    for days in (1, 29):
        assert await reason(block(table, "zoe", days=days)) == "BLOCK_STANDS"
    assert await reason(unblock(table, "zoe")) == "BLOCK_STANDS"
    await block(table, "zoe", days=60)
    assert await reason(block(table, "zoe", days=59)) == "BLOCK_STANDS"
    await block(table, "zoe")
    assert await reason(block(table, "zoe", days=10_000)) == "BLOCK_STANDS"


@simulated()
async def test_an_operators_block_can_be_lifted_and_lifts_no_self_exclusion(
    runtime: SimulatedRuntime,
) -> None:
    table = await seated(runtime)
    await table.fund("zoe")
    assert await reason(unblock(table, "zoe")) == "PLAYER_NOT_BLOCKED"
    await block(table, "zoe", kind="OPERATOR")
    await block(table, "zoe", days=1)
    await unblock(table, "zoe")
    assert await reason(table.reserve("zoe", 5)) == "PLAYER_BLOCKED"
    await table.sleep(86_400)
    assert await reason(table.reserve("zoe", 5)) == ""


@simulated()
async def test_a_block_is_for_one_house_or_for_all(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    house = table.actor.table.rules.house_id
    await table.fund("zoe")
    await block(table, "zoe", house="poker_ocean")
    assert await reason(table.reserve("zoe", 5)) == ""
    await block(table, "zoe", house=house)
    assert left(table) == [("zoe", "REMOVED")]
    assert await reason(table.reserve("zoe", 5)) == "PLAYER_BLOCKED"


@simulated()
async def test_a_block_survives_restarts_and_ends_at_its_end(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    await table.fund("zoe")
    await block(table, "zoe", days=1)
    await block(table, "yves", kind="OPERATOR")
    await unblock(table, "yves")
    for _ in range(2):
        await table.restart()
        assert await reason(table.reserve("zoe", 5)) == "PLAYER_BLOCKED"
    assert await reason(unblock(table, "yves")) == "PLAYER_NOT_BLOCKED"
    await table.sleep(86_400)
    assert await reason(table.reserve("zoe", 5)) == ""


@simulated()
async def test_a_crash_between_block_and_removal_leaves_nobody_in_a_seat(runtime: SimulatedRuntime) -> None:
    """The block is durable, nothing else is: the next start sees the player off."""
    table = await seated(runtime)
    actor = table.decision.player_id
    blocking = runtime.begin(block(table, actor))
    while not await table.store.operations(OperationQuery(1)):
        await asyncio.sleep(0)
    del blocking
    await table.restart()
    await runtime.idle()
    await table.check_down()
    await table.sleep(1)
    assert await table.wallet_of(actor) == WEALTH
    assert not table.actor.table.seat_of(actor)


@simulated()
async def test_a_removal_that_is_lost_is_made_again(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    actor = table.decision.player_id
    wanted = Block(actor, "OPERATOR")
    await table.room.operating.block(table.key("BlockPlayer"), wanted, WHY)
    table.store.fail_next()
    await table.sleep(2)
    await table.check_down()
    await table.sleep(1)
    assert await table.wallet_of(actor) == WEALTH


@simulated()
async def test_a_halted_table_sees_the_player_off_once_it_goes_on(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    actor = table.decision.player_id
    await halt(table)
    await block(table, actor)
    assert table.actor.table.seats[table.actor.table.seat_of(actor)].leaving == ""
    await resolve(table, void=True)
    await table.sleep(1)
    assert await table.wallet_of(actor) == WEALTH


@simulated()
async def test_the_log_says_what_a_block_was_before_and_is(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    await block(table, "anna", days=1)
    await block(table, "anna", days=2)
    later, first = await table.store.operations(OperationQuery(9, player_id="anna"))
    assert first.operation.before.block is None
    assert first.operation.before.table_ids == (table.table_id,)
    assert later.operation.before.block == first.operation.after.block
    assert later.operation.reason == WHY


@simulated()
async def test_a_removed_player_may_come_back(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    actor = table.decision.player_id
    key = table.key("RemovePlayer")
    answer = await table.room.operating.remove(key, table.table_id, actor, WHY)
    assert (answer.leaving, answer.returned) == (True, 0)
    again = await reason(table.room.operating.remove(table.key("RemovePlayer"), table.table_id, actor, WHY))
    assert again == "PLAYER_LEAVING"
    await table.check_down()
    await table.sleep(1)
    assert await table.room.operating.remove(key, table.table_id, actor, WHY) == answer
    assert await reason(table.reserve(actor, 1 + PLAYERS.index(actor))) == ""


@pytest.mark.parametrize("amount", [-WEALTH, -1, 1, WEALTH])
def test_a_wallet_is_corrected_against_an_account_of_its_own(amount: int) -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime)
        await table.fund("zoe")
        key = table.key("AdjustBalance")
        answer = await table.room.bank.adjust(key, "zoe", CURRENCY, amount, WHY, offered=True)
        assert (answer.before, answer.after) == (WEALTH, WEALTH + amount)
        assert await table.room.bank.adjust(key, "zoe", CURRENCY, amount, WHY, offered=True) == answer
        assert await table.wallet_of("zoe") == WEALTH + amount
        assert await table.store.balance("adjustment/balance", CURRENCY) == -amount
        assert await table.store.imbalance() == {CURRENCY: 0}

    scenario()


@simulated()
async def test_a_correction_counts_with_what_the_wallet_holds_when_it_is_written(
    runtime: SimulatedRuntime,
) -> None:
    """A buy-in takes its chips while the correction is on its way: the log tells of the wallet as it then is."""
    table = await seated(runtime)
    await table.fund("zoe")
    await table.reserve("zoe", 5)
    coming = runtime.begin(table.buy_in("zoe", 200))
    while not any(one.kind == "reservation" for unit, _ in table.store._waiting for one in unit.entry_sets):
        await asyncio.sleep(0)
    table.store.hold()
    key = table.key("AdjustBalance")
    correcting = runtime.begin(table.room.bank.adjust(key, "zoe", CURRENCY, -5, WHY, offered=True))
    await runtime.idle()
    table.store.release()
    answer = await correcting
    await coming
    assert answer.before == WEALTH - 200
    (logged,) = await table.store.operations(OperationQuery(1))
    before, after = logged.operation.before.wallet, logged.operation.after.wallet
    assert before is not None
    assert after is not None
    assert (before.available, after.available) == (answer.before, answer.after)
    assert await table.wallet_of("zoe") == WEALTH - 200 - 5
    too_much = table.room.bank.adjust(
        table.key("AdjustBalance"), "zoe", CURRENCY, -(WEALTH - 204), WHY, offered=True
    )
    assert await reason(too_much) == "INSUFFICIENT_FUNDS"
