"""Joining over gRPC: what is vouched for, tables local to a scene, the waiting list as watchers see it."""

from __future__ import annotations

from collections.abc import Awaitable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from grpc import StatusCode
from tests.support.live import CURRENCY, HOUSE, Backend
from tests.support.mirror import Mirror, shown
from tests.support.server import ServerProcess

from croupier.client.errors import Refused
from croupier.v1 import event_pb2, house_pb2
from croupier.v1.seat_service_pb2 import Vouched
from croupier.v1.table_pb2 import SeatState

NO_LIMIT = house_pb2.BET_STRUCTURE_NO_LIMIT
INN = "Dragon's Nest"
GOOD = Vouched(experience="Transcendent", scene=INN, has_pass=True)


async def refusal(call: Awaitable[Any]) -> tuple[str, dict[str, str]]:
    """How a call is refused; it must be."""
    with pytest.raises(Refused) as refused:
        await call
    return refused.value.reason, dict(refused.value.facts)


async def full_table(backend: Backend, *waiting: str) -> str:
    """Two seats, on which anna and bert play; others wait."""
    table_id = await backend.open_table("anna", "bert", seat_count=2)
    for player in waiting:
        await backend.deposit(player, CURRENCY, 1000)
        await backend.join_waiting_list(table_id, player, vouched=GOOD)
    return table_id


async def leave(backend: Backend, table_id: str, player: str) -> None:
    """Leave, and have the hand in play come to its end."""
    await backend.dismiss(table_id, player)
    while (decision := await backend.decision(table_id)).player_id:
        await backend.check_or_call(table_id, decision)


# R-T5, R-T6


async def test_a_table_asks_for_the_experience_that_its_options_name(backend: Backend) -> None:
    """R-T5."""
    table = await backend.create_table(HOUSE, NO_LIMIT, 200)
    assert table.options.min_experience == "Apprentice"
    await backend.deposit("anna", CURRENCY, 100_000)
    reserve = partial(backend.reserve_seat, table.table_id, "anna", 1)
    low = await refusal(reserve(vouched=Vouched(experience="Neophyte", has_pass=True)))
    assert low == ("EXPERIENCE_TOO_LOW", {"experience": "Neophyte", "min_experience": "Apprentice"})
    unknown = await refusal(reserve(vouched=Vouched(experience="Emperor", has_pass=True)))
    assert unknown == ("FIELD_MALFORMED", {"field": "vouched.experience"})
    wild = await refusal(reserve(vouched=Vouched(scene="\n")))
    assert wild == ("FIELD_MALFORMED", {"field": "vouched.scene"})
    await reserve(vouched=Vouched(experience="Apprentice", has_pass=True))


async def test_a_local_table_is_there_for_its_scene_alone(backend: Backend) -> None:
    """R-T6: neither listed nor shown nor watched from elsewhere; who names no scene sees all."""
    local = (await backend.create_table(HOUSE, NO_LIMIT, 2, local_scene=INN)).table_id
    everywhere = (await backend.create_table(HOUSE, NO_LIMIT, 2)).table_id
    seen = {
        scene: [table.table_id for table in (await backend.list_tables(scene=scene)).tables]
        for scene in ("", INN, "Jubilee")
    }
    assert seen == {"": [local, everywhere], INN: [local, everywhere], "Jubilee": [everywhere]}
    elsewhere = await refusal(backend.get_table(local, scene="Jubilee"))
    assert elsewhere == ("TABLE_UNKNOWN", {"table_id": local})
    assert (await backend.get_table(local, scene=INN)).options.local_scene == INN
    assert (await backend.get_table(local)).table_id == local
    assert (await backend.get_table(everywhere, scene="Jubilee")).table_id == everywhere
    assert await backend.watching(local, scene="Jubilee").finished() is StatusCode.NOT_FOUND
    watch = backend.watching(local, scene=INN)
    await watch.until(lambda watch: bool(watch.messages))
    await watch.cancel()
    assert await refusal(anext(backend.watch(local, scene="Jubilee"))) == elsewhere
    assert (await anext(backend.watch(local, scene=INN))).table_id == local  # type: ignore[union-attr]
    await backend.deposit("anna", CURRENCY, 1000)
    away = await refusal(backend.reserve_seat(local, "anna", 1, vouched=Vouched(has_pass=True)))
    assert away == ("PLAYER_ELSEWHERE", {"local_scene": INN})
    await backend.reserve_seat(local, "anna", 1, vouched=GOOD)


async def test_pages_of_one_scene_go_on_in_that_scene(backend: Backend) -> None:
    for _ in range(3):
        await backend.create_table(HOUSE, NO_LIMIT, 2, local_scene=INN)
        await backend.create_table(HOUSE, NO_LIMIT, 2, local_scene="Jubilee")
    seen, token = [], ""
    while True:
        page = await backend.list_tables(scene=INN, page_size=2, page_token=token)
        seen += [table.options.local_scene for table in page.tables]
        if not (token := page.next_page_token):
            break
        other = await refusal(backend.list_tables(scene="Jubilee", page_size=2, page_token=token))
        assert other == ("FIELD_MALFORMED", {"field": "page_token"})
    assert seen == [INN] * 3


