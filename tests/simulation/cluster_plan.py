"""What a seed decides before several nodes play it: the tables, and which outages there are."""

from __future__ import annotations

from typing import Final

import msgspec
from tests.simulation.chance import Chance
from tests.simulation.scenario import Scenario, scenario
from tests.simulation.world import MS, NS

OUTAGES: Final = (
    "kill",
    "stop",
    "rolling",
    "stall",
    "store cut",
    "store one way",
    "bus cut",
    "bus one way",
    "both cut",
    "bus restart",
    "store restart",
)
MOST_HANDS: Final = 8


class ClusterPlan(msgspec.Struct, frozen=True):
    """`outages` are those that happen, one every `between` nanoseconds or so; `skews` are how wrong clocks may be."""

    scenario: Scenario
    outages: tuple[str, ...]
    between: int
    skews: tuple[int, ...]
    lost_bus_message: int
    slow_way: int


def cluster_plan(chance: Chance) -> ClusterPlan:
    """Faults of one server alone are left to the simulation of one server; those of networks are kept."""
    played = scenario(chance.child("tables"))
    faults = msgspec.structs.replace(
        played.faults, crash=0, torn_commit=0, failed_commit=0, slow_commit=0, failed_recovery=0, stall=0
    )
    some = tuple([one for one in OUTAGES if chance.one_in(2)]) or (chance.choice(OUTAGES),)
    return ClusterPlan(
        scenario=msgspec.structs.replace(
            played, faults=faults, tables=played.tables[:3], hands=chance.between(2, MOST_HANDS)
        ),
        outages=some,
        between=chance.choice((6 * NS, 12 * NS, 25 * NS)),
        skews=chance.choice(((0,), (0, 20 * MS, -20 * MS), (-2 * NS, 0, 2 * NS), (-30 * NS, 0, 3600 * NS))),
        lost_bus_message=chance.choice((0, 0, 200, 50)),
        slow_way=chance.choice((0, 0, 300, 60)),
    )
