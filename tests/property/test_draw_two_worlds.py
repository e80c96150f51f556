"""Two worlds of five-card draw, unlike in concealed cards alone: up to the showdown no viewer can tell them apart."""

from __future__ import annotations

from random import Random

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.property.test_two_worlds import World
from tests.support.draw_tables import discard, five_aces, hand_of, held
from tests.support.houses import HOUSES
from tests.support.veil import dealt_by

from croupier.adapters.rpc.table_servicer import TableServicer
from croupier.adapters.rpc.watch_stream import WatchStream
from croupier.engine import actions
from croupier.engine.rotation import plan_hand
from croupier.room.exchange import Discard
from croupier.room.failures import Refusal
from croupier.room.observer import Unobserved
from croupier.room.principal import LOCAL
from croupier.v1.table_service_pb2 import GetServerInfoResponse, GetTableRequest, WatchTableRequest

PLAYERS = ("anna", "bert", "cleo")
HANDS = 6
RUNS = 30


class DrawWorld(World):
    """A viewer who draws sees cards of the stub: then that is the same in both worlds, else it is another too."""

    def __init__(self, viewer: str, seed: int, *, other: bool, draws: bool) -> None:
        super().__init__(viewer, seed, other=other)
        self.draws = draws
        self._chance = Random(seed)
        self._is_other = other

    def deal(self, _: bytes) -> bytes:
        plan = plan_hand(self.table.actor.table)
        assert plan is not None
        self.hands += 1
        count = len(plan.seats)
        deck = bytearray(self._chance.sample(range(52), 52))
        own = self.table.actor.table.seat_of(self.viewer)
        kept = {plan.seats.index(own) + turn * count for turn in range(5)} if own in plan.seats else set()
        if self.draws:
            kept |= set(range(5 * count, 52))
        free = [place for place in range(52) if place not in kept]
        cards = [deck[place] for place in free]
        self._chance.shuffle(cards)
        if self._is_other:
            for place, card in zip(free, cards, strict=True):
                deck[place] = card
        return bytes(deck)


async def one_step(table: SimulatedTable, world: DrawWorld, random: Random) -> None:
    luck, most, decision = random.random(), random.randrange(4), table.decision
    legal = decision.legal
    try:
        if luck < 0.1:
            await table.time_out()
        elif legal.can_draw and luck < 0.2:
            await table.act(Discard(held(table, decision.player_id)[:1] * 2))
        elif legal.can_draw:
            pat = decision.player_id == world.viewer and not world.draws
            await discard(table, 0 if pat else most)
        elif luck < 0.2:
            await table.act(Discard(b""))
        elif luck < 0.3 or (luck < 0.5 and legal.call_amount):
            await table.act(actions.FOLD)
        elif legal.max_bet_to:
            await table.act(actions.BetTo(1 + most))
        else:
            await table.act(actions.CALL if legal.call_amount else actions.FOLD)
    except Refusal as refusal:
        world.tell(f"{refusal.reason} {refusal.facts}")


async def play(runtime: SimulatedRuntime, world: DrawWorld, seed: int) -> int:
    """Hands as the seed wills, in the viewer's eyes; how many cards were drawn."""
    world.table = table = await SimulatedTable.open(runtime, **five_aces())
    stream = WatchStream(table.room, runtime, Unobserved())
    servicer = TableServicer(table.room, runtime, HOUSES, GetServerInfoResponse())
    asked = WatchTableRequest(table_id=table.table_id, player_id=world.eyes)
    runtime.spawn(stream.watch(LOCAL, asked, world.write))
    for seat, player in enumerate(PLAYERS, start=1):
        await table.sit(player, seat)
    await runtime.idle()
    random = Random(seed)
    drawn = 0
    while not world.over and table.actor.decision() is not None and world.hands < HANDS:
        drawn = max(drawn, sum(hand_of(table).drawn_count))
        await one_step(table, world, random)
        if not world.over:
            request = GetTableRequest(table_id=table.table_id, player_id=world.eyes)
            world.tell((await servicer.get_table(LOCAL, request)).SerializeToString(deterministic=True))
    return drawn


def played(world: DrawWorld, seed: int) -> int:
    drawn = 0

    async def scenario(runtime: SimulatedRuntime) -> None:
        nonlocal drawn
        drawn = await play(runtime, world, seed)

    with dealt_by(world.deal):
        simulated(seed)(scenario)()
    return drawn


@pytest.mark.parametrize("draws", [False, True])
@pytest.mark.parametrize("viewer", ["", *PLAYERS])
def test_what_a_viewer_is_told_does_not_depend_on_cards_that_others_draw(viewer: str, draws: bool) -> None:
    """R-T14."""
    told = drawn = turned_up = 0
    for seed in range(RUNS):
        one, other = (DrawWorld(viewer, seed, other=other, draws=draws) for other in (False, True))
        drawn += played(one, seed)
        played(other, seed)
        assert one.told == other.told, seed
        told += len(one.told)
        turned_up += one.over
    assert told > 20 * RUNS
    assert drawn > RUNS
    assert turned_up > 0, "some runs reach a showdown"


def test_the_worlds_do_differ() -> None:
    """Were a stream to tell of what others draw, the comparison would see it."""
    one, other = (DrawWorld("bert", 2, other=other, draws=True) for other in (False, True))
    one.eyes = other.eyes = "anna"
    played(one, 2)
    played(other, 2)
    assert one.told != other.told
