"""The evaluator: cycles a hand in C, and from Python beside every other library that ranks hands.

The figures in cycles come from native/bench, built here; the clock rate is measured in the same run. A figure in
nanoseconds is the least of many runs in turns with the peers', over the same random hands of seven cards, made ready
beforehand in the form that each library likes best.
"""

from __future__ import annotations

import importlib
import math
import random
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench.rows import Row, row

from croupier import handrank

ROOT = Path(__file__).parents[2]
GOALS = {
    "eval_one_c_cycles": 11.8,
    "eval_masks_avx512_cycles": 3.3,
    "eval_masks_avx2_cycles": 6.6,
    "eval_rows_avx512_cycles": 5.2,
    "eval_all_hands_cycles": 3.2,
    "eval_plo4_cycles": 46.0,
    "eval_o8_cycles": 67.0,
}
"""At most so many cycles a hand."""
BESIDE = (
    "eval_one_mask_c_cycles",
    "eval_masks_portable_cycles",
    "eval_rows_portable_cycles",
    "eval_rows_avx2_cycles",
    "eval_columns_avx512_cycles",
    "eval_plo5_cycles",
    "eval_plo6_cycles",
)
"""Without a goal."""
PROCESSES = 4
"""Pages lie better in one process's memory than in another's."""
RUNS = PROCESSES * 320
HANDS = 16_384
TURNS = 12
SLOW_HANDS = 500
RANKS, SUITS = "23456789TJQKA", "cdhs"


def eval_c() -> list[Row]:
    """Cycles a hand of every figure that this processor can run."""
    figures = _measured_in_c()
    clock = f"{figures['clock_ghz']:.2f} GHz by a chain of adds, random hands, best of {PROCESSES} processes"
    rows = []
    for name in (*GOALS, *BESIDE):
        if name in figures:
            goal = GOALS.get(name, 0.0)
            told = f"at most {goal}" if goal else "itself"
            ratio = goal / figures[name] if goal else 1.0
            rows.append(
                row(
                    name,
                    figures[name],
                    "cycles",
                    against=told,
                    ratio=ratio,
                    goal=float(goal > 0),
                    runs=RUNS,
                    conditions=clock,
                )
            )
    return rows


def eval_python() -> list[Row]:
    """One hand a call, and a batch, beside the peers; the least of the turns of each."""
    hands = _hands()
    ours, peers = _callers(hands)
    least = {name: float("inf") for name in (*ours, *peers)}
    for _ in range(TURNS):
        for name, call in (*ours.items(), *peers.items()):
            least[name] = min(least[name], call())
    singles = {name: least[name] for name in peers if name != "poker-equity"}
    fastest = min(singles, key=singles.__getitem__)
    told = ", ".join(f"{name} {value:,.0f}" for name, value in least.items() if name in peers)
    one, batch = least["one"], least["batch"]
    conditions = (
        f"{handrank.implementation()}, {HANDS:,} random hands of seven; ns a hand of the peers: {told}"
    )

    def against(name: str, value: float, peer: str, goal: float) -> Row:
        ratio = least[peer] / value
        return row(name, value, "ns", against=peer, ratio=ratio, goal=goal, runs=TURNS, conditions=conditions)

    return [
        against("eval_python_one_vs_pkrbot", one, "pkrbot", 1.3),
        against("eval_python_one_vs_fastest_peer", one, fastest, 1.0),
        against("eval_python_batch_vs_best_peer_batch", batch, "poker-equity", 250.0),
        against("eval_python_batch_vs_pkrbot_loop", batch, "pkrbot", 90.0),
    ]


BENCHES = {"eval_c": eval_c, "eval_python": eval_python}


def _measured_in_c() -> dict[str, float]:
    sys.path.insert(0, str(ROOT / "native"))
    try:
        build = importlib.import_module("build_native")
    finally:
        sys.path.pop(0)
    evaluator = [*sorted((build.NATIVE / "src").glob("*.c")), build.make_tables()]
    sources = [build.NATIVE / "bench" / "evaluator_bench.c", *evaluator]
    program = build.compile_program(
        build.BUILD / "evaluator_bench", sources, ("-O3", "-fPIC", "-fvisibility=hidden")
    )
    figures: dict[str, float] = {}
    for _ in range(PROCESSES):
        report = subprocess.run([str(program)], stdout=subprocess.PIPE, text=True, check=True).stdout
        for name, value in (line.split() for line in report.splitlines()):
            figures[name] = min(figures.get(name, math.inf), float(value))
    return figures


def _hands() -> list[list[int]]:
    dice = random.Random(52)
    return [dice.sample(range(52), 7) for _ in range(HANDS)]


def _callers(
    hands: list[list[int]],
) -> tuple[dict[str, Callable[[], float]], dict[str, Callable[[], float]]]:
    """For each library what tells the nanoseconds a hand of one turn."""
    import eval7
    import phevaluator
    import pkrbot
    import poker_equity
    import treys

    texts = [[RANKS[card // 4] + SUITS[card % 4] for card in hand] for hand in hands]
    joined = ["".join(text) for text in texts]
    few = [[treys.Card.new(card) for card in text] for text in texts[:SLOW_HANDS]]
    pairs = [(hand[:2], hand[2:]) for hand in few]
    rows, ranks = bytes(card for hand in hands for card in hand), array("H", bytes(2 * len(hands)))
    evaluator = treys.Evaluator()

    def batch() -> float:
        """As short as it is, its least of a few is taken, so that it finds its buffers in the cache as a loop does."""
        return min(_nanoseconds(lambda: handrank.rank_rows(rows, out=ranks), len(hands)) for _ in range(10))

    def equity_batch() -> float:
        return _nanoseconds(lambda: poker_equity.score_batch("high", joined), len(hands))

    ours = {"one": _each(handrank.rank, [bytes(hand) for hand in hands]), "batch": batch}
    peers = {
        "pkrbot": _each(pkrbot.evaluate, [[pkrbot.Card(card) for card in text] for text in texts]),
        "eval7": _each(eval7.evaluate, [[eval7.Card(card) for card in text] for text in texts]),
        "phevaluator": _each_spread(phevaluator.evaluate_cards, hands),
        "treys": _each_spread(evaluator.evaluate, pairs),
        "poker-equity": equity_batch,
    }
    return ours, peers


def _nanoseconds(work: Callable[[], object], hand_count: int) -> float:
    started = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - started) / hand_count


def _each(ranked: Callable[[Any], object], hands: list[Any]) -> Callable[[], float]:
    def work() -> None:
        for hand in hands:
            ranked(hand)

    return lambda: _nanoseconds(work, len(hands))


def _each_spread(ranked: Callable[..., object], hands: list[Any]) -> Callable[[], float]:
    """For a function that takes what makes a hand one by one."""

    def work() -> None:
        for hand in hands:
            ranked(*hand)

    return lambda: _nanoseconds(work, len(hands))
