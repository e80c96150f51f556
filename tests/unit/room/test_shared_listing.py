"""Lists of all servers' tables: whole, or refused; in simulated time, with other servers that answer or do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import msgspec
import pytest
from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.support.houses import table_rules

from croupier.room.cluster_ports import Fleet, NobodyThere, Place
from croupier.room.everyone import PATIENCE_NS, Everyone
from croupier.room.failures import Refusal, ServerSilent
from croupier.room.listing import FIRST, ListedTable, Listing, Wanted
from croupier.room.node_calls import MOST_DESCRIBED, Describe, NodeCall, NodeCalls, Where
from croupier.room.shared_listing import SharedListing

RULES = table_rules()


class Others:
    """Servers with tables, by the store and by what they say; `silent` are those who do not answer."""

    node_id = "here"
    reachable = True

    def __init__(self, runtime: SimulatedRuntime, **tables: int) -> None:
        self.runtime = runtime
        self.places = [
            Place(number, f"{node}-{number:04}", "house", node)
            for node, count in tables.items()
            for number in range(1, count + 1)
        ]
        self.silent: set[str] = set()
        self.scenes: dict[str, str] = {}
        self.concerned: set[str] = set()
        self.asked: list[NodeCall] = []
        self.at_look: Callable[[], None] = lambda: None

    async def listed(self, after: tuple[int, str], limit: int, _: Any = None) -> list[Place]:
        self.at_look()
        return sorted((one for one in self.places if one.order > after), key=lambda one: one.order)[:limit]

    async def nodes(self) -> list[Any]:
        return []

    async def chips_at(self, _: str, __: str) -> list[str]:
        return ["by the ledger"]

    async def ask(self, node_id: str, call: Describe, _: object, __: float) -> Any:
        self.asked.append(call)
        if node_id in self.silent:
            raise NobodyThere
        own = {one.table_id: one for one in self.places if one.owner == node_id}
        return [
            ListedTable(
                one,
                own[one].created_time,
                1,
                "",
                msgspec.structs.replace(RULES, local_scene=self.scenes.get(one, "")),
                "OPEN",
                0,
                0,
                concerned=one in self.concerned,
            )
            for one in call.table_ids
            if one in own
        ]

    def listing(self) -> SharedListing:
        everyone = Everyone(self.runtime, cast("NodeCalls", self))
        return SharedListing(self.runtime, cast("Fleet", self), everyone, Listing(list))


async def page(others: Others, count: int, **wanted: Any) -> list[str]:
    listed = await others.listing().page(Wanted(**wanted), FIRST, count)
    return [one.table_id for one in listed]


@simulated()
async def test_pages_are_merged_in_the_order_of_creation(runtime: SimulatedRuntime) -> None:
    others = Others(runtime, a=3, b=2)
    assert await page(others, 9) == ["a-0001", "b-0001", "a-0002", "b-0002", "a-0003"]
    assert await page(others, 2) == ["a-0001", "b-0001"]


@simulated()
async def test_no_question_is_longer_than_what_a_bus_answers(runtime: SimulatedRuntime) -> None:
    others = Others(runtime, a=2 * MOST_DESCRIBED + 1)
    assert len(await page(others, 1000)) == 2 * MOST_DESCRIBED + 1
    asked = [len(call.table_ids) for call in others.asked if isinstance(call, Describe)]
    assert asked == [MOST_DESCRIBED, MOST_DESCRIBED, 1]


@simulated()
async def test_a_player_is_listed_what_its_scene_or_its_owner_shows(runtime: SimulatedRuntime) -> None:
    """R-T6: owners say which tables concern the player."""
    others = Others(runtime, a=2, b=2)
    others.scenes = {"a-0001": "inn", "a-0002": "den", "b-0001": "den"}
    others.concerned = {"b-0001"}
    assert await page(others, 9, player_id="anna") == ["b-0001", "b-0002"]
    assert await page(others, 9, player_id="anna", scene="inn") == ["a-0001", "b-0001", "b-0002"]
    assert {call.player_id for call in others.asked if isinstance(call, Describe)} == {"anna"}
    assert await page(others, 9, scene="inn") == ["a-0001", "b-0002"]
    assert len(await page(others, 9)) == 4


@simulated()
async def test_a_table_that_nobody_tells_of_makes_the_list_fail(runtime: SimulatedRuntime) -> None:
    others = Others(runtime, a=3, b=2)
    others.silent = {"b"}
    began = runtime.now()
    with pytest.raises(Refusal) as told:
        await page(others, 9)
    assert (told.value.reason, told.value.facts["table_id"]) == ("TABLE_MOVING", "b-0001")
    assert PATIENCE_NS <= runtime.now() - began < PATIENCE_NS + NS


@simulated()
async def test_a_table_that_moves_meanwhile_is_listed_and_one_that_closes_is_not(
    runtime: SimulatedRuntime,
) -> None:
    others = Others(runtime, a=1, b=2)
    others.silent = {"b"}
    looks = 0

    def move() -> None:
        nonlocal looks
        looks += 1
        if looks == 3:
            others.places = [others.places[0], Place(1, "b-0001", "house", "a")]

    others.at_look = move
    assert await page(others, 9) == ["a-0001", "b-0001"]


@simulated()
async def test_a_player_of_a_table_that_no_server_has_for_the_moment_is_there_by_the_ledger(
    runtime: SimulatedRuntime,
) -> None:
    assert await Others(runtime).listing().where(Where("anna")) == ["by the ledger"]


@simulated()
async def test_where_a_player_is_by_the_ledger_while_others_cannot_be_asked(
    runtime: SimulatedRuntime,
) -> None:
    others = Others(runtime)
    others.reachable = False
    assert await others.listing().where(Where("anna", waiting=True)) == ["by the ledger"]
    with pytest.raises(ServerSilent):
        await others.listing().where(Where("anna"))
