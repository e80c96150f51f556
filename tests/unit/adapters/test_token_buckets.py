"""The bucket of requests, and what is counted in and out."""

from __future__ import annotations

import pytest

from croupier.adapters.rpc.limits import Limits, Usage
from croupier.room.failures import Refusal


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def accepted(usage: Usage, tries: int) -> int:
    """How many of so many requests are let in at one moment; each is over at once."""
    count = 0
    for _ in range(tries):
        try:
            usage.begin_call()
        except Refusal:
            continue
        usage.calls -= 1
        count += 1
    return count


def test_a_second_of_requests_may_come_at_once_and_then_the_rate() -> None:
    clock = Clock()
    usage = Usage(Limits(10, 10, 50), clock)
    assert accepted(usage, 80) == 50
    clock.now += 0.1
    assert accepted(usage, 80) == 5
    clock.now += 100
    assert accepted(usage, 80) == 50


def test_over_a_long_time_no_more_than_the_rate_is_let_in() -> None:
    clock = Clock()
    usage = Usage(Limits(10, 10, 7), clock)
    count = 0
    for _ in range(10_000):
        count += accepted(usage, 1)
        clock.now += 0.01
    assert 7 * 100 <= count <= 7 * 101


def test_who_waits_as_told_is_let_in() -> None:
    clock = Clock()
    usage = Usage(Limits(10, 10, 3), clock)
    assert accepted(usage, 3) == 3
    with pytest.raises(Refusal) as caught:
        usage.begin_call()
    wait = int(caught.value.facts["retry_after_ms"])
    assert 0 < wait <= 334
    clock.now += wait / 1000 - 0.01
    assert accepted(usage, 1) == 0
    clock.now += 0.01
    assert accepted(usage, 1) == 1


def test_rate_0_is_any_number() -> None:
    assert accepted(Usage(Limits(1, 1, 0), Clock()), 10_000) == 10_000


def test_what_is_refused_is_not_counted() -> None:
    usage = Usage(Limits(2, 1))
    usage.begin_call()
    usage.begin_call()
    usage.begin_stream()
    for begin, reason in ((usage.begin_call, "TOO_MANY_CALLS"), (usage.begin_stream, "TOO_MANY_STREAMS")):
        with pytest.raises(Refusal, match=reason):
            begin()
    assert (usage.calls, usage.streams) == (2, 1)
