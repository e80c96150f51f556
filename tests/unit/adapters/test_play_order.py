"""Results leave a Play stream in the order of their actions at each table, and few of them wait."""

from __future__ import annotations

import asyncio
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from croupier.adapters.rpc.play_order import MOST_OWED, Owed, PlayOrder
from croupier.adapters.rpc.play_stream import MOST_ACTS, MOST_IN_LIST, PlayStream
from croupier.room.principal import LOCAL
from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import play_service_pb2 as pb
from croupier.v1.error_reason_pb2 import ErrorReason


@pytest.mark.parametrize("seed", range(20))
def test_results_leave_in_the_order_sent_at_each_table(seed: int) -> None:
    random = Random(seed)
    left: list[bytes] = []
    order = PlayOrder(left.append)
    owed: list[tuple[Owed, bytes]] = []
    sent: list[bytes] = []
    while len(sent) < 300 or owed:
        if len(sent) < 300 and random.random() < 0.5:
            table_id = random.choice("abc")
            sent.append(f"{table_id}{len(sent)}".encode())
            owed.append((order.begin(table_id, at_once=True), sent[-1]))
        elif owed:
            order.end(*owed.pop(random.randrange(len(owed))))
        assert order.count == len(sent) - len(left)
    for table in (b"a", b"b", b"c"):
        assert [one for one in left if one[:1] == table] == [one for one in sent if one[:1] == table]
    assert order.count == 0


async def test_those_behind_one_that_waits_are_not_begun_before_it_has_ended() -> None:
    order = PlayOrder(lambda _: None)
    first = order.begin("a", at_once=False)
    assert first.one_by_one
    assert first.task is None
    first.task = asyncio.ensure_future(asyncio.sleep(0))
    behind, elsewhere = order.begin("a", at_once=True), order.begin("b", at_once=True)
    assert (behind.one_by_one, behind.task) == (True, first.task)
    assert not elsewhere.one_by_one
    await first.task
    for one in (behind, first):
        order.end(one, b"")
    assert not order.begin("a", at_once=True).one_by_one


class _Stalled:
    """A stream at a table where nothing ends until `go`; the caller sends as many actions as are read."""

    def __init__(self) -> None:
        self.read = self.began = 0
        self.go = asyncio.Event()
        self.written: list[pb.PlayResult] = []
        caller = SimpleNamespace(principal=LOCAL, usage=SimpleNamespace(begin_request=lambda: None))
        line = SimpleNamespace(caller=caller, read=self._read, write=self._write)
        room = SimpleNamespace(has=lambda _: True)
        observer = SimpleNamespace(rpc=lambda *_: None)
        parts: list[Any] = [line, room, self._act, None, observer]
        self.stream = PlayStream(*cast(Any, parts))

    def message(self) -> pb.PlayRequest:
        acts = [pb.PlayAct(correlation_id=self.read + one) for one in range(MOST_IN_LIST)]
        self.read += MOST_IN_LIST
        return pb.PlayRequest(acts=acts)

    async def _read(self) -> pb.PlayRequest | None:
        await asyncio.sleep(0)
        return self.message() if self.read < 40 * MOST_IN_LIST else None

    async def _act(self, *_: object) -> betting.ActResponse:
        self.began += 1
        await self.go.wait()
        return betting.ActResponse()

    async def _write(self, message: bytes) -> None:
        self.written += pb.PlayResponse.FromString(message).results
        await asyncio.sleep(0)


async def test_who_has_too_many_actions_under_way_is_not_read_any_more() -> None:
    """Refusals wait for their turn too, and what waits has a limit."""
    stalled = _Stalled()
    serving = asyncio.ensure_future(stalled.stream.serve(stalled.message()))
    for _ in range(500):
        await asyncio.sleep(0)
    assert stalled.began == MOST_ACTS
    assert MOST_OWED <= stalled.read < MOST_OWED + MOST_IN_LIST
    assert not stalled.written
    stalled.go.set()
    await asyncio.wait_for(serving, 20)
    assert [one.correlation_id for one in stalled.written] == list(range(stalled.read))
    refused = [one for one in stalled.written if one.HasField("refused")]
    assert {one.refused.reason for one in refused} == {ErrorReason.ERROR_REASON_TOO_MANY_CALLS}
    assert len(stalled.written) == stalled.read == 40 * MOST_IN_LIST
