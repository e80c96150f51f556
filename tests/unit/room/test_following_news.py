"""What no record tells of a table goes between its owner and those who follow it: presence, deadlines, halts."""

from __future__ import annotations

from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.support.followed import Server, Servers, Strict, play_on, seated
from tests.support.stopped import halt, resolve

from croupier.engine import commands as cmd
from croupier.engine.actions import ALL_IN
from croupier.room.actor import TableActor
from croupier.room.broadcast import LEASE_NS
from croupier.room.clock import MOST_DELAY_NS
from croupier.room.run_outs import RunOut

AUDITOR = X25519PrivateKey.generate().public_key().public_bytes_raw().hex()
SEALS: list[dict[str, Any]] = [
    {},
    {"hand_keys": "destroy"},
    {"hand_keys": "escrow", "auditor_key": AUDITOR},
]


class Calm(Strict):
    """Tables may halt."""

    def table_halted(self, table_id: str, violation: Exception) -> None: ...


async def two(
    runtime: SimulatedRuntime, game: str = "holdem", players: int = 3, **rules: Any
) -> tuple[Servers, Server]:
    servers = Servers(await seated(runtime, game, players, **rules))
    return servers, servers.beside("beside")


def disconnected(servers: Servers, player_id: str) -> bool:
    """As the owner takes it, for a player who has timed out."""
    actor = servers.table.actor
    number = actor.table.seat_of(player_id)
    actor.table.seats[number].time_outs = 1
    return actor.clock.disconnected(actor.table, number)


@simulated()
async def test_whoever_watches_through_a_follower_is_connected(runtime: SimulatedRuntime) -> None:
    """R-T15."""
    servers, beside = await two(runtime)
    stream = beside.watch(servers.table.table_id, "anna")
    await runtime.idle()
    assert not disconnected(servers, "anna")
    stream.leave()
    await runtime.idle()
    assert disconnected(servers, "anna")
    stream = beside.watch(servers.table.table_id, "anna")
    again = beside.watch(servers.table.table_id, "anna")
    await runtime.sleep(3 * LEASE_NS / NS)
    assert not disconnected(servers, "anna")
    stream.leave()
    await runtime.sleep(1)
    assert not disconnected(servers, "anna"), "another stream is open"
    again.leave()
    await runtime.idle()
    assert disconnected(servers, "anna")


@simulated()
async def test_whoever_watches_through_a_server_that_dies_is_disconnected(runtime: SimulatedRuntime) -> None:
    """R-T15: within the lease; and connected again through any other."""
    servers, beside = await two(runtime)
    beside.watch(servers.table.table_id, "anna")
    await runtime.idle()
    beside.bus.cut()
    await runtime.sleep(LEASE_NS / NS - 4)
    assert not disconnected(servers, "anna")
    await runtime.sleep(4)
    assert disconnected(servers, "anna")
    assert servers.table.actor.broadcast is None
    beside.bus.mend()
    await runtime.idle()
    assert not disconnected(servers, "anna")


@simulated()
async def test_a_new_owner_knows_who_is_connected(runtime: SimulatedRuntime) -> None:
    """R-T15: whoever watches at the owner before, at the new one, or elsewhere."""
    servers, beside = await two(runtime)
    third = servers.beside("third")
    table_id = servers.table.table_id
    first = servers.owner
    streams = [
        server.watch(table_id, player)
        for server, player in ((first, "anna"), (beside, "bert"), (third, "cleo"))
    ]
    await runtime.idle()
    await servers.move(beside)
    await runtime.idle()
    for player, stream in zip(("anna", "bert", "cleo"), streams, strict=True):
        assert not disconnected(servers, player)
        stream.leave()
        await runtime.idle()
        assert disconnected(servers, player)


@simulated()
async def test_a_deadline_moved_without_a_record_is_told(runtime: SimulatedRuntime) -> None:
    """R-T15: after a stopped process, a slow disk, a lost record, and a takeover."""
    servers, beside = await two(runtime)
    table = servers.table
    follower = await beside.follower(table.table_id)

    def must_be_told(whole: int) -> None:
        assert table.decision.deadline == whole
        assert follower.view("") == table.actor.view("")

    await runtime.sleep(3)
    table.actor.clock.deadline = runtime.now() - 2 * NS
    table.actor.schedule.rang()
    await runtime.idle()
    must_be_told(runtime.now() + 20 * NS)
    table.store.hold()
    there, here = (server.watch(table.table_id) for server in (servers.owner, beside))
    begun = runtime.begin(play_on(table, Random(6)))
    await runtime.sleep(5)
    table.store.release()
    await begun
    await runtime.idle()
    assert MOST_DELAY_NS < 5 * NS
    must_be_told(runtime.now() + 20 * NS)
    assert there.events() == here.events() != []
    told = [message.events.next_decision for message in (*there.told(), *here.told())][-1]
    assert told.deadline_time.ToNanoseconds() == table.decision.deadline
    await runtime.sleep(4)
    table.store.fail_next()
    await runtime.begin(table.check_or_call()).failure()
    await runtime.sleep(1)
    must_be_told(runtime.now() + 19 * NS)
    third = servers.beside("third")
    await runtime.sleep(3)
    await servers.move(third)
    await runtime.idle()
    must_be_told(runtime.now() + 20 * NS)


