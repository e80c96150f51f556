"""Any server answers any call: what one server opened, played, listed or forbade is the same at every other."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.support.live import HOUSE, Backend, number_of
from tests.support.nodes import Nodes
from tests.support.play_wire import cheapest
from tests.support.vouching import PASS

from croupier.client import CroupierError, Refused
from croupier.v1 import house_pb2
from croupier.v1.operator_service_pb2 import (
    BLOCK_KIND_OPERATOR,
    BLOCK_KIND_SELF_EXCLUSION,
    RESOLVE_OUTCOME_RESUME,
    BlockPlayerResponse,
)
from croupier.v1.table_pb2 import TABLE_STATE_CLOSED, Table
from croupier.v1.table_service_pb2 import EventBatch

pytestmark = pytest.mark.timeout(120)
SETTLED = 20.0


def named(*names: str) -> list[str]:
    """Players whom no other test knows."""
    run = secrets.token_hex(3)
    return [f"{name}-{run}" for name in names]


async def opened(backends: Sequence[Backend], count: int, *players: str, seat_count: int = 6) -> list[str]:
    """So many tables, at one server after another."""
    return [
        await backends[number % len(backends)].open_table(*players, seat_count=seat_count)
        for number in range(count)
    ]


async def tables_at(three: Nodes) -> list[int]:
    """How many open tables each server plays."""
    return [int(server.metric('croupier_tables{state="open"}')) for server in three.all]


async def test_every_server_lists_all_tables_alike_and_page_by_page(backends: list[Backend]) -> None:
    (anna,) = named("anna")
    mine = await opened(backends, 7, anna)
    local = await backends[1].create_table(
        HOUSE, house_pb2.BET_STRUCTURE_NO_LIMIT, 2, 6, local_scene="scene-of-this-test"
    )
    lists = [(await backend.list_tables(page_size=1000)).tables for backend in backends]
    assert lists[0] == lists[1] == lists[2]
    assert [one.table_id for one in lists[0] if one.table_id in mine] == mine
    assert {one.taken_seat_count for one in lists[0] if one.table_id in mine} == {1}
    for backend in backends:
        seen = []
        token = ""
        while page := await backend.list_tables(HOUSE, scene="elsewhere", page_size=3, page_token=token):
            seen += [one.table_id for one in page.tables]
            if not (token := page.next_page_token):
                break
        everywhere = [one.table_id for one in lists[0] if one.table_id != local.table_id]
        assert seen == everywhere
        assert (await backend.list_tables("five_aces")).tables == []
        with pytest.raises(Refused, match="HOUSE_UNKNOWN"):
            await backend.list_tables("no such house")


async def test_tables_that_one_server_opens_are_spread_over_all(
    three: Nodes, backends: list[Backend]
) -> None:
    """Meanwhile none of them is missing from a list."""
    mine = {await backends[0].open_table() for _ in range(24)}
    counts = [len(mine), 0, 0]
    async with asyncio.timeout(SETTLED):
        while min(counts) < len(mine) // 6:
            for backend in backends:
                listed = (await backend.list_tables(page_size=1000)).tables
                assert mine <= {one.table_id for one in listed}
            counts = await tables_at(three)


async def test_a_hand_that_ended_a_moment_ago_is_found_at_every_server(backends: list[Backend]) -> None:
    """GetHand and VerifyHand, before its own server has written it into the index."""
    owner, *others = backends
    (table_id,) = await opened(backends, 1, *named("anna", "bert"))
    decision = await owner.dealt(table_id)
    for number in range(1, 9):
        while number_of(decision) == number:
            decision = await owner.act(table_id, decision, cheapest(decision)) and await owner.dealt(table_id)
        hand_id = f"{table_id}/{number}"
        told = [await backend.get_hand(hand_id) for backend in others]
        assert told[0] == told[1] == await owner.get_hand(hand_id)
        assert (await others[number % 2].verify_hand(hand_id)).hand_id == hand_id
    for unknown in (f"{table_id}/900", "nowhere/1"):
        with pytest.raises(Refused, match="HAND_UNKNOWN"):
            await others[0].get_hand(unknown)


async def test_play_of_all_tables_is_told_of_every_servers(backends: list[Backend]) -> None:
    """Those that open later too, wherever; actions go to their owners."""
    early = await opened(backends, 3, *named("anna", "bert"), seat_count=2)
    heard: dict[str, int] = {}
    async with backends[1].play_stream(all_tables=True) as play, asyncio.timeout(30):
        later = await opened(backends, 3, *named("cleo", "dora"), seat_count=2)
        for table_id in early + later:
            decision = await backends[0].dealt(table_id)
            heard[table_id] = -(await play.act(table_id, decision, cheapest(decision))).sequence
        async for told in play.news():
            if told.table_id in heard and heard[told.table_id] < 0:
                if isinstance(told.news, EventBatch):
                    reached = told.news.events[-1].sequence
                else:
                    assert isinstance(told.news, Table)
                    reached = told.news.sequence
                if reached >= -heard[told.table_id]:
                    heard[told.table_id] = reached
            if min(heard.values()) > 0:
                break


async def test_a_blocked_player_leaves_all_tables_and_gets_no_seat_anywhere(
    backends: list[Backend],
) -> None:
    (zoe,) = named("zoe")
    at = await opened(backends, 5, zoe)
    elsewhere = await opened(backends, 3)
    answer = await backends[2].block_player(zoe, BLOCK_KIND_OPERATOR, "seen cheating")
    assert {*answer.table_ids} == {*at}
    for backend in backends:
        for table_id in elsewhere:
            with pytest.raises(Refused, match="PLAYER_BLOCKED"):
                await backend.reserve_seat(table_id, zoe, 1, vouched=PASS)
    async with asyncio.timeout(20):
        for table_id in at:
            while any(seat.player_id == zoe for seat in (await backends[0].get_table(table_id)).seats):
                await asyncio.sleep(0.02)
    await backends[0].unblock_player(zoe, "it was another")
    await backends[1].sit(elsewhere[0], zoe, 1)


async def test_nobody_sits_once_a_block_is_answered_whoever_tries(backends: list[Backend]) -> None:
    """Seats are asked for at all servers all the while."""
    tables = await opened(backends, 3)
    for player_id in named("anna", "bert", "cleo", "dora"):
        await backends[0].deposit(player_id, "PoE", 1000)
        answered = asyncio.Event()
        sat: list[str] = []

        async def try_to_sit(
            number: int, player_id: str = player_id, answered: asyncio.Event = answered, sat: list[str] = sat
        ) -> None:
            while len(sat) < 50:
                late = answered.is_set()
                with suppress(CroupierError):
                    await backends[number].reserve_seat(tables[number - 1], player_id, 1, vouched=PASS)
                    assert not late, "a blocked player was given a seat"
                    await backends[number].release_seat(tables[number - 1], player_id)
                if late:
                    sat.append(player_id)

        trying = [asyncio.create_task(try_to_sit(number)) for number in range(3)]
        await asyncio.sleep(0.1)
        await backends[0].block_player(player_id, BLOCK_KIND_OPERATOR, "at once")
        answered.set()
        await asyncio.gather(*trying)


async def test_of_two_exclusions_at_once_the_longer_stands_everywhere(backends: list[Backend]) -> None:
    """Each who asks is answered: with the block asked for, or with a longer one that stands."""
    for player_id in named("anna", "bert", "cleo", "dora", "egon"):
        ends = [datetime.now(UTC) + timedelta(days=days) for days in (2, 30, 7)]
        asked = [
            backend.block_player(player_id, BLOCK_KIND_SELF_EXCLUSION, "asked for", until=end)
            for backend, end in zip(backends, ends, strict=True)
        ]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        for answer, end in zip(answers, ends, strict=True):
            if isinstance(answer, BlockPlayerResponse):
                assert answer.block.until_time.ToDatetime(UTC) == end
            else:
                assert isinstance(answer, Refused)
                assert answer.reason == "BLOCK_STANDS"
                until = int(answer.facts["until"])
                assert any(abs(until - longer.timestamp()) <= 1 for longer in ends if longer > end)
        (table_id,) = await opened(backends, 1)
        for backend in backends:
            with pytest.raises(Refused, match="BLOCK_STANDS") as told:
                await backend.block_player(
                    player_id, BLOCK_KIND_SELF_EXCLUSION, "less", until=datetime.now(UTC) + timedelta(days=1)
                )
            assert abs(int(told.value.facts["until"]) - ends[1].timestamp()) <= 1
            with pytest.raises(Refused, match="PLAYER_BLOCKED"):
                await backend.reserve_seat(table_id, player_id, 1, vouched=PASS)


async def test_a_closed_table_is_told_of_by_every_server(backends: list[Backend]) -> None:
    """By the store: none of them plays it any more."""
    (table_id,) = await opened(backends, 1)
    await backends[1].close_table(table_id)
    for backend in backends:
        assert (await backend.get_table(table_id)).state == TABLE_STATE_CLOSED


async def test_a_paused_table_is_resolved_from_any_server(backends: list[Backend]) -> None:
    (table_id,) = await opened(backends, 1, *named("anna", "bert"))
    await backends[1].pause_table(table_id)
    tried = await backends[1].try_resolve_table(table_id, RESOLVE_OUTCOME_RESUME, "looked at")
    await backends[2].resolve_table(table_id, RESOLVE_OUTCOME_RESUME, "looked at", tried.token)
    assert [one.table_id async for one in backends[0].list_operations(table_id=table_id)] == [table_id]


async def test_the_console_of_each_server_shows_all_tables(three: Nodes, backends: list[Backend]) -> None:
    anna, bert = named("anna", "bert")
    tables = await opened(backends, 3, anna, bert, seat_count=2)
    for table_id in tables:
        await backends[0].dealt(table_id)
    for server in three.all:
        shown: dict[str, dict[str, Any]] = {}
        token = ""
        while page := json.loads(server.page(f"console/data/floor?token={token}")):
            shown |= {row["tableId"]: row for row in page["tables"]}
            if not (token := page["nextPageToken"]):
                break
        for table_id in tables:
            row = shown[table_id]
            assert (row["takenSeatCount"], row["pot"], row["playing"]) == (2, 3, 2)
            assert (row["handNumber"], row["street"]) == (1, "STREET_PREFLOP")
