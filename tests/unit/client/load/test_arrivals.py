"""When actions are due: a Poisson process of the rate, the same from the same seed, told when it is time."""

from __future__ import annotations

import asyncio
import itertools
import statistics
import time

from croupier.client.load.arrivals import Arrivals, schedule
from croupier.client.load.dice import Dice


def test_gaps_are_those_of_a_poisson_process_of_the_rate() -> None:
    moments = list(itertools.islice(schedule(50, 0, Dice(1)), 20_000))
    gaps = [after - before for before, after in itertools.pairwise([0.0, *moments])]
    assert abs(statistics.mean(gaps) - 1 / 50) < 0.02 / 50
    assert abs(statistics.stdev(gaps) - 1 / 50) < 0.04 / 50
    assert abs(sum(gap > 1 / 50 for gap in gaps) / len(gaps) - 0.3679) < 0.01


def test_in_the_ramp_the_rate_rises_evenly_from_nothing() -> None:
    """A quarter of the ramp's actions is due in its first half, and half as many as in as long a steady time."""
    moments = list(itertools.takewhile(lambda at: at < 200, schedule(200, 100, Dice(2))))
    half, ramp = (sum(at < edge for at in moments) for edge in (50, 100))
    steady = len(moments) - ramp
    assert moments == sorted(moments)
    assert abs(half - 2_500) < 250
    assert abs(ramp - 10_000) < 500
    assert abs(steady - 20_000) < 700


def test_the_same_seed_makes_the_same_schedule() -> None:
    one, same, other = (list(itertools.islice(schedule(9, 2, Dice(seed)), 50)) for seed in (3, 3, 4))
    assert one == same
    assert one != other


async def test_an_action_is_told_of_when_it_is_due_and_never_before() -> None:
    start = time.monotonic_ns()
    arrivals = Arrivals(iter([0.01, 0.02, 0.05, 9.0]), start)
    for moment in (0.01, 0.02, 0.05):
        due = await arrivals.queue.get()
        assert due == start + int(moment * 1e9)
        assert time.monotonic_ns() >= due
    arrivals.stop()
    await asyncio.sleep(0.01)
    assert arrivals.count == 3
    assert arrivals.queue.empty()


async def test_a_schedule_that_is_behind_is_told_whole_and_can_be_stopped() -> None:
    arrivals = Arrivals((0.0 for _ in itertools.count()), time.monotonic_ns())
    for _ in range(2_000):
        await arrivals.queue.get()
    arrivals.stop()
    assert arrivals.count >= 2_000


async def test_what_was_due_before_the_end_comes_however_far_behind_the_schedule_is() -> None:
    start = time.monotonic_ns() - 1_000_000_000
    arrivals = Arrivals((number / 1e6 for number in itertools.count()), start)
    arrivals.stop(start + 100_000_000)
    await asyncio.sleep(0)
    due = [arrivals.queue.get_nowait() for _ in range(arrivals.queue.qsize())]
    assert [moment for moment in due if moment is not None and moment < start + 100_000_000] == [
        start + int(number / 1e6 * 1e9) for number in range(100_000)
    ]
