"""Play: how much one caller may ask for on a stream."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.support.play_wire import Raw, act_of, served

from croupier.adapters.rpc.stream_writer import OLDEST_WRITE_S
from croupier.client import Refused
from croupier.v1 import play_service_pb2 as pb
from croupier.v1.error_reason_pb2 import ErrorReason
from croupier.v1.table_service_pb2 import WatchTableRequest

NAMES = ("anna", "bert")


async def test_more_than_256_under_way_are_refused_one_by_one(tmp_path: Path) -> None:
    async with served(tmp_path) as backend:
        table_id = await backend.open_table(*NAMES)
        decision = await backend.dealt(table_id)
        raw = Raw(backend)
        await raw.opened()
        act = act_of(table_id, decision, "r1")
        await raw.say(acts=[pb.PlayAct(correlation_id=number, act=act) for number in range(300)])
        results = await raw.results(300)
        refused = [one for one in results if one.HasField("refused")]
        assert len(refused) == 44
        assert {one.refused.reason for one in refused} == {ErrorReason.ERROR_REASON_TOO_MANY_CALLS}
        assert {one.correlation_id for one in refused} == set(range(256, 300))
        assert [one.correlation_id for one in results] == list(range(300))
        assert len({one.acted.sequence for one in results if one.HasField("acted")}) == 1


async def test_views_count_as_streams(tmp_path: Path) -> None:
    async with served(tmp_path, max_streams=3) as backend:
        tables = [await backend.open_table(f"anna{number}", f"bert{number}") for number in range(3)]
        raw = Raw(backend)
        await raw.opened(watch=[WatchTableRequest(table_id=table_id) for table_id in tables[:2]])
        for _ in range(2):  # one that begins anew takes the place of the one before
            await raw.say(watch=[WatchTableRequest(table_id=tables[0])])
        await raw.say(watch=[WatchTableRequest(table_id=tables[2])])
        (failure,) = (await raw.hear()).failures
        assert failure.table_id == tables[2]
        assert failure.refusal.reason == ErrorReason.ERROR_REASON_TOO_MANY_STREAMS
        await raw.say(unwatch=[pb.PlayView(table_id=tables[1])])
        await raw.say(watch=[WatchTableRequest(table_id=tables[2])], news_credits=2)
        told = {(await raw.news()).table_id, (await raw.news()).table_id}
        assert told == {tables[0], tables[2]}
        await raw.ends_well()
        again = Raw(backend)
        await again.opened(
            watch=[WatchTableRequest(table_id=table_id) for table_id in tables[:2]], news_credits=2
        )
        assert (await again.news()).news.HasField("snapshot")


async def test_the_client_asks_for_any_number_of_views(tmp_path: Path) -> None:
    """In messages of at most 512 each."""
    async with served(tmp_path) as backend, backend.play_stream() as play:
        for number in range(1200):
            play.watch(f"no table {number}")
        told = set()
        async with asyncio.timeout(20):
            async for news in play.news():
                assert isinstance(news.news, Refused)
                assert news.news.reason == "TABLE_UNKNOWN"
                told.add(news.table_id)
                if len(told) == 1200:
                    break


async def test_without_credit_news_wait_and_the_view_lives(tmp_path: Path) -> None:
    async with served(tmp_path) as backend:
        table_id = await backend.open_table(*NAMES)
        raw = Raw(backend)
        await raw.opened(watch=[WatchTableRequest(table_id=table_id)])
        await asyncio.sleep(OLDEST_WRITE_S + 1)
        await raw.say(news_credits=1)
        assert (await raw.news()).news.HasField("snapshot")
