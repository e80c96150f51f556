"""What a follower was not told it reads from the store: nobody who watches notices more than a delay."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.support.buses import LocalBus
from tests.support.followed import SUBJECTS, Server, Servers, Watching, play_on, seated, viewers

from croupier.room.failures import StoreAway
from croupier.room.follower import PAGE
from croupier.room.keeping import LINGER_NS, SAY_NS
from croupier.room.table_news import Recorded, encode, news_of


class LosingBus(LocalBus):
    """Loses what is told, as often as the test says."""

    random = Random(0)
    rate = 0.0

    def publish(self, subject: str, data: bytes) -> None:
        if self.random.random() >= self.rate:
            super().publish(subject, data)


async def pair(
    runtime: SimulatedRuntime, game: str = "holdem"
) -> tuple[Servers, Server, dict[str, list[Watching]]]:
    """An owner and another server, at both of which everybody watches."""
    servers = Servers(await seated(runtime, game, 4))
    beside = servers.beside("beside")
    table_id = servers.table.table_id
    await beside.follower(table_id)
    streams = {
        viewer: [server.watch(table_id, viewer) for server in (servers.owner, beside)]
        for viewer in viewers(servers.table.actor)
    }
    await runtime.idle()
    return servers, beside, streams


def must_be_alike(streams: dict[str, list[Watching]]) -> None:
    for viewer, (there, here) in streams.items():
        assert (here.failure, here.over) == (None, False)
        assert there.events() == here.events(), viewer
        assert len(set(here.events())) == len(here.events())


@pytest.mark.parametrize("game", ["holdem", "five_card_draw"])
def test_lost_messages_are_made_up_for(game: str) -> None:
    async def scenario(runtime: SimulatedRuntime) -> None:
        servers, _, streams = await pair(runtime, game)
        owner = servers.owner.bus
        owner.__class__ = LosingBus
        assert isinstance(owner, LosingBus)
        random = Random(game)
        for step in range(120):
            owner.rate = (step // 20 % 3) / 2
            await play_on(servers.table, random)
            if step % 10 == 9:
                await runtime.sleep(SAY_NS / NS)
                must_be_alike(streams)
                assert servers.table.actor.table.carried.hand_number > 0

    simulated(1)(scenario)()


def test_watchers_go_on_while_the_bus_is_away() -> None:
    """They hear of what happens from the store, a second later at most but for the first look."""

    async def scenario(runtime: SimulatedRuntime) -> None:
        servers, beside, streams = await pair(runtime)
        random = Random(2)
        for _ in range(6):
            beside.bus.cut()
            for _ in range(random.randrange(20)):
                await play_on(servers.table, random)
            await runtime.sleep(2.1)
            must_be_alike(streams)
            for _ in range(random.randrange(20)):
                await play_on(servers.table, random)
            beside.bus.mend()
            await runtime.sleep(0.5)
            must_be_alike(streams)
            await play_on(servers.table, random)
            must_be_alike(streams)

    simulated(2)(scenario)()


def test_an_outage_longer_than_a_queue_cuts_nobody_off() -> None:
    async def scenario(runtime: SimulatedRuntime) -> None:
        servers, beside, streams = await pair(runtime)
        beside.bus.cut()
        follower = await beside.follower(servers.table.table_id)
        before, random = follower.record, Random(3)
        beside.store.away = True
        while servers.table.actor.next_record - before < 10 * PAGE:
            await play_on(servers.table, random)
        assert follower.record - before < PAGE
        beside.store.away = False
        await runtime.sleep(3)
        must_be_alike(streams)

    simulated(3)(scenario)()


def test_a_store_that_is_away_is_asked_again() -> None:
    """R-T15 and all else wait; who comes meanwhile is refused."""

    async def scenario(runtime: SimulatedRuntime) -> None:
        servers, beside, streams = await pair(runtime)
        beside.store.away = True
        beside.bus.cut()
        await play_on(servers.table, Random(4))
        with pytest.raises(StoreAway):
            await beside.room.watched(servers.table.table_id, fresh=True)
        await runtime.sleep(5)
        beside.store.away = False
        await runtime.sleep(2.1)
        must_be_alike(streams)

    simulated(4)(scenario)()


def test_a_stream_is_resumed_anywhere_without_gap_or_double() -> None:
    """Also where the server asked has not heard yet of what the other one told."""

    async def scenario(runtime: SimulatedRuntime) -> None:
        servers, beside, streams = await pair(runtime)
        others = [servers.owner, beside, servers.beside("late")]
        random = Random(5)
        resumed = 0
        for step in range(60):
            await play_on(servers.table, random)
            if step % 5:
                continue
            beside.bus.cut()
            await play_on(servers.table, random)
            viewer = random.choice(list(streams))
            reference = streams[viewer][0]
            messages = reference.told()
            place = random.randrange(1, len(messages))
            after, private = reference.position(place)
            for server in others:
                stream = server.watch(
                    servers.table.table_id,
                    viewer,
                    resume_after_sequence=after,
                    resume_after_private_sequence=private,
                )
                await runtime.idle()
                assert stream.failure is None
                assert stream.events() == reference.events(place)
                resumed += len(stream.events())
                stream.leave()
            beside.bus.mend()
            await runtime.idle()
        assert resumed > 500

    simulated(5)(scenario)()


def test_records_that_are_none_of_the_tables_are_not_believed() -> None:
    """Whoever reaches the bus can write them: forged, changed on the way, or of another table."""

    async def scenario(runtime: SimulatedRuntime) -> None:
        servers, beside, streams = await pair(runtime)
        random, subject = Random(7), SUBJECTS.records(servers.table.table_id)
        follower = await beside.follower(servers.table.table_id)
        forger = LocalBus(servers.wires)
        forged = 0
        for _ in range(40):
            before = len(servers.wires.published)
            await play_on(servers.table, random)
            for _, data in servers.wires.published[before:]:
                news = news_of(data)
                if not isinstance(news, Recorded):
                    continue
                for number in (follower.next_record, follower.next_record + 1):
                    for change in (
                        {"journal_sequence": number},
                        {"journal_sequence": number, "body": b""},
                        {"journal_sequence": number, "prev_hash": follower._chain.hash},
                        {"journal_sequence": number, "recorded_time": 2**63},
                    ):
                        row = msgspec.structs.replace(news.row, **change)
                        forger.publish(subject, encode(Recorded(row, news.deadline)))
                        forged += 1
                        await runtime.idle()
            must_be_alike(streams)
        assert forged > 200
        assert not follower.over

    simulated(7)(scenario)()


def test_a_table_that_nobody_watches_is_not_followed_for_long() -> None:
    async def scenario(runtime: SimulatedRuntime) -> None:
        servers = Servers(await seated(runtime, "holdem", 2))
        beside = servers.beside("beside")
        stream = beside.watch(servers.table.table_id)
        await runtime.sleep(LINGER_NS / NS + 5)
        assert beside.room.followers is not None
        assert len(beside.room.followers) == 1
        told = len(servers.wires.published)
        await play_on(servers.table, Random(6))
        assert len(servers.wires.published) > told
        stream.leave()
        await runtime.sleep(LINGER_NS / NS + 5)
        assert len(beside.room.followers) == 0
        told = len(servers.wires.published)
        await play_on(servers.table, Random(6))
        assert servers.table.actor.broadcast is None
        assert len(servers.wires.published) == told, "nobody hears it"
        stream = beside.watch(servers.table.table_id)
        await runtime.idle()
        assert stream.told()[0].snapshot.sequence == servers.table.actor.sequence

    simulated(6)(scenario)()
