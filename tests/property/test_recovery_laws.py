"""Whatever has happened at a table, its journal leads to the state that it lives in, and its ledger adds up (R-K6)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fakes.simulated_runtime import SimulatedLoop, SimulatedRuntime
from tests.fakes.simulated_table import CURRENCY, SimulatedTable
from tests.support.draw_tables import discard, five_aces
from tests.support.whole_fold import folded_from_all, table_state

from croupier.adapters.games import GAMES
from croupier.engine import actions
from croupier.engine import commands as cmd
from croupier.engine.actions import Action, LegalActions
from croupier.engine.rules import AllInRule, Structure
from croupier.engine.table_events import AdvanceAction, AdvanceKind, Preferences, TableState
from croupier.room.failures import Refusal, StoreAway
from croupier.room.folding import fold
from croupier.room.seal import Seal

PLAYERS = ("anna", "bert", "cleo", "dora", "emil")
SELDOM = ("cash_out", "dismiss", "sit_out", "reserve", "release", "pause", "resume", "fail", "restart")
KINDS = [*SELDOM, *["act"] * 12, *["sit", "say"] * 4, *["rebuy", "sit_in", "wait", "queue"] * 2]
KINDS += ["unqueue", "prefer", "show"]
HOUSES: tuple[dict[str, Any], ...] = (
    {"seat_count": 6},
    {
        "seat_count": 3,
        "newcomers_may_wait": True,
        "wait_near_button": False,
        "banking_window_ms": 60_000,
        "max_buy_in": 100,
        "losing_hands_mucked": True,
        "show_window_ms": 5000,
    },
    {"game": "omaha_hi_lo", "structure": Structure.POT_LIMIT, "losing_hands_mucked": True},
    {"game": "six_card_omaha", "structure": Structure.FIXED_LIMIT, "big_bet": 4},
    {"all_in_rule": AllInRule.ALL_IN_OR_FOLD, "seat_count": 4},
    five_aces(),
    {**five_aces(3), "opening_checks": True, "most_drawn": 5},
)
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 999)), min_size=60, max_size=150)

Call = Coroutine[Any, Any, object]


def chosen(legal: LegalActions, number: int) -> Action:
    """One of the legal actions; mostly such that a hand goes on."""
    free = actions.CALL if legal.call_amount else actions.CHECK if legal.can_check else actions.FOLD
    least, most = legal.min_bet_to or legal.min_raise_to, legal.max_bet_to or legal.max_raise_to
    choices: list[Action] = [free, free, free, actions.FOLD]
    if least:
        to = least + number % (most - least + 1)
        choices.append(actions.BetTo(to) if legal.min_bet_to else actions.RaiseTo(to))
    if legal.all_in_to:
        choices.append(actions.ALL_IN)
    return choices[number % len(choices)]


class Story:
    """Steps at one table, and the journal held against it."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table
        self._seal = Seal(bytes(32))
        seats = table.actor.table.rules.seat_count
        self._steps: dict[str, Callable[[str, int], Call]] = {
            "act": self._act,
            "sit": lambda player, number: self._sit(
                player, 1 + number % seats, 20 + number % 181, number % 2
            ),
            "reserve": lambda player, number: table.reserve(player, 1 + number % seats),
            "queue": lambda player, _: table.join_waiting_list(player),
            "unqueue": lambda player, _: table.leave_waiting_list(player),
            "rebuy": lambda player, number: table.rebuy(player, 1 + number % 200),
            "wait": lambda _, number: table.sleep((1, 8, 21, 70, 700)[number % 5]),
            "cash_out": lambda player, _: table.cash_out(player),
            "dismiss": lambda player, _: table.dismiss(player),
            "release": self._seat(lambda player, _: cmd.ReleaseSeat(player, table.runtime.now())),
            "sit_out": self._seat(lambda player, _: cmd.SitOut(player, table.runtime.now())),
            "sit_in": self._seat(lambda player, number: cmd.SitIn(player, bool(number % 2))),
            "pause": lambda _, __: table.change_state(cmd.PauseTable()),
            "resume": lambda _, __: table.change_state(cmd.ResumeTable()),
            "fail": self._fail,
            "say": self._say,
            "prefer": lambda player, number: table.prefer(
                player, Preferences(number % 2 == 0, number % 3 == 0)
            ),
            "show": lambda player, number: table.show(
                player, max(1, table.actor.table.carried.hand_number - number % 2)
            ),
            "restart": lambda _, __: table.restart(),
        }

    async def _sit(self, player: str, seat: int, amount: int, wait: int) -> None:
        may_wait = self.table.actor.table.rules.newcomers_may_wait
        await self.table.fund(player)
        held = [one.seat for one in self.table.actor.table.carried.waiting if one.player_id == player]
        with contextlib.suppress(Refusal):
            await self.table.reserve(player, max(held, default=0) or seat)
        await self.table.buy_in(player, amount, wait_for_big_blind=bool(wait) and may_wait)

    def _seat(self, command: Callable[[str, int], cmd.Command]) -> Callable[[str, int], Call]:
        return lambda player, number: self.table.change_seat(player, command(player, number))

    async def _say(self, player: str, number: int) -> None:
        """Something in advance that may come to be done, for the most part; or nothing."""
        kind = (*AdvanceKind, None)[number % 5]
        if kind is not AdvanceKind.CALL:
            await self.table.say(player, AdvanceAction(kind) if kind is not None else None)
        elif (hand := self.table.actor.table.hand) is not None:
            await self.table.say(player, AdvanceAction(kind, max(1, hand.price - number % 2)))

    async def _act(self, _: str, number: int) -> None:
        decision = self.table.actor.decision()
        if decision is None:
            return
        if decision.legal.can_draw:
            await discard(self.table, number % (decision.legal.max_discards + 1))
        else:
            await self.table.act(chosen(decision.legal, number))

    async def _fail(self, player: str, number: int) -> None:
        self.table.store.fail_next()
        await self._act(player, number)

    async def step(self, kind: str, number: int) -> None:
        with contextlib.suppress(Refusal, StoreAway):
            await self._steps[kind](PLAYERS[number % len(PLAYERS)], number)
        await self.table.sleep(1)

    async def check(self) -> None:
        """Fold the journal both ways; and count the chips."""
        actor, store = self.table.actor, self.table.store
        game = GAMES[actor.table.rules.game]
        journal = await store.recover(self.table.table_id)
        assert journal is not None
        lives = table_state(actor.table)
        folded = fold(journal, game, self._seal)
        assert table_state(folded.table) == lives
        assert folded.chain.sequence == actor.sequence
        assert folded.chain.journal_sequence == actor.next_record - 1
        assert folded.created_time == actor.created_time
        records = await store.records(self.table.table_id, 0, 1_000_000)
        assert table_state(folded_from_all(records, game, self._seal)) == lives
        assert records[-1].hash == folded.chain.hash
        assert await store.imbalance() == {CURRENCY: 0}
        stacks = await store.balances(f"stack/{self.table.table_id}/", CURRENCY)
        assert sum(chips for _, chips in stacks) == actor.table.chips_in_play()


@pytest.mark.timeout(300)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS, pause=st.sampled_from([0, None]), house=st.sampled_from(HOUSES))
def test_the_journal_leads_to_the_state_that_lives(
    steps: list[tuple[str, int]], pause: int | None, house: dict[str, Any]
) -> None:
    async def play() -> None:
        runtime = SimulatedRuntime(1)
        story = Story(await SimulatedTable.open(runtime, **{"hand_pause_ms": pause, **house}))
        for number, player in enumerate(PLAYERS[:3], start=1):
            await story.table.sit(player, number, 100)
        for step in steps:
            await story.step(*step)
            await story.check()
        story.table.store.fail_next("")
        await story.table.close()
        await story.check()
        await story.table.sleep(600)
        assert story.table.actor.table.carried.state is TableState.CLOSED
        await story.check()
        await runtime.stop()
        assert not runtime.failures

    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        runner.run(play())
