"""The feed's stream on a real JetStream: made where it is missing, left as its operator has it, and told once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import nats as nats_py
import pytest
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from tests.support.nats import NatsServer, nats_server

from croupier.adapters.nats import NatsBus, Server, Stream
from croupier.adapters.nats import stream as streams
from croupier.room.outbox_ports import FeedAway

SUBJECTS = "croupier.room.feed.>"
SUBJECT = "croupier.room.feed.entries.PoE"


@pytest.fixture
def jetstream() -> Iterator[NatsServer]:
    with nats_server(jetstream=True) as server:
        yield server


@asynccontextmanager
async def stream(nats: NatsServer, name: str = "FEED") -> AsyncIterator[Stream]:
    bus = NatsBus(Server(nats.url), "test", lambda: None)
    await bus.start(10.0)
    try:
        yield Stream(bus, name, SUBJECTS)
    finally:
        await bus.close()


@asynccontextmanager
async def operator(nats: NatsServer) -> AsyncIterator[JetStreamContext]:
    connection = await nats_py.connect(nats.url)
    try:
        yield connection.jetstream()
    finally:
        await connection.close()


async def test_a_stream_is_made_once_and_keeps_each_name_once(jetstream: NatsServer) -> None:
    async with stream(jetstream) as one, stream(jetstream) as other, operator(jetstream) as looking:
        await asyncio.gather(one.prepare(begun=False), other.prepare(begun=False))
        for _ in range(3):
            await one.put(SUBJECT, "name", b"said")
        await other.put(SUBJECT, "name", b"said")
        await other.put(SUBJECT, "another", b"said too")
        info = await looking.stream_info("FEED")
        assert info.state.messages == 2
        config = info.config
        assert (config.subjects, config.max_age, config.duplicate_window) == (
            [SUBJECTS],
            streams.MAX_AGE_S,
            streams.DUPLICATE_WINDOW_S,
        )
        assert (config.storage, config.retention, config.discard) == ("file", "limits", "old")


async def test_what_was_kept_outlives_the_server(jetstream: NatsServer) -> None:
    async with stream(jetstream) as one:
        await one.prepare(begun=False)
        await one.put(SUBJECT, "name", b"said")
        jetstream.stop()
        with pytest.raises(FeedAway):
            await one.put(SUBJECT, "next", b"lost")
        jetstream.start()
    async with stream(jetstream) as one, operator(jetstream) as looking:
        await one.prepare(begun=True)
        await one.put(SUBJECT, "name", b"said")
        assert (await looking.stream_info("FEED")).state.messages == 1, "it remembers the names, too"


async def test_a_stream_that_was_begun_and_is_gone_is_not_made(jetstream: NatsServer) -> None:
    async with stream(jetstream) as one, operator(jetstream) as owner:
        with pytest.raises(FeedAway, match="the stream FEED is gone: croupier audit --rebuild-feed FEED"):
            await one.prepare(begun=True)
        assert await owner.streams_info() == []


async def test_a_stream_of_the_operators_own_stays_as_it_is(jetstream: NatsServer) -> None:
    async with stream(jetstream) as one, operator(jetstream) as owner:
        await owner.add_stream(name="FEED", subjects=["croupier.*.feed.>"], max_age=60, storage="memory")
        await one.prepare(begun=True)
        await one.put(SUBJECT, "name", b"said")
        config = (await owner.stream_info("FEED")).config
        assert (config.max_age, config.storage) == (60, "memory")


async def test_a_stream_that_takes_other_subjects_is_refused_with_what_to_do(jetstream: NatsServer) -> None:
    async with stream(jetstream) as one, operator(jetstream) as owner:
        await owner.add_stream(name="FEED", subjects=["orders.>"])
        with pytest.raises(
            FeedAway, match=r"does not take croupier\.room\.feed\.>: add that to its subjects"
        ):
            await one.prepare(begun=False)


async def test_nothing_goes_to_a_stream_of_another_name(jetstream: NatsServer) -> None:
    async with stream(jetstream) as one, operator(jetstream) as owner:
        await owner.add_stream(name="OTHER", subjects=["croupier.>"])
        with pytest.raises(FeedAway, match="overlap"):
            await one.prepare(begun=False)
        with pytest.raises(FeedAway, match="expected stream"):
            await one.put(SUBJECT, "name", b"said")
        assert (await owner.stream_info("OTHER")).state.messages == 0


async def test_without_jetstream_it_is_away(jetstream: NatsServer) -> None:
    with nats_server() as plain:
        async with stream(plain) as one:
            with pytest.raises(FeedAway, match="no JetStream takes"):
                await one.prepare(begun=False)
            with pytest.raises(FeedAway, match="no JetStream takes"):
                await one.put(SUBJECT, "name", b"said")
    async with stream(jetstream) as one:
        with pytest.raises(FeedAway, match="no JetStream takes"):
            await one.put(SUBJECT, "name", b"said")


async def test_somebody_who_answers_and_is_no_jetstream_has_kept_nothing(jetstream: NatsServer) -> None:
    async with stream(jetstream) as one:
        connection = await nats_py.connect(jetstream.url)
        try:

            async def answer(message: Msg) -> None:
                await message.respond(b"{}")

            await connection.subscribe(SUBJECT, cb=answer)
            await connection.flush()
            with pytest.raises(FeedAway, match="is no JetStream"):
                await one.put(SUBJECT, "name", b"said")
        finally:
            await connection.close()


@pytest.mark.parametrize(
    ("pattern", "covered"),
    [
        ("croupier.room.feed.>", True),
        ("croupier.*.feed.>", True),
        ("croupier.>", True),
        (">", True),
        ("croupier.room.feed.*", False),
        ("croupier.room.feed.hands.>", False),
        ("croupier.other.feed.>", False),
        ("croupier.room.feed", False),
        ("orders.>", False),
    ],
)
def test_a_pattern_covers_all_that_the_feed_is_or_it_does_not(pattern: str, covered: bool) -> None:
    assert streams._covers(pattern, SUBJECTS) is covered
