"""Two worlds that differ in concealed cards alone: no read of a settled hand tells them apart, in any format."""

from __future__ import annotations

from random import Random

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.property.test_two_worlds import PLAYERS, World, one_step
from tests.support.veil import dealt_by

from croupier.adapters.rpc.hand_servicer import HandServicer
from croupier.adapters.rpc.watch_stream import WatchStream
from croupier.room.observer import Unobserved
from croupier.room.principal import LOCAL
from croupier.v1 import settlement_service_pb2 as pb
from croupier.v1.table_service_pb2 import WatchTableRequest

HANDS = 8
RUNS = 40


class ReadWorld(World):
    """Counts what was read of hands."""

    looks = 0


async def play(runtime: SimulatedRuntime, world: ReadWorld, seed: int) -> None:
    """Hands as the seed wills, until cards are turned up; each is read in every way as soon as it is settled."""
    world.table = table = await SimulatedTable.open(runtime)
    stream = WatchStream(table.room, runtime, Unobserved())
    asked = WatchTableRequest(table_id=table.table_id, player_id=world.eyes)
    runtime.spawn(stream.watch(LOCAL, asked, world.write))
    for seat, player in enumerate(PLAYERS, start=1):
        await table.sit(player, seat)
    await runtime.idle()
    random, read = Random(seed), 0
    while not world.over and table.actor.decision() is not None and world.hands < HANDS:
        await one_step(table, world, random)
        while not world.over and read + 1 < table.decision.hand_number:
            read += 1
            await look(table, world, read)


async def look(table: SimulatedTable, world: ReadWorld, number: int) -> None:
    """The hand as the world's eyes are told of it."""
    await table.sleep(0.6)
    servicer = HandServicer(table.room.records, table.room.verification)
    named = {"hand_id": f"{table.table_id}/{number}", "player_id": world.eyes}
    listed = pb.ListHandsRequest(table_id=table.table_id, player_id=world.eyes, page_size=1)
    for told in (
        await servicer.get_hand(LOCAL, pb.GetHandRequest(**named)),
        await servicer.verify_hand(LOCAL, pb.VerifyHandRequest(**named)),
        await servicer.list_hands(LOCAL, listed),
        await servicer.export_hand(LOCAL, pb.ExportHandRequest(**named, format=pb.HAND_FORMAT_PHH)),
        await servicer.export_hand(LOCAL, pb.ExportHandRequest(**named, format=pb.HAND_FORMAT_OHH)),
    ):
        world.tell(told.SerializeToString(deterministic=True))
        world.looks += 1


def played(world: ReadWorld, seed: int) -> ReadWorld:
    async def scenario(runtime: SimulatedRuntime) -> None:
        await play(runtime, world, seed)

    with dealt_by(world.deal):
        simulated(seed)(scenario)()
    return world


@pytest.mark.parametrize("viewer", ["", *PLAYERS])
def test_a_settled_hand_tells_nobody_of_cards_that_were_never_shown(viewer: str) -> None:
    looks = 0
    for seed in range(RUNS):
        one, other = (played(ReadWorld(viewer, seed, other=other), seed) for other in (False, True))
        assert one.told == other.told, seed
        looks += one.looks
    assert looks > RUNS


def test_the_worlds_of_hands_do_differ() -> None:
    """Seen through the eyes of one whose cards are others, the comparison would see it."""
    worlds = []
    for other in (False, True):
        world = ReadWorld("bert", 1, other=other)
        world.eyes = "anna"
        worlds.append(played(world, 1))
    assert worlds[0].looks
    assert worlds[0].told != worlds[1].told
