"""Pairs of worlds: played, and compared item by item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.support.veil import dealt_by
from tests.support.worlds.cards import SAME
from tests.support.worlds.plans import Plan, plan
from tests.support.worlds.play import play
from tests.support.worlds.served import in_simulated_time, logged
from tests.support.worlds.setting import begin
from tests.support.worlds.told import Parted, parted
from tests.support.worlds.viewers import Viewer
from tests.support.worlds.world import World


class Pair(NamedTuple):
    """Two worlds, and where they part; None where the viewer cannot tell which is which."""

    plan: Plan
    one: World
    other: World
    parted: Parted | None

    def decks(self) -> Iterator[tuple[bytes, bytes]]:
        """By hand what each card became in the other world, and what it would have to remain the same."""
        for mixed in self.other.mixed.values():
            yield mixed, SAME


def alone(number: int) -> World:
    """The first world of a pair."""
    return _world(plan(number), None)


def played(number: int, viewer: Viewer | None = None) -> Pair:
    """The pair of that number; with another viewer, where one is given."""
    wanted = plan(number)
    if viewer is not None:
        wanted = wanted._replace(viewer=viewer)
    one = _world(wanted, None)
    random = Random(f"mixed {number}")
    mixed = {
        hand: seen.other(random, wanted.viewer.sees, through=wanted.through)
        for hand, seen in sorted(one.seen.items())
    }
    other = _world(wanted, mixed)
    return Pair(wanted, one, other, parted(one.told, other.told) or _sealed(one, other))


def _world(wanted: Plan, mixed: Mapping[int, bytes] | None) -> World:
    worlds: list[World] = []

    async def scenario(runtime: SimulatedRuntime) -> None:
        with in_simulated_time(runtime), logged() as log:
            world = World(wanted, mixed, log, runtime)
            worlds.append(world)
            with dealt_by(world.deal):
                await begin(world)
                await play(world)
                await runtime.stop()

    simulated(wanted.number)(scenario)()
    return worlds[0]


def _sealed(one: World, other: World) -> Parted | None:
    """What is at rest tells nothing by its length either; how well it is sealed is tested apart."""
    lengths = [str(world.sealed_lengths()).encode() for world in (one, other)]
    return Parted("lengths of what is sealed", *lengths) if lengths[0] != lengths[1] else None
