"""Hands of a table are read from its journal together: each record once, and none that no hand asked for needs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import cast
from unittest.mock import patch

import msgspec
import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.record_tables import PLAYERS, TABLES, played, records
from tests.support.seated import PLAYERS as SEATED
from tests.support.seated import fold_out, next_hand, table_of

from croupier.room import codec
from croupier.room.hand_ports import HandPlace, HandQuery
from croupier.room.ports import Record
from croupier.room.records import HandRecord

HANDS = 30


class Reads:
    """Records that a store gave away, and those of them that were decoded."""

    def __init__(self) -> None:
        self.calls = 0
        self.given = 0
        self.decoded = 0


@contextmanager
def counted(table: SimulatedTable) -> Iterator[Reads]:
    reads = Reads()
    store, decode = type(table.store).records, codec.decode

    async def given(*asked: object, after_record: int = 0) -> list[Record]:
        found = await store(*asked, after_record=after_record)  # type: ignore[arg-type]
        reads.calls += 1
        reads.given += len(found)
        return found

    def decoded(body: bytes, format_version: int) -> codec.Body:
        reads.decoded += 1
        return decode(body, format_version)

    with patch.object(type(table.store), "records", given), patch.object(codec, "decode", decoded):
        yield reads


async def matching(table: SimulatedTable, viewer: str, **query: object) -> list[HandRecord]:
    """What a list has, in the order that hands were played."""
    asked = HandQuery(1000, table.table_id, **query)  # type: ignore[arg-type]
    return cast("list[HandRecord]", await table.room.records.matching(asked, viewer))[::-1]


def without_events(record: HandRecord) -> HandRecord:
    return msgspec.structs.replace(record, told=())


@pytest.mark.parametrize("code", TABLES)
def test_a_list_tells_of_each_hand_what_the_hand_does(code: str) -> None:
    """However the records of hands are cut into pages, and whether or not others lie between."""

    @simulated(2)
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await played(runtime, code, 2, HANDS, show_window_ms=5000)
        for viewer in ("", *PLAYERS[:2]):
            whole = [without_events(record) for record in await records(table, viewer)]
            assert len(whole) >= HANDS
            for page, apart in ((1, 64), (40, 64), (256, -1), (256, 10**6)):
                with (
                    patch("croupier.room.hand_reading.PAGE", page),
                    patch("croupier.room.hand_reading._APART", apart),
                ):
                    assert await matching(table, viewer) == whole
                    before = whole[HANDS // 2].place
                    assert await matching(table, viewer, before=before) == whole[: HANDS // 2]
                    mine = [one for one in whole if "anna" in {seat.player_id for seat in one.seats}]
                    assert await matching(table, viewer, player_id="anna") == mine

    scenario()


@simulated(2)
async def test_one_damaged_hand_hides_no_other(runtime: SimulatedRuntime) -> None:
    table = await played(runtime, "NT", 2, HANDS)
    whole = await matching(table, "")
    damaged = whole[HANDS // 2]
    store = type(table.store).records

    async def spoilt(*asked: object, after_record: int = 0) -> list[Record]:
        found = await store(*asked, after_record=after_record)  # type: ignore[arg-type]
        sequence = damaged.place.first_sequence
        return [msgspec.structs.replace(one, body=b"") if one.sequence == sequence else one for one in found]

    with patch.object(type(table.store), "records", spoilt):
        told = await matching(table, "")
    assert told == [damaged.place if one == damaged else one for one in whole]


@simulated()
async def test_a_list_decodes_each_record_once(runtime: SimulatedRuntime) -> None:
    """However long cards may be shown, and however many hands were played meanwhile."""
    table = await played(runtime, "NT", 3, 3 * HANDS, show_window_ms=600_000)
    count = len(await table.store.records(table.table_id, 0, 10**9))
    with counted(table) as reads:
        assert len(await matching(table, "anna")) >= 3 * HANDS
    assert reads.decoded <= count
    assert reads.given <= count + reads.calls
    assert reads.calls <= count // 256 + 2


@simulated()
async def test_a_hand_is_read_no_further_than_the_next_one_ends(runtime: SimulatedRuntime) -> None:
    table = await played(runtime, "NT", 3, 3 * HANDS, show_window_ms=600_000)
    hands = [record.place for record in await matching(table, "")]
    for place, following in pairwise(hands):
        with counted(table) as reads:
            assert await table.room.records.get(table.table_id, place.hand_number, "anna") is not None
        assert reads.decoded <= 2 * _length(place) + 2 * _length(following) + 10


def _length(place: HandPlace) -> int:
    return place.last_sequence - place.first_sequence + 1


@simulated()
async def test_cards_shown_while_the_next_hand_is_played_are_told_of_theirs(
    runtime: SimulatedRuntime,
) -> None:
    """R-H9: by the hand alone, and by lists with and without the hand that was being played."""
    table = await table_of(runtime, *SEATED, show_window_ms=60_000)
    await next_hand(table)
    number = table.actor.table.carried.hand_number - 1
    await table.show("bert", number)
    await next_hand(table)
    await fold_out(table)
    await table.sleep(1)
    last = [one.place for one in await matching(table, "")][number]
    assert last.hand_number == number + 1
    alone = await table.room.records.get(table.table_id, number, "")
    assert alone is not None
    for hands in ([alone], await matching(table, ""), await matching(table, "", before=last)):
        shown = {
            record.place.hand_number: [seat.player_id for seat in record.seats if seat.hole_cards]
            for record in hands
        }
        assert {one: players for one, players in shown.items() if players} == {number: ["bert"]}
