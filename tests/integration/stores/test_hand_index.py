"""What every store promises of its index of settled hands, of the one on disk and of the fake alike."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.support.stores import opened
from tests.support.units import TableUnits, outcome_of

from croupier.adapters.sqlite.schema import VERSION
from croupier.room.hand_ports import HandPlace, HandQuery, SettledHand
from croupier.room.ports import Store


def hand(table_id: str, number: int, ended_time: int, *players: str) -> SettledHand:
    return SettledHand(HandPlace(table_id, number, 10 * number, 10 * number + 9, ended_time), players)


HANDS = (
    hand("t", 1, 100, "ann", "bob"),
    hand("u", 1, 100, "ann", "cat"),
    hand("t", 2, 200, "ann", "bob"),
    hand("t", 3, 300, "bob", "cat"),
    hand("u", 2, 250, "ann", "bob"),
)


async def tables(store: Store, *names: str) -> None:
    for name in names:
        await outcome_of(store, TableUnits(name).created())


async def listed(store: Store, limit: int = 100, **query: object) -> list[tuple[str, int]]:
    found = await store.hands(HandQuery(limit, **query))  # type: ignore[arg-type]
    return [(place.table_id, place.hand_number) for place in found]


async def test_hands_are_found_by_table_player_and_time(store: Store) -> None:
    await tables(store, "t", "u")
    await store.index_hands(HANDS)
    assert await listed(store, table_id="t") == [("t", 3), ("t", 2), ("t", 1)]
    assert await listed(store, player_id="ann") == [("u", 2), ("t", 2), ("u", 1), ("t", 1)]
    assert await listed(store, player_id="bob", table_id="t") == [("t", 3), ("t", 2), ("t", 1)]
    assert await listed(store, player_id="cat", table_id="u") == [("u", 1)]
    assert await listed(store, table_id="t", from_time=200) == [("t", 3), ("t", 2)]
    assert await listed(store, table_id="t", to_time=200) == [("t", 1)]
    assert await listed(store, player_id="bob", from_time=200, to_time=300) == [("u", 2), ("t", 2)]
    assert await listed(store, table_id="nowhere") == []
    assert await listed(store, player_id="nobody") == []


async def test_pages_hold_and_end_at_hands_of_some_houses_alone(store: Store) -> None:
    for name, house_id in (("t", "hidden"), ("u", "ocean"), ("v", "ocean")):
        await outcome_of(store, TableUnits(name, house_id=house_id).created())
    await store.index_hands((*HANDS, hand("v", 1, 120, "ann", "bob")))
    ocean: dict[str, Any] = {"houses": ("ocean", "other"), "player_id": "ann"}
    assert await listed(store, **ocean) == [("u", 2), ("v", 1), ("u", 1)]
    assert await listed(store, 1, **ocean) == [("u", 2)]
    second = HandPlace("u", 2, 0, 0, 250)
    assert await listed(store, 1, **ocean, before=second) == [("v", 1)]
    assert await listed(store, houses=("ocean",), table_id="t") == []
    assert await listed(store, houses=(), player_id="ann") == []
    assert len(await listed(store, houses=("ocean", "hidden"), player_id="ann")) == 5


@pytest.mark.parametrize(
    "query",
    [HandQuery(100, table_id="t"), HandQuery(100, player_id="ann"), HandQuery(100, player_id="bob")],
    ids=["table", "ann", "bob"],
)
async def test_pages_add_up_to_the_list(store: Store, query: HandQuery) -> None:
    await tables(store, "t", "u")
    await store.index_hands(HANDS)
    whole = await store.hands(query)
    assert len(whole) > 2
    for size in (1, 2, 3):
        paged: list[HandPlace] = []
        while page := await store.hands(
            msgspec.structs.replace(query, limit=size, before=paged[-1] if paged else None)
        ):
            paged += page
        assert paged == whole


async def test_a_hand_is_found_by_its_number_where_it_lies(store: Store) -> None:
    await tables(store, "t", "u")
    await store.index_hands(HANDS)
    assert await store.find_hand("t", 2) == HANDS[2].place
    assert await store.find_hand("t", 4) is None
    assert await store.find_hand("nowhere", 1) is None


async def test_a_hand_told_twice_stays_as_it_was(store: Store) -> None:
    await tables(store, "t", "u")
    await store.index_hands(HANDS)
    await store.index_hands(HANDS[:2])
    assert len(await store.hands(HandQuery(100, table_id="t"))) == 3


async def test_tables_with_hands_beyond_the_index_are_named(store: Store) -> None:
    """A checkpoint ends a hand: a table whose last one lies behind its last hand here is behind."""
    table, idle = TableUnits("t"), TableUnits("u")
    for unit in (table.created(), idle.created(), table.unit(checkpoint=True), table.unit()):
        await outcome_of(store, unit)
    assert await store.unindexed() == {"t": 0}
    place = HandPlace("t", 1, 2, 2, 1)
    await store.index_hands([SettledHand(place, ("ann",))])
    assert await store.unindexed() == {}
    await outcome_of(store, table.unit(checkpoint=True))
    assert await store.unindexed() == {"t": 2}


async def test_a_file_from_before_there_was_an_index_gets_one(tmp_path: Path) -> None:
    async with opened("sqlite", tmp_path) as store:
        table = TableUnits("t")
        for unit in (table.created(), table.unit(checkpoint=True)):
            await outcome_of(store, unit)
    with sqlite3.connect(tmp_path / "store.db") as connection:
        connection.executescript(
            "DROP TABLE hands; DROP TABLE hand_players; DROP TABLE hand_keys; DROP TABLE operations;"
            "DROP TABLE master_key;"
            "ALTER TABLE entry_sets DROP COLUMN hash;"
            "ALTER TABLE requests DROP COLUMN hash; PRAGMA user_version = 1"
        )
    connection.close()
    async with opened("sqlite", tmp_path) as store:
        assert await store.unindexed() == {"t": 0}
        await store.index_hands([SettledHand(HandPlace("t", 1, 2, 2, 1), ("ann",))])
        assert await listed(store, player_id="ann") == [("t", 1)]
    connection = sqlite3.connect(tmp_path / "store.db")
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
    connection.close()