@simulated()
async def test_a_halted_table_ends_streams_and_goes_on_once_resolved(runtime: SimulatedRuntime) -> None:
    servers, beside = await two(runtime)
    table = servers.table
    table.services.observer = Calm()
    streams = [server.watch(table.table_id, "anna") for server in (servers.owner, beside)]
    await runtime.idle()
    await halt(table)
    for stream in streams:
        assert (stream.over, stream.end()) == (True, "TABLE_HALTED")
    assert streams[0].messages == streams[1].messages
    follower = await beside.follower(table.table_id)
    assert follower.view("") == table.actor.view("")
    assert follower.view("").state == "HALTED"
    late = servers.beside("late")
    for server in (beside, late):
        stream = server.watch(table.table_id)
        await runtime.idle()
        assert [one.ListFields()[0][0].name for one in stream.told()] == ["snapshot", "end"]
        assert stream.end() == "TABLE_HALTED"
    await resolve(table, void=True)
    await table.change_state(cmd.ResumeTable())
    await runtime.idle()
    streams = [server.watch(table.table_id, "anna") for server in (servers.owner, beside, late)]
    await runtime.idle()
    random = Random(1)
    for _ in range(30):
        await play_on(table, random)
    assert not any(stream.over for stream in streams)
    assert streams[0].events() == streams[1].events() == streams[2].events() != []
    assert follower.view("anna") == table.actor.view("anna")


@simulated()
async def test_a_closed_table_ends_streams(runtime: SimulatedRuntime) -> None:
    servers, beside = await two(runtime)
    table = servers.table
    await beside.follower(table.table_id)
    streams = [server.watch(table.table_id) for server in (servers.owner, beside)]
    await runtime.idle()
    await table.close()
    await table.check_down()
    await runtime.sleep(1)
    for stream in streams:
        assert (stream.over, stream.end()) == (True, "TABLE_CLOSED")
    assert streams[0].messages == streams[1].messages
    late = servers.beside("late").watch(table.table_id)
    await runtime.idle()
    assert late.end() == "TABLE_CLOSED"
    assert late.told()[0].snapshot.sequence == table.actor.sequence
    assert servers.wires.served == {}
    await runtime.sleep(5)
    assert not any(servers.wires.heard.values()), "nobody listens for news of it any more"


@simulated()
async def test_an_annotation_made_where_nobody_watches_comes_to_those_who_do(
    runtime: SimulatedRuntime,
) -> None:
    servers, beside = await two(runtime)
    told: list[RunOut] = []

    def annotate(actor: TableActor, run_out: RunOut) -> None:
        told.append(run_out)
        assert actor.heard()
        actor.annotate(run_out.record, b"\x2a\x00")

    servers.table.services.on_run_out = annotate
    stream = beside.watch(servers.table.table_id)
    await runtime.idle()
    while not told:
        await servers.table.act(ALL_IN)
    assert len(told) == 1
    ended = [
        place
        for place, one in enumerate(stream.told())
        if any(event.HasField("hand_ended") for event in one.events.events)
    ]
    assert stream.messages[ended[0] + 1] == b"\x2a\x00"


@simulated()
async def test_what_an_owner_says_that_was_replaced_is_not_believed(runtime: SimulatedRuntime) -> None:
    servers, beside = await two(runtime)
    table = servers.table
    follower = await beside.follower(table.table_id)
    stale, broadcast = table.actor, table.actor.broadcast
    assert broadcast is not None
    await servers.take(servers.beside("third"))
    await play_on(table, Random(1))
    stream = beside.watch(table.table_id)
    await runtime.idle()
    stale.halted = "by itself"
    broadcast.stand()
    await runtime.idle()
    assert not stream.over
    assert not follower.halted
    assert follower.view("") == table.actor.view("")
