"""Whatever is drawn, folded or left to time out, a draw table's journal leads to the state that it lives in."""

from __future__ import annotations

from random import Random

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.draw_tables import discard, open_draw_table
from tests.support.whole_fold import folded_from_all, table_state

from croupier.adapters.games import GAMES
from croupier.engine import actions
from croupier.engine import events as ev
from croupier.room.folding import fold
from croupier.room.seal import Seal

GAME = GAMES["five_card_draw"]
PLAYERS = tuple(f"player {number}" for number in range(9))


async def step(table: SimulatedTable, random: Random) -> None:
    """One decision, mostly such that many come to the draw."""
    legal, luck = table.decision.legal, random.random()
    if luck < 0.05:
        await table.time_out()
    elif legal.can_draw:
        await discard(table, random.choice((0, 1, 2, 3, 3, 3)))
    elif luck < 0.1:
        await table.act(actions.FOLD)
    elif legal.call_amount:
        await table.act(actions.CALL)
    else:
        await table.act(actions.BetTo(random.choice((legal.min_bet_to, legal.max_bet_to))))


async def must_fold_to_what_lives(table: SimulatedTable) -> None:
    seal = Seal(bytes(32))
    journal = await table.store.recover(table.table_id)
    assert journal is not None
    lives = table_state(table.actor.table)
    assert table_state(fold(journal, GAME, seal).table) == lives
    records = await table.store.records(table.table_id, 0, 1_000_000)
    assert table_state(folded_from_all(records, GAME, seal)) == lives


@pytest.mark.parametrize("seed", range(6))
def test_the_journal_leads_to_the_state_that_lives(seed: int) -> None:
    """R-H8: reshuffled stubs included, also across a restart."""
    reshuffled = 0

    async def scenario(runtime: SimulatedRuntime) -> None:
        nonlocal reshuffled
        table = await open_draw_table(runtime, *PLAYERS)
        random = Random(seed)
        for number in range(80):
            if table.actor.decision() is None:
                break
            await step(table, random)
            await must_fold_to_what_lives(table)
            if number % 20 == 19:
                await table.restart()
                await must_fold_to_what_lives(table)
        reshuffled = len(table.heard(ev.StubReshuffled))

    simulated(seed)(scenario)()
    assert reshuffled
