"""Two worlds that differ in what is concealed alone: up to the showdown no viewer can tell them apart by a bit.

Concealed are cards, and what other players say in advance (R-T16) and prefer, until it is done.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from random import Random
from types import MappingProxyType
from typing import Any

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.houses import HOUSES
from tests.support.veil import dealt_by

from croupier.adapters.rpc.table_servicer import TableServicer
from croupier.adapters.rpc.watch_stream import WatchStream
from croupier.engine import actions
from croupier.engine import events as ev
from croupier.engine.rotation import plan_hand
from croupier.engine.rules import Structure
from croupier.engine.table_events import AdvanceAction, AdvanceKind, Preferences
from croupier.room.failures import Refusal
from croupier.room.observer import Unobserved
from croupier.room.principal import LOCAL
from croupier.v1.table_service_pb2 import (
    GetServerInfoResponse,
    GetTableRequest,
    WatchTableRequest,
    WatchTableResponse,
)

PLAYERS = ("anna", "bert", "cleo")
CHECK_FOLD = AdvanceAction(AdvanceKind.CHECK_FOLD)
HANDS = 8
RUNS = 40
OTHER_TABLES: tuple[dict[str, Any], ...] = (
    {"game": "omaha_hi_lo", "structure": Structure.POT_LIMIT, "losing_hands_mucked": True},
    {"game": "six_card_omaha", "structure": Structure.FIXED_LIMIT, "big_bet": 4},
    {"structure": Structure.FIXED_LIMIT, "big_bet": 4, "losing_hands_mucked": True, "show_window_ms": 5000},
)


class World:
    """What one viewer is told, in order, until the first cards are turned up; `rules` are what the table changes."""

    def __init__(
        self, viewer: str, seed: int, *, other: bool, rules: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        self.viewer = viewer
        """Whose cards are the same in both worlds."""
        self.eyes = viewer
        """Through whose eyes the table is seen."""
        self.table: SimulatedTable
        self.told: list[bytes | str] = []
        self.hands = 0
        self.said = 0
        self.over = False
        self._seed = seed
        self.other = other
        self.rules = rules

    def deal(self, _: bytes) -> bytes:
        """In place of the shuffle: the hand's deck, or in the other world one like it to the viewer's eyes."""
        plan = plan_hand(self.table.actor.table)
        assert plan is not None
        random = Random(f"{self._seed}/{self.hands}")
        self.hands += 1
        deck = bytes(random.sample(range(52), 52))
        own = self.table.actor.table.seat_of(self.viewer)
        positions = [plan.seats.index(own)] if own in plan.seats else []
        held = self.table.actor.table.hand_rules.game.hole_cards
        return beside(deck, positions, random, len(plan.seats), held) if self.other else deck

    async def write(self, raw: bytes) -> None:
        """In place of the stream."""
        message = WatchTableResponse.FromString(raw)
        shown = [
            number for number, event in enumerate(message.events.events) if event.HasField("hole_cards_shown")
        ]
        if self.over or not shown:
            self.tell(raw)
        else:
            for event in message.events.events[: shown[0]]:
                self.tell(event.SerializeToString())
            self.over = True

    def tell(self, what: bytes | str) -> None:
        if not self.over:
            self.told.append(what)


def beside(deck: bytes, positions: list[int], random: Random, dealt_in: int, held: int) -> bytes:
    """The deck with all cards in other places but those dealt to the positions, and to the board."""
    first = held * dealt_in
    kept = {first + place for place in (1, 2, 3, 5, 7)}
    kept |= {position + turn * dealt_in for position in positions for turn in range(held)}
    free = [place for place in range(52) if place not in kept]
    cards = [deck[place] for place in free]
    random.shuffle(cards)
    other = bytearray(deck)
    for place, card in zip(free, cards, strict=True):
        other[place] = card
    return bytes(other)


async def play(runtime: SimulatedRuntime, world: World, seed: int) -> None:
    """Hands, refusals, reads and time-outs as the seed wills, in the viewer's own eyes."""
    world.table = table = await SimulatedTable.open(runtime, **world.rules)
    stream = WatchStream(table.room, runtime, Unobserved())
    servicer = TableServicer(table.room, runtime, HOUSES, GetServerInfoResponse())
    runtime.spawn(
        stream.watch(LOCAL, WatchTableRequest(table_id=table.table_id, player_id=world.eyes), world.write)
    )
    for seat, player in enumerate(PLAYERS, start=1):
        await table.sit(player, seat)
    await runtime.idle()

    async def look() -> None:
        if not world.over:
            asked = GetTableRequest(table_id=table.table_id, player_id=world.eyes)
            world.tell((await servicer.get_table(LOCAL, asked)).SerializeToString(deterministic=True))

    random = Random(seed)
    while not world.over and table.actor.decision() is not None and world.hands < HANDS:
        await whispers(world, random, look)
        await one_step(table, world, random)
        await look()


