"""A thousand watchers that stop reading, each on a connection of its own: what they cost the server, and others.

They watch a table that is played at until their windows, of 64 KiB, are full. Then others play, by turns there and
at a second server that has no such watchers, half a second each, since a machine's speed drifts. The turns go on
while the service cuts the watchers off. Its memory is looked at all the time.
"""

from __future__ import annotations

import asyncio
import contextlib
import resource
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple, Self

import uvloop
from tests.bench.processes import Failure, Server, scratch, serving
from tests.bench.rows import Row, row
from tests.support.live import Backend
from tests.support.stalled import MOST_KIB, PeakMemory, Stalled, play

from croupier.v1 import hand_pb2
from croupier.v1.hand_pb2 import Decision

WATCHERS = 1000
TURNS = 40
SECONDS = 0.5
CALLERS = 8
FILLING_ACTS = 500
PLAYERS = [str(number).ljust(64, "x") for number in range(9)]
FILES = 8192


class Outcome(NamedTuple):
    """KiB for each watcher, and the others' waits in seconds, turn by turn."""

    kib: float
    beside: list[list[float]]
    without: list[list[float]]


def stalled_watchers() -> list[Row]:
    """Memory for each, and the others' 99th percentile."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, FILES)), hard))
    with (
        scratch() as directory,
        serving(directory / "stalled.db") as server,
        serving(directory / "quiet.db") as quiet,
    ):
        kib, beside, without = uvloop.run(_outcome(server, quiet))
    ours, theirs = _p99_ms(chain(*beside)), _p99_ms(chain(*without))
    halves = [_p99_ms(chain(*one[half::2])) for half in (0, 1) for one in (beside, without)]
    conditions = f"{WATCHERS} watchers that do not read, each on a connection with a window of 64 KiB"
    return [
        row(
            "stalled_watchers_kib",
            kib,
            "KiB",
            against=f"at most {MOST_KIB:.0f} KiB each",
            ratio=MOST_KIB / kib,
            goal=1.0,
            runs=1,
            conditions=f"resident memory at its peak over that before, for each of {conditions}",
        ),
        row(
            "act_p99_beside_stalled",
            ours,
            "ms",
            against=f"the same without them, {theirs:,.1f} ms",
            ratio=theirs / ours,
            goal=0.9,
            runs=TURNS,
            conditions=f"{CALLERS} callers, beside {conditions}; "
            f"every other turn {halves[0]:.1f} against {halves[1]:.1f} ms, "
            f"the rest {halves[2]:.1f} against {halves[3]:.1f} ms",
        ),
    ]


BENCHES: dict[str, Callable[[], list[Row]]] = {"stalled_watchers": stalled_watchers}


async def _outcome(server: Server, quiet: Server) -> Outcome:
    beside, without = [], []
    async with Backend(server.target) as backend, Backend(quiet.target) as elsewhere:
        table_id = await backend.open_table(*PLAYERS, seat_count=9)
        stalled = Stalled(int(server.target.rpartition(":")[2]))
        async with PeakMemory(server.pid) as memory:
            await stalled.watch(table_id, WATCHERS)
            await play(backend, table_id, FILLING_ACTS, fold=True)
            if not await stalled.window_is_full():
                raise Failure("the watchers' windows were not full")
            others = [await _Caller.seated(backend, number) for number in range(CALLERS)]
            alone = [await _Caller.seated(elsewhere, number) for number in range(CALLERS)]
            playing = asyncio.create_task(play(backend, table_id, 10_000, pause=0.5))
            for _ in range(TURNS):
                beside.append(await _turn(others))
                without.append(await _turn(alone))
            playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await playing
        await stalled.close()
    return Outcome(memory.kib_each(WATCHERS), beside, without)


class _Caller:
    """Drives both seats of a table of its own: call, check, bet, fold. Neither goes broke: they win by turns."""

    def __init__(self, backend: Backend, table_id: str, decision: Decision) -> None:
        self._backend = backend
        self._table_id = table_id
        self._decision = decision

    @classmethod
    async def seated(cls, backend: Backend, number: int) -> Self:
        table_id = await backend.open_table(f"one-{number}", f"two-{number}", seat_count=2)
        return cls(backend, table_id, await backend.dealt(table_id))

    async def act(self) -> float:
        """The seconds that an action takes."""
        started = time.perf_counter()
        answer = await self._backend.act(self._table_id, self._decision, *_chosen(self._decision))
        taken = time.perf_counter() - started
        self._decision = answer.next_decision
        if not self._decision.player_id:
            self._decision = await self._backend.dealt(self._table_id)
        return taken


def _chosen(decision: Decision) -> tuple[hand_pb2.ActionKind.ValueType, int]:
    legal = decision.legal_actions
    if legal.min_bet_to:
        return hand_pb2.ACTION_KIND_BET_TO, legal.min_bet_to
    if legal.call_amount > 1:
        return hand_pb2.ACTION_KIND_FOLD, 0
    return (hand_pb2.ACTION_KIND_CALL if legal.call_amount else hand_pb2.ACTION_KIND_CHECK), 0


async def _turn(callers: Sequence[_Caller]) -> list[float]:
    """What all callers, each with one action under way, wait for in the time of a turn."""
    until = time.perf_counter() + SECONDS
    waits: list[float] = []

    async def go_on(caller: _Caller) -> None:
        while time.perf_counter() < until:
            waits.append(await caller.act())

    await asyncio.gather(*map(go_on, callers))
    return waits


def _p99_ms(waits: Iterable[float]) -> float:
    ordered = sorted(waits)
    return ordered[len(ordered) * 99 // 100] * 1000
