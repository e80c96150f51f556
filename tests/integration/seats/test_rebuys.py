"""More chips: up to the maximum, after the hand, never beyond what the wallet and the table allow (R-T12)."""

from __future__ import annotations

from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import CURRENCY, WEALTH, SimulatedTable
from tests.support.seated import PLAYERS, fold_out, next_hand, refused, seat_in, seat_of, table_of

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.actions import ALL_IN, FOLD


@simulated()
async def test_between_hands_a_rebuy_is_on_the_table_at_once(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, "anna")
    seat = seat_in(await table.rebuy("anna", 50))
    assert (seat.stack, seat.queued_rebuy) == (150, 0)
    assert await table.wallet_of("anna") == WEALTH - 150


@simulated()
async def test_during_a_hand_a_rebuy_waits_and_does_not_play(runtime: SimulatedRuntime) -> None:
    """Table stakes: what is asked for in the hand is not in play before the next."""
    table = await table_of(runtime, *PLAYERS)
    actor = table.decision
    seat = seat_in(await table.rebuy(actor.player_id, 50))
    assert (seat.stack, seat.queued_rebuy) == (100, 50)
    assert table.decision.legal.all_in_to == 100
    assert await table.wallet_of(actor.player_id) == WEALTH - 150, "the chips have left the wallet"
    await table.act(FOLD)
    assert seat_of(table, actor.player_id).stack == 100, "nor after folding, while the hand goes on"
    await fold_out(table)
    (applied,) = table.heard(tev.RebuyApplied)
    assert (applied.amount, applied.returned) == (50, 0)
    assert seat_of(table, actor.player_id).stack == 150


@simulated()
async def test_rebuys_of_one_hand_add_up(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS)
    await table.rebuy("anna", 30)
    seat = seat_in(await table.rebuy("anna", 40))
    assert seat.queued_rebuy == 70
    refusal = await refused(table.rebuy("anna", 200))
    assert refusal.reason == "REBUY_NOT_LEGAL"
    stack = seat_of(table, "anna").stack
    assert refusal.facts == {"max_rebuy": 200 - stack - 70}


@simulated()
async def test_a_rebuy_may_not_lift_the_stack_over_the_maximum(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, "anna")
    refusal = await refused(table.rebuy("anna", 101))
    assert (refusal.reason, refusal.facts) == ("REBUY_NOT_LEGAL", {"max_rebuy": 100})
    assert seat_in(await table.rebuy("anna", 100)).stack == 200
    assert (await refused(table.rebuy("anna", 1))).facts == {"max_rebuy": 0}


@simulated()
async def test_a_rebuy_takes_a_wallet_that_covers_the_least_buy_in(runtime: SimulatedRuntime) -> None:
    table = await SimulatedTable.open(runtime)
    await table.fund("anna", 119)
    await table.reserve("anna", 1)
    await table.buy_in("anna", 100)
    refusal = await refused(table.rebuy("anna", 5))
    assert refusal.reason == "INSUFFICIENT_FUNDS"
    assert (refusal.facts["available"], refusal.facts["required"]) == (19, 20)
    assert await table.wallet_of("anna") == 19


@simulated(seed=5)
async def test_what_does_not_fit_when_it_is_applied_returns_to_the_wallet(runtime: SimulatedRuntime) -> None:
    """The winner of an all-in has more than the maximum before the rebuy comes to it."""
    table = await table_of(runtime, "anna", "bert", pause_ms=60_000)
    for player in ("anna", "bert"):
        await table.rebuy(player, 60)
    while not table.heard(ev.HandEnded):
        await table.act(ALL_IN)
    await table.sleep(1)
    (ended,) = table.heard(ev.HandEnded)
    for applied in table.heard(tev.RebuyApplied):
        won = ended.stacks[ended.seats.index(applied.seat)]
        fits = min(60, max(0, 200 - won))
        assert (applied.amount, applied.returned) == (fits, 60 - fits)
        assert seat_of(table, applied.player_id).stack == won + fits
        assert await table.wallet_of(applied.player_id) == WEALTH - 160 + 60 - fits
    assert [applied.returned for applied in table.heard(tev.RebuyApplied)].count(0) == 1, "one of them won"
    assert not table.heard(tev.PlayerLeft), "and the other keeps the seat"
    assert await table.store.imbalance() == {CURRENCY: 0}


@simulated()
async def test_whoever_leaves_takes_a_waiting_rebuy_along(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS)
    await table.rebuy("anna", 50)
    await table.cash_out("anna")
    assert (await refused(table.rebuy("anna", 1))).reason == "PLAYER_LEAVING"
    await next_hand(table)
    await table.sleep(0.1)
    (ended, *_) = table.heard(ev.HandEnded)
    lost = 100 - ended.stacks[ended.seats.index(1)]
    assert await table.wallet_of("anna") == WEALTH - lost


@simulated()
async def test_a_rebuy_is_known_in_the_ledger_by_its_name(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, "anna")
    await table.rebuy("anna", 50)
    entries = await table.store.entries(player_id="anna", limit=100)
    kinds = [entry.kind for entry in entries if entry.account.startswith("stack/")]
    assert kinds == ["buy_in", "rebuy"]