async def whispers(world: World, random: Random, look: Callable[[], Awaitable[None]]) -> None:
    """What others say beforehand while the viewer looks: taken back at once, or said a little later, or nothing.

    Before anybody acts the worlds are alike again, but for how often something was said.
    """
    for player in PLAYERS:
        luck, kind = random.random(), random.choice(tuple(AdvanceKind))
        seats = world.table.actor.table.seats
        seat = next((seat for seat in seats.values() if seat.player_id == player), None)
        if seat is None or player in (world.viewer, world.table.decision.player_id) or luck > 0.5:
            continue
        meant = seat.advance
        if world.other:
            await world.table.prefer(player, Preferences(show_losing_hands=luck < 0.3))
            await say(world, player, AdvanceAction(kind, 1 if kind is AdvanceKind.CALL else 0))
            await say(world, player, CHECK_FOLD)
        await look()
        if luck < 0.1:
            await say(world, player, CHECK_FOLD)
        elif world.other:
            await say(world, player, meant)


async def say(world: World, player: str, action: AdvanceAction | None) -> None:
    with suppress(Refusal):
        await world.table.say(player, action)
        world.said += 1


async def one_step(table: SimulatedTable, world: World, random: Random) -> None:
    luck, legal = random.random(), table.decision.legal
    try:
        if luck < 0.1:
            await table.time_out()
        elif luck < 0.2:
            await table.act(actions.RaiseTo(random.choice((1, 10**9))))
        elif luck < 0.5 and legal.call_amount:
            await table.act(actions.FOLD)
        elif luck < 0.7 and (most := legal.max_raise_to or legal.max_bet_to):
            to = min(most, max(legal.min_raise_to, legal.min_bet_to) + random.randrange(20))
            await table.act(actions.RaiseTo(to) if legal.max_raise_to else actions.BetTo(to))
        else:
            await table.check_or_call()
    except Refusal as refusal:
        world.tell(f"{refusal.reason} {refusal.facts}")


def played(world: World, seed: int) -> World:
    async def scenario(runtime: SimulatedRuntime) -> None:
        await play(runtime, world, seed)

    with dealt_by(world.deal):
        simulated(seed)(scenario)()
    return world


@pytest.mark.parametrize("viewer", ["", *PLAYERS])
def test_what_a_viewer_is_told_does_not_depend_on_concealed_cards(viewer: str) -> None:
    """R-T14."""
    told = turned_up = said = in_advance = 0
    for seed in range(RUNS):
        one, other = (played(World(viewer, seed, other=other), seed) for other in (False, True))
        assert one.told == other.told, seed
        told += len(one.told)
        turned_up += one.over
        said += other.said - one.said
        causes = [event.cause for event in one.table.heard(ev.Folded)]
        causes += [event.cause for event in one.table.heard(ev.Checked)]
        in_advance += causes.count(ev.Cause.ADVANCE)
    assert told > 20 * RUNS
    assert said > 20 * RUNS
    assert in_advance > RUNS, "and some of it is done"
    assert 0 < turned_up < RUNS, "some runs reach a showdown, some do not"


@pytest.mark.parametrize("viewer", ["", *PLAYERS])
@pytest.mark.parametrize("rules", OTHER_TABLES, ids=str)
def test_nor_does_it_at_tables_of_other_games(viewer: str, rules: dict[str, Any]) -> None:
    """R-T14, R-H5, R-H9: however many cards are held, and whether losers muck or not."""
    told = turned_up = 0
    for seed in range(RUNS // 4):
        one, other = (played(World(viewer, seed, other=other, rules=rules), seed) for other in (False, True))
        assert one.told == other.told, seed
        told += len(one.told)
        turned_up += one.over
    assert told > 5 * RUNS
    assert turned_up


def test_the_worlds_do_differ() -> None:
    """Were a stream to tell of concealed cards, the comparison would see it."""
    one, other = (World("bert", 1, other=other) for other in (False, True))
    one.eyes = other.eyes = "anna"
    assert played(one, 1).told != played(other, 1).told
