"""The thread that calculates equities: one caller at a time, and none who has gone."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time, thread_time
from typing import Any

import pytest

from croupier.adapters import calculator as module
from croupier.adapters.calculator import Busy, Calculator
from croupier.cards import parse_cards
from croupier.handrank.equity import Question, Stopped, calculate, game_named

HOLDEM = [parse_cards("AsKs"), parse_cards("QdQc")]
OMAHA = [parse_cards("AsAhKdQd2c2d"), parse_cards("TsTh9d8d7c6c")]
SHORT = Question(game_named("holdem"), HOLDEM, parse_cards("2c7d9h"))
LONG = Question(game_named("six_card_omaha"), [*OMAHA, b""], most_deals=10**9)
"""Would take minutes."""


@pytest.fixture
def calculator() -> Iterator[Calculator]:
    calculator = Calculator("test", 2)
    yield calculator
    calculator.close()


async def begun(calculator: Calculator) -> asyncio.Task[object]:
    task: asyncio.Task[object] = asyncio.create_task(calculator.equities([LONG]))
    await asyncio.sleep(0.02)
    return task


async def test_answers_come_in_the_order_asked(calculator: Calculator) -> None:
    river = SHORT._replace(board=SHORT.board + parse_cards("3c3d"))
    flop, after = await calculator.equities([SHORT, river])
    assert (flop.deals, after.deals) == (990, 1)


async def test_who_is_cancelled_makes_room_at_once(calculator: Calculator) -> None:
    long = await begun(calculator)
    long.cancel()
    started = perf_counter()
    await calculator.equities([SHORT])
    assert perf_counter() - started < 1
    assert long.cancelled()


async def test_who_is_cancelled_while_waiting_is_not_calculated_for(
    calculator: Calculator, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Question] = []

    def counted(question: Question, *rest: Any, **named: Any) -> Any:
        asked.append(question)
        return calculate(question, *rest, **named)

    monkeypatch.setattr(module, "calculate", counted)
    long = await begun(calculator)
    waiting = await begun(calculator)
    waiting.cancel()
    long.cancel()
    await asyncio.wait_for(calculator.equities([SHORT]), 1)
    assert asked == [LONG, SHORT]


async def test_no_more_wait_than_may(calculator: Calculator) -> None:
    tasks = [await begun(calculator) for _ in range(3)]
    with pytest.raises(Busy):
        await calculator.equities([SHORT])
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await calculator.equities([SHORT])


async def test_closing_gives_up_what_is_under_way(calculator: Calculator) -> None:
    long = await begun(calculator)
    started = perf_counter()
    calculator.close()
    with pytest.raises(Stopped):
        await long
    assert perf_counter() - started < 1


async def test_the_event_loop_goes_on_meanwhile(calculator: Calculator) -> None:
    long = await begun(calculator)
    turns = 0
    until = perf_counter() + 0.2
    while perf_counter() < until:
        await asyncio.sleep(0)
        turns += 1
    long.cancel()
    assert turns > 500


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a thread's own priority")
async def test_its_thread_yields_to_all_others(calculator: Calculator) -> None:
    await calculator.equities([SHORT])
    threads = own_threads()
    niceness = {int(name): int(stat.rpartition(")")[2].split()[16]) for name, stat in threads.items()}
    own = niceness.pop(os.getpid())
    assert max(niceness.values()) > own


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how often a thread rests")
async def test_its_thread_rests_while_it_calculates(calculator: Calculator) -> None:
    """However long it calculates, others wait for the processor no longer than about a millisecond."""
    long = await begun(calculator)
    before = rests()
    spent = thread_seconds()
    while thread_seconds() < spent + 0.1:
        await asyncio.sleep(0.01)
    long.cancel()
    assert (
        max(rests().get(name, 0) - count for name, count in before.items() if name != str(os.getpid())) > 25
    )


def own_threads(file: str = "stat") -> dict[str, str]:
    return {task.name: (task / file).read_text() for task in Path("/proc/self/task").iterdir()}


def rests() -> dict[str, int]:
    """How often each thread left the processor of itself."""
    return {
        name: int(status.rpartition("\nvoluntary_ctxt_switches:")[2].split()[0])
        for name, status in own_threads("status").items()
    }


def thread_seconds() -> float:
    """What the threads besides this one have taken of the processor."""
    return process_time() - thread_time()
