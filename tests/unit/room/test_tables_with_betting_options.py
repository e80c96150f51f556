"""Whole tables under betting options: what the service does for players who make no decision."""

from __future__ import annotations

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.support.seated import PLAYERS, next_hand, refused, table_of

from croupier.engine import events as ev
from croupier.engine.actions import ALL_IN, CALL, CHECK, FOLD, BetTo
from croupier.engine.rules import AllInRule, Structure

FIVE_ACES = {
    "structure": Structure.SPREAD_LIMIT,
    "small_bet": 1,
    "big_bet": 50,
    "small_blind": 0,
    "big_blind": 0,
    "bring_in": False,
    "wait_near_button": False,
    "opening_checks": False,
}
"""But for the game."""


@pytest.mark.parametrize("rule", [AllInRule.ALL_IN_OR_FOLD, AllInRule.ALL_IN_OR_ALL_IN])
def test_a_time_out_and_a_dismissal_fold_under_all_in_rules(rule: AllInRule) -> None:
    """R-T19, R-T15, R-T11."""

    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await table_of(runtime, *PLAYERS, all_in_rule=rule)
        late = await table.time_out()
        dismissed = table.decision
        await table.dismiss(dismissed.player_id)
        assert [(event.seat, event.cause) for event in table.heard(ev.Folded)] == [
            (late.seat, ev.Cause.TIME_OUT),
            (dismissed.seat, ev.Cause.DISMISSED),
        ]
        assert len(table.heard(ev.HandEnded)) == 1

    scenario()


@simulated()
async def test_a_table_of_all_in_or_all_in_refuses_everything_else(runtime: SimulatedRuntime) -> None:
    """R-T19."""
    table = await table_of(runtime, "anna", "bert", all_in_rule=AllInRule.ALL_IN_OR_ALL_IN)
    for action, reason in ((FOLD, "FOLD_NOT_ALLOWED"), (CALL, "CALL_NOT_ALLOWED")):
        assert (await refused(table.act(action))).reason == reason
    assert (await refused(table.act(CHECK))).reason == "CHECK_NOT_ALLOWED"
    await table.act(ALL_IN)
    await table.act(ALL_IN)
    assert len(table.heard(ev.HandEnded)) == 1


@simulated()
async def test_hands_without_chips_count_and_are_followed_by_others(runtime: SimulatedRuntime) -> None:
    """R-B10, R-T15: everybody's time runs out, nobody has bet; nothing is paid, the next hand begins."""
    table = await table_of(runtime, *PLAYERS, time_outs_to_sit_out=100, **FIVE_ACES)
    await table.time_out()
    await table.time_out()
    (ended,) = table.heard(ev.HandEnded)
    assert (ended.stacks, ended.net, ended.rake) == ((100, 100, 100), (0, 0, 0), 0)
    assert table.heard(ev.PotAwarded) == []
    assert {event.cause for event in table.heard(ev.Folded)} == {ev.Cause.TIME_OUT}
    await table.restart()
    assert (await next_hand(table)).hand_number == 2
    await table.act(BetTo(50))
    await table.act(FOLD)
    await table.act(FOLD)
    assert table.heard(ev.HandEnded)[-1].net == (0, 0, 0)
