"""How long all boards of two Hold'em hands take, as a caller of the library sees it."""

from __future__ import annotations

from time import perf_counter
from typing import Final

from tests.bench.rows import Row, row

from croupier.cards import parse_cards
from croupier.handrank.equity import Question, calculate, game_named

RUNS: Final = 40
GOAL_MS: Final = 30.0
BOARDS: Final = 1_712_304
_HANDS: Final = [parse_cards("AsKs"), parse_cards("QdQc")]


def run() -> list[Row]:
    """The least of many short runs: what else the machine does adds to a run, and takes from none."""
    question = Question(game_named("holdem"), _HANDS)
    taken = []
    for _ in range(RUNS):
        started = perf_counter()
        found = calculate(question)
        taken.append(1000 * (perf_counter() - started))
        if (found.deals, found.exact) != (BOARDS, True):
            raise ValueError(f"{found.deals} boards were looked at, not {BOARDS}")
    least = min(taken)
    conditions = f"AsKs against QdQc, {BOARDS:,} boards one by one, one thread, least of {RUNS} runs"
    return [
        row(
            "equity_holdem_preflop_ms",
            least,
            "ms",
            against=f"{GOAL_MS:g} ms",
            ratio=GOAL_MS / least,
            goal=1.0,
            runs=RUNS,
            conditions=conditions,
        )
    ]
