"""Any bytes to every RPC, by every kind of caller: the documented error or an answer, and a refusal changes nothing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, Final, TypeVar

from hypothesis import strategies as st
from tests.fakes.simulated_runtime import SimulatedLoop, SimulatedRuntime
from tests.fuzz.gate import CALLERS, Seeds, Service, seeds_of
from tests.fuzz.spoiling import fuzzed, spoilt
from tests.support.bad_calls import METHODS
from tests.support.documented import undocumented
from tests.support.worlds.served import in_simulated_time, logged

from croupier.room.principal import Principal

A_SERVICE: Final = 40
NEVER: Final = {
    "INTERNAL_FAULT",
    "INVARIANT_VIOLATED",
    "STORE_UNAVAILABLE",
    "SERVER_DRAINING",
    "TABLE_BUSY",
    "",
}
WIRE: Final = (
    b"\x0a\xff\xff\xff\xff\x0f",
    b"\x08" + b"\xff" * 11,
    b"\x0a\x03\xed\xa0\x80",
    b"\x0b" * 200,
    b"\x12\x00" * 500,
    b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
    b"\x10\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
)
BAD_LOG: Final = re.compile(rb"exception|error|critical")
T = TypeVar("T")


def in_service(work: Callable[[Service], Coroutine[Any, Any, T]]) -> T:
    """Do the work with a service that has just begun, and which logs nothing."""

    async def whole() -> T:
        runtime = SimulatedRuntime(1)
        with in_simulated_time(runtime), logged() as log:
            service = Service(runtime)
            await service.begin()
            try:
                done = await work(service)
            finally:
                await runtime.stop()
            assert not BAD_LOG.search(log.getvalue()), log.getvalue()
        assert not runtime.failures
        return done

    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        return runner.run(whole())


@cache
def seeds() -> Seeds:
    return in_service(seeds_of)


def spoilt_request(method: str) -> st.SearchStrategy[tuple[str, bytes]]:
    data = st.one_of(
        spoilt([seeds().by_method[method]], WIRE, most=3),
        st.integers(0, 2**32).map(lambda number: seeds().spoilt(method, number)),
        st.integers(0, 2**32).map(lambda number: seeds().spoilt(method, number)),
    )
    return st.tuples(st.just(method), data)


def calls() -> st.SearchStrategy[list[tuple[tuple[str, bytes], Principal]]]:
    one = st.tuples(st.sampled_from(sorted(METHODS)).flatmap(spoilt_request), st.sampled_from(CALLERS))
    return st.lists(one, min_size=A_SERVICE, max_size=A_SERVICE)


@fuzzed(20, st.deferred(calls))
def test_every_rpc_answers_or_refuses_as_documented(made: list[tuple[tuple[str, bytes], Principal]]) -> None:
    async def all_of_them(service: Service) -> None:
        for (method, data), caller in made:
            before = await service.state()
            failure, _ = await service.put(method, data, caller)
            if failure is not None:
                assert not undocumented(method, failure), (method, data, failure)
                assert failure.reason not in NEVER, (method, data, failure)
                assert await service.state() == before, (method, data, failure)
        await service.go_on()

    in_service(all_of_them)
