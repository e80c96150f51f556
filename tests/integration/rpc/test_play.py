"""Play: actions and news of many tables on one stream, whatever happens to the stream."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest
from tests.support.live import Backend, running
from tests.support.play_wire import Raw, act_of, cheapest, served

from croupier.client import Refused
from croupier.client.play import Play
from croupier.v1 import hand_pb2
from croupier.v1 import play_service_pb2 as pb
from croupier.v1.error_reason_pb2 import ErrorReason
from croupier.v1.hand_pb2 import Decision
from croupier.v1.table_pb2 import Table
from croupier.v1.table_service_pb2 import EventBatch, WatchTableRequest

NAMES = ("anna", "bert")


async def test_hands_are_played_and_heard_of_on_one_stream(tmp_path: Path) -> None:
    async with served(tmp_path) as backend:
        tables = [await backend.open_table(*[f"{name}{number}" for name in NAMES]) for number in range(4)]
        heard: defaultdict[str, list[int]] = defaultdict(list)
        done: dict[str, int] = {}

        async def listen(play: Play) -> None:
            async for told in play.news():
                if isinstance(told.news, Table):
                    heard[told.table_id].append(told.news.sequence)
                elif isinstance(told.news, EventBatch):
                    heard[told.table_id] += sorted({event.sequence for event in told.news.events})

        async def drive(play: Play, table_id: str) -> None:
            decision = await backend.dealt(table_id)
            for _ in range(30):
                answer = await play.act(table_id, decision, cheapest(decision))
                done[table_id] = answer.sequence
                decision = answer.next_decision
                if not decision.player_id:
                    decision = await backend.dealt(table_id)

        async with backend.play_stream(all_tables=True) as play:
            listening = asyncio.create_task(listen(play))
            await asyncio.gather(*[drive(play, table_id) for table_id in tables])
            late = await backend.open_table("cleo", "dora")
            async with asyncio.timeout(20):
                while not heard[late] or any(heard[one][-1] < done[one] for one in tables):
                    await asyncio.sleep(0.01)
            listening.cancel()
        for table_id in tables:
            sequences = heard[table_id]
            assert sequences == list(range(sequences[0], sequences[0] + len(sequences)))


async def test_actions_at_one_table_are_done_in_the_order_sent(tmp_path: Path) -> None:
    async with served(tmp_path) as backend:
        table_id = await backend.open_table(*NAMES)
        first = await backend.dealt(table_id)
        second = Decision(
            player_id=NAMES[first.player_id == NAMES[0]],
            hand_id=first.hand_id,
            action_sequence=first.action_sequence + 1,
        )
        raw = Raw(backend)
        assert (await raw.opened()).act_credits == 256
        acts = [
            pb.PlayAct(correlation_id=7, act=act_of(table_id, first, "r1", action=hand_pb2.ACTION_KIND_CALL)),
            pb.PlayAct(
                correlation_id=8, act=act_of(table_id, second, "r2", action=hand_pb2.ACTION_KIND_CHECK)
            ),
            pb.PlayAct(correlation_id=9, act=act_of(table_id, first, "r3", action=hand_pb2.ACTION_KIND_FOLD)),
        ]
        await raw.say(acts=acts)
        results = {one.correlation_id: one for one in await raw.results(3)}
        assert results[7].acted.sequence + 1 == results[8].acted.sequence
        refused = results[9].refused
        assert refused.reason == ErrorReason.ERROR_REASON_DECISION_STALE
        assert refused.code == grpc.StatusCode.ABORTED.value[0]
        await raw.say(acts=acts[:1])
        assert (await raw.results(1))[0].acted.sequence == results[7].acted.sequence
        await raw.ends_well()


async def test_refusals_do_not_overtake_what_was_sent_before_them(tmp_path: Path) -> None:
    """Whatever they are refused for: also what nobody need look at the table for."""
    async with served(tmp_path) as backend:
        tables = [await backend.open_table(*[f"{name}{number}" for name in NAMES]) for number in range(3)]
        decisions = [await backend.dealt(table_id) for table_id in tables]
        sent: list[pb.PlayAct] = []
        for _ in range(12):
            for table_id, decision in zip(tables, decisions, strict=True):
                good = act_of(table_id, decision, "r1")
                wrong = [
                    act_of(table_id, decision, ""),
                    act_of(table_id, decision, "r2", action=hand_pb2.ACTION_KIND_UNSPECIFIED),
                    act_of(table_id, decision, "r3", amount=-1),
                    act_of(table_id, decision, "r4"),
                ]
                sent += [
                    pb.PlayAct(correlation_id=len(sent) + n, act=act) for n, act in enumerate((good, *wrong))
                ]
        sent.append(pb.PlayAct(correlation_id=len(sent), act=act_of("nowhere", decisions[0], "r5")))
        raw = Raw(backend)
        await raw.opened()
        await raw.say(acts=sent)
        results = await raw.results(len(sent))
        of_table = {one.correlation_id: one.act.table_id for one in sent}
        for table_id in (*tables, "nowhere"):
            told = [one.correlation_id for one in results if of_table[one.correlation_id] == table_id]
            assert told == [number for number, where in of_table.items() if where == table_id]
        assert sum(one.HasField("acted") for one in results) == 36
        await raw.ends_well()


async def test_what_fails_at_one_table_leaves_the_others_alone(tmp_path: Path) -> None:
    async with served(tmp_path) as backend:
        table_id = await backend.open_table(*NAMES)
        raw = Raw(backend)
        watches = [WatchTableRequest(table_id="no such table"), WatchTableRequest(table_id=table_id)]
        await raw.say(open=pb.PlayOpen(stream_id="one"), news_credits=10, watch=watches)
        failures: list[pb.PlayFailure] = []
        news: list[pb.PlayNews] = []
        while not (failures and news):
            message = await raw.hear()
            failures += message.failures
            news += message.news
        assert failures[0].table_id == "no such table"
        assert failures[0].refusal.reason == ErrorReason.ERROR_REASON_TABLE_UNKNOWN
        assert news[0].table_id == table_id
        assert news[0].news.HasField("snapshot")


async def test_news_wait_for_credit_and_results_do_not(tmp_path: Path) -> None:
    async with served(tmp_path) as backend:
        table_id = await backend.open_table(*NAMES)
        decision = await backend.dealt(table_id)
        raw = Raw(backend)
        await raw.opened(watch=[WatchTableRequest(table_id=table_id)])
        await raw.say(acts=[pb.PlayAct(correlation_id=1, act=act_of(table_id, decision, "r1"))])
        message = await raw.hear()
        assert message.results
        assert not message.news
        await raw.say(news_credits=1)
        assert (await raw.news()).news.HasField("snapshot")
        await raw.say(news_credits=1)
        assert (await raw.news()).news.HasField("events")


async def test_a_view_taken_back_brings_nothing_more(tmp_path: Path) -> None:
    async with served(tmp_path) as backend:
        table_id = await backend.open_table(*NAMES)
        decision = await backend.dealt(table_id)
        raw = Raw(backend)
        await raw.opened(watch=[WatchTableRequest(table_id=table_id)], news_credits=100)
        await raw.news()
        await raw.say(unwatch=[pb.PlayView(table_id=table_id)])
        await raw.say(acts=[pb.PlayAct(correlation_id=1, act=act_of(table_id, decision, "r1"))])
        assert (await raw.results(1))[0].HasField("acted")
        await raw.say(watch=[WatchTableRequest(table_id=table_id)])
        assert (await raw.news()).news.HasField("snapshot")


async def test_a_newer_stream_takes_over(tmp_path: Path) -> None:
    async with served(tmp_path) as backend:
        older, other, newer = Raw(backend), Raw(backend), Raw(backend)
        await older.opened("mine")
        await other.opened("another")
        await newer.opened("mine")
        error = await older.ends_with("STREAM_TAKEN_OVER")
        assert error.code() is grpc.StatusCode.ABORTED
        table_id = await backend.open_table(*NAMES)
        for stream in (other, newer):
            await stream.say(watch=[WatchTableRequest(table_id=table_id)], news_credits=1)
            assert (await stream.news()).news.HasField("snapshot")


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        ([pb.PlayRequest(news_credits=1)], "FIELD_REQUIRED"),
        ([pb.PlayRequest(open=pb.PlayOpen())], "FIELD_REQUIRED"),
        ([pb.PlayRequest(open=pb.PlayOpen(stream_id="x" * 65))], "FIELD_TOO_LONG"),
        ([pb.PlayRequest(open=pb.PlayOpen(stream_id="one"))] * 2, "FIELD_NOT_ALLOWED"),
        ([pb.PlayRequest(open=pb.PlayOpen(stream_id="one"), news_credits=-1)], "FIELD_OUT_OF_RANGE"),
        (
            [pb.PlayRequest(open=pb.PlayOpen(stream_id="one"), acts=[pb.PlayAct()] * 513)],
            "FIELD_OUT_OF_RANGE",
        ),
        (
            [pb.PlayRequest(open=pb.PlayOpen(stream_id="one"), watch=[WatchTableRequest()] * 513)],
            "FIELD_OUT_OF_RANGE",
        ),
    ],
)
async def test_a_stream_that_makes_no_sense_ends(
    tmp_path: Path, messages: list[pb.PlayRequest], reason: str
) -> None:
    async with served(tmp_path) as backend:
        raw = Raw(backend)
        for message in messages:
            await raw.call.write(message)
        assert (await raw.ends_with(reason)).code() is grpc.StatusCode.INVALID_ARGUMENT
        await Raw(backend).opened()


async def test_the_server_ends_streams_before_it_stops(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(running(tmp_path))
        backend = Backend(f"127.0.0.1:{app.port}")
        raw = Raw(backend)
        await raw.opened()
        stopping = asyncio.create_task(stack.aclose())
        error = await raw.ends_with("SERVER_DRAINING")
        assert error.code() is grpc.StatusCode.UNAVAILABLE
        await backend.close()
        await stopping


async def test_an_action_that_may_not_be_is_refused_to_its_caller(tmp_path: Path) -> None:
    async with served(tmp_path) as backend:
        table_id = await backend.open_table(*NAMES)
        decision = await backend.dealt(table_id)
        async with backend.play_stream() as play:
            with pytest.raises(Refused) as caught:
                await play.act(table_id, decision, hand_pb2.ACTION_KIND_RAISE_TO, 1)
            assert caught.value.reason == "RAISE_OUT_OF_RANGE"
            assert caught.value.facts["min_raise_to"]
            assert (await play.act(table_id, decision, cheapest(decision))).sequence