# the waiting list


async def test_watchers_keep_the_waiting_list_current(backend: Backend) -> None:
    """Snapshot and events say the same, at every step."""
    table_id = await full_table(backend, "cleo")
    watch = backend.watching(table_id)
    await watch.until(lambda watch: bool(watch.messages))
    mirror, applied = Mirror(watch.messages[0].snapshot), 0
    assert [one.player_id for one in mirror.table.waiting_list] == ["cleo"]

    async def agree() -> None:
        nonlocal applied
        table = await backend.get_table(table_id)
        await watch.reach(table.sequence)
        for event in watch.events[applied:]:
            mirror.apply(event)
        applied = len(watch.events)
        assert mirror.told() == shown(table)

    for player in ("dora", "emil"):
        await backend.deposit(player, CURRENCY, 1000)
        answer = await backend.join_waiting_list(table_id, player, vouched=GOOD)
        await agree()
    assert answer.place == 3
    await leave(backend, table_id, "bert")
    await agree()
    (offer,) = watch.of("seat_offered")
    assert (offer.player_id, offer.seat_number) == ("cleo", 2)
    assert mirror.table.waiting_list[0].offered_seat == 2
    assert mirror.table.waiting_list[0].offer_end_time == offer.offer_end_time
    await backend.leave_waiting_list(table_id, "cleo")
    await agree()
    await backend.reserve_seat(table_id, "dora", 2, vouched=GOOD)
    await agree()
    await backend.close_table(table_id)
    await watch.until(lambda watch: len(watch.of("waiting_list_left")) == 3)
    left = [(one.player_id, one.reason) for one in watch.of("waiting_list_left")]
    assert left == [
        ("cleo", event_pb2.WAITING_LIST_LEAVE_REASON_ASKED),
        ("dora", event_pb2.WAITING_LIST_LEAVE_REASON_SEATED),
        ("emil", event_pb2.WAITING_LIST_LEAVE_REASON_TABLE_CLOSED),
    ]


async def test_the_waiting_list_refuses_as_documented(backend: Backend) -> None:
    table_id = await full_table(backend, "cleo")
    again = await refusal(backend.join_waiting_list(table_id, "cleo", vouched=GOOD))
    assert again == ("PLAYER_ALREADY_WAITING", {"place": "1"})
    assert await refusal(backend.leave_waiting_list(table_id, "dora")) == ("PLAYER_NOT_WAITING", {})
    free = await backend.open_table("anna", seat_count=3)
    await backend.deposit("dora", CURRENCY, 1000)
    seat = await refusal(backend.join_waiting_list(free, "dora", vouched=GOOD))
    assert seat == ("SEAT_AVAILABLE", {"seat_number": "2"})


# R-T10


async def test_a_newcomer_may_wait_for_the_big_blind_at_poker_ocean(backend: Backend) -> None:
    """R-T10: the seat says so, in the answer, the snapshot and the event; not so at Puzzle Pirates."""
    table = await backend.create_table(
        "poker_ocean", NO_LIMIT, 2, game=house_pb2.GAME_HOLDEM, hand_pause=timedelta(seconds=60)
    )
    watch = backend.watching(table.table_id)
    await backend.deposit("anna", table.options.currency, 1000)
    await backend.reserve_seat(table.table_id, "anna", 1)
    answer = await backend.buy_in(table.table_id, "anna", 100, wait_for_big_blind=True)
    assert answer.seat.state == SeatState.SEAT_STATE_WAITING_FOR_BIG_BLIND
    await watch.reach(answer.sequence)
    (bought_in,) = watch.of("bought_in")
    assert (bought_in.state, bought_in.owes_bring_in) == (answer.seat.state, True)
    assert (await backend.get_table(table.table_id)).seats[0] == answer.seat
    await watch.cancel()
    pirates = await backend.open_table()
    await backend.deposit("bert", CURRENCY, 1000)
    await backend.reserve_seat(pirates, "bert", 1, vouched=GOOD)
    refused = await refusal(backend.buy_in(pirates, "bert", 100, wait_for_big_blind=True))
    assert refused == ("FIELD_NOT_ALLOWED", {"field": "wait_for_big_blind"})


# kill -9


async def test_a_waiting_list_outlives_a_killed_server(tmp_path: Path) -> None:
    """The offer stands as it stood, until the same moment."""
    server = ServerProcess(tmp_path)
    server.start()
    try:
        async with Backend(server.target) as backend:
            table_id = await full_table(backend, "cleo", "dora")
            await leave(backend, table_id, "bert")
            before = await backend.get_table(table_id)
            assert [one.offered_seat for one in before.waiting_list] == [2, 0]
        server.kill()
        server.start()
        async with Backend(server.target) as backend:
            after = await backend.get_table(table_id)
            assert after.waiting_list == before.waiting_list
            assert (await refusal(backend.reserve_seat(table_id, "dora", 2, vouched=GOOD)))[0] == "TABLE_FULL"
            await backend.reserve_seat(table_id, "cleo", 2, vouched=GOOD)
    finally:
        server.kill()
