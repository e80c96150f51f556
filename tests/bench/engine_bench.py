"""How fast the hand engine is beside pokerkit: python -m tests.bench.engine_bench

Workload nl6: six players, no-limit hold'em 1/2, 200 chips each at the start of every hand, the button moving one
seat a hand; flo8: the same in fixed-limit Omaha Hi-Lo with bets of 2 and 4. One draw r an action: r < 0.2 folds
(checks where that is free), r < 0.8 checks or calls, else raises to the minimum (calls where no raise is legal).
Full hands to the last pot, about 24 actions each, with every event, every rule, the invariants and the real
evaluator. Counted in hands per CPU-second of this process: a warm-up, then the median of five runs, both engines
in turn in the same process.
"""

from __future__ import annotations

import json
import random
import statistics
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, Final, NamedTuple

import pokerkit

from croupier.adapters.games import GAMES
from croupier.engine.actions import CALL, CHECK, FOLD, Action, BetTo, LegalActions, RaiseTo
from croupier.engine.betting import legal_actions
from croupier.engine.events import HandStarted, Post, PostKind
from croupier.engine.hand import NOBODY
from croupier.engine.play import act, start_hand
from croupier.engine.rejection import Rejected
from croupier.engine.rules import HandRules, Structure
from croupier.handrank import implementation

PLAYERS: Final = 6
STACK: Final = 200
RUNS: Final = 5
_AUTOMATIONS: Final = tuple(
    automation
    for automation in pokerkit.Automation
    if automation is not pokerkit.Automation.RUNOUT_COUNT_SELECTION
)


class Workload(NamedTuple):
    """A game, played by the engine and by pokerkit; `goal` is the ratio asked for."""

    name: str
    rules: HandRules
    peer: Callable[[], pokerkit.State]
    goal: float


def _nl6() -> pokerkit.State:
    return pokerkit.NoLimitTexasHoldem.create_state(
        _AUTOMATIONS, True, 0, (1, 2), 2, (STACK,) * PLAYERS, PLAYERS
    )


def _flo8() -> pokerkit.State:
    return pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter.create_state(
        _AUTOMATIONS, True, 0, (1, 2), 2, 4, (STACK,) * PLAYERS, PLAYERS
    )


NL6: Final = Workload("nl6", HandRules(GAMES["holdem"], Structure.NO_LIMIT, 2, 4), _nl6, 25.0)
FLO8: Final = Workload("flo8", HandRules(GAMES["omaha_hi_lo"], Structure.FIXED_LIMIT, 2, 4), _flo8, 100.0)


def play_engine(workload: Workload, hands: int, dice: random.Random) -> int:
    """Actions taken in so many hands of the engine."""
    rules = workload.rules
    deck = list(range(52))
    actions = 0
    for number in range(hands):
        button = number % PLAYERS + 1
        seats = tuple([(button + place) % PLAYERS + 1 for place in range(PLAYERS)])
        small, big = seats[0], seats[1]
        started = HandStarted(number, button, small, big, big, 2, seats, (STACK,) * PLAYERS)
        posts = (Post(small, PostKind.SMALL_BLIND, 1), Post(big, PostKind.BIG_BLIND, 2))
        dice.shuffle(deck)
        hand, _ = start_hand(rules, started, posts, bytes(deck))
        while hand.actor != NOBODY:
            result = act(hand, _choose(legal_actions(hand), dice.random()))
            if isinstance(result, Rejected):
                raise SystemExit(f"the policy chose what is not legal: {result}")
            actions += 1
    return actions


def _choose(legal: LegalActions, draw: float) -> Action:
    if draw < 0.2:
        return FOLD if legal.call_amount else CHECK
    if draw >= 0.8:
        if legal.min_raise_to:
            return RaiseTo(legal.min_raise_to)
        if legal.min_bet_to:
            return BetTo(legal.min_bet_to)
    return CALL if legal.call_amount else CHECK


def play_pokerkit(workload: Workload, hands: int, dice: random.Random) -> int:
    """Actions taken in so many hands of pokerkit; every hand's seats stand for the moved button's."""
    actions = 0
    for _ in range(hands):
        state = workload.peer()
        while state.status:
            draw = dice.random()
            if draw < 0.2 and state.checking_or_calling_amount and state.can_fold():
                state.fold()
            elif draw >= 0.8 and state.can_complete_bet_or_raise_to():
                state.complete_bet_or_raise_to(state.min_completion_betting_or_raising_to_amount)
            else:
                state.check_or_call()
            actions += 1
    return actions


Play = Callable[[Workload, int, random.Random], int]


def _rate(play: Play, workload: Workload, hands: int, seed: int) -> tuple[float, float]:
    """Hands per CPU-second, and actions a hand."""
    dice = random.Random(seed)
    begun = time.process_time()
    actions = play(workload, hands, dice)
    return hands / (time.process_time() - begun), actions / hands


def run(workload: Workload, seconds: float = 20.0) -> list[dict[str, Any]]:
    """The figures, in about so many CPU-seconds: name, value, unit, against, ratio, goal, runs and conditions."""
    each = seconds / (2 * RUNS + 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        engine_hands = max(50, int(_rate(play_engine, workload, 400, 0)[0] * each))
        pokerkit_hands = max(5, int(_rate(play_pokerkit, workload, 20, 0)[0] * each))
        ours: list[tuple[float, float]] = []
        theirs: list[tuple[float, float]] = []
        for seed in range(1, RUNS + 1):
            ours.append(_rate(play_engine, workload, engine_hands, seed))
            theirs.append(_rate(play_pokerkit, workload, pokerkit_hands, seed))
    value = statistics.median(rate for rate, _ in ours)
    against = statistics.median(rate for rate, _ in theirs)
    return [
        {
            "name": f"engine_{workload.name}_vs_pokerkit",
            "value": round(value, 1),
            "unit": "hands per CPU-second",
            "against": round(against, 1),
            "ratio": round(value / against, 1),
            "goal": workload.goal,
            "runs": [round(rate, 1) for rate, _ in ours],
            "conditions": {
                "workload": workload.name,
                "peer": f"pokerkit {version('pokerkit')}",
                "peer_runs": [round(rate, 1) for rate, _ in theirs],
                "hands_a_run": engine_hands,
                "peer_hands_a_run": pokerkit_hands,
                "actions_a_hand": round(statistics.mean(actions for _, actions in ours), 1),
                "peer_actions_a_hand": round(statistics.mean(actions for _, actions in theirs), 1),
                "evaluator": implementation(),
            },
        }
    ]


BENCHES: Final[dict[str, Callable[[], list[dict[str, Any]]]]] = {
    "engine_nl6_vs_pokerkit": lambda: run(NL6),
    "engine_flo8_vs_pokerkit": lambda: run(FLO8),
}


if __name__ == "__main__":
    for bench in BENCHES.values():
        print(json.dumps(bench(), indent=2))
