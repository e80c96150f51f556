"""Settled hands over gRPC: each viewer's own cards and nobody else's, lists in pages, public formats, words."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from random import Random

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import StatusCode
from tests.support.live import PATIENCE, Backend, running
from tests.support.telltale import cards_in

from croupier.adapters.games import GAMES
from croupier.adapters.recorded.phh import read_phh
from croupier.adapters.recorded.replay import replay
from croupier.adapters.recorded.verdict import Outcome
from croupier.client import Refused
from croupier.v1 import settlement_service_pb2 as pb
from croupier.v1.hand_record_pb2 import HandRecord

PLAYERS = ("anna", "bert", "cleo")
VIEWERS = ("", *PLAYERS)


async def play(backend: Backend, table_id: str, seed: int, *, until_hand: int) -> None:
    """Hands at random until that one has begun; who has lost everything comes back."""
    random = Random(seed)
    while not (await backend.play(table_id, random, until_hand=until_hand)).hand_id:
        table = await backend.get_table(table_id)
        seated = {seat.player_id: seat.seat_number for seat in table.seats}
        free = [number for number in range(1, 7) if number not in seated.values()]
        for player in PLAYERS:
            if player not in seated:
                await backend.sit(table_id, player, free.pop())


async def listed(backend: Backend, count: int, **filters: object) -> list[HandRecord]:
    """Hands, once so many are listed."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = [hand async for hand in backend.list_hands(**filters)]  # type: ignore[arg-type]
            if len(found) >= count:
                return found
            await asyncio.sleep(0.05)


def held(hand: HandRecord) -> dict[str, list[str]]:
    return {seat.player_id: list(seat.hole_cards) for seat in hand.seats}


def shown(hand: HandRecord) -> dict[str, list[str]]:
    players = {seat.seat_number: seat.player_id for seat in hand.seats}
    events = [event.hole_cards_shown for event in hand.events if event.HasField("hole_cards_shown")]
    return {players[event.seat_number]: list(event.hole_cards) for event in events}


async def test_a_hand_shows_its_viewer_what_the_stream_did(backend: Backend) -> None:
    """The same events as in the viewer's stream; own cards for their owner, absent for everybody else."""
    table_id = await backend.open_table()
    watching = {viewer: backend.watching(table_id, viewer) for viewer in VIEWERS}
    for seat, player in enumerate(PLAYERS, start=1):
        await backend.sit(table_id, player, seat)
    await play(backend, table_id, 5, until_hand=12)
    sequence = (await backend.get_table(table_id)).sequence
    for viewer, watch in watching.items():
        await watch.reach(sequence)
        told = {event.SerializeToString() for event in watch.events}
        for number in range(1, 12):
            hand = await backend.get_hand(f"{table_id}/{number}", viewer)
            assert hand.events[0].hand_started.hand_id == hand.events[-1].hand_ended.hand_id == hand.hand_id
            assert all(event.SerializeToString() in told for event in hand.events)
            expected = shown(hand)
            for player, cards in held(hand).items():
                assert len(cards) == 2 if player == viewer else cards == expected.get(player, [])


async def test_hands_are_as_they_were_after_a_restart(tmp_path: Path) -> None:
    before: dict[tuple[str, int], HandRecord] = {}
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        table_id = await backend.open_table(*PLAYERS)
        await play(backend, table_id, 6, until_hand=6)
        for viewer in VIEWERS:
            for number in range(1, 6):
                before[viewer, number] = await backend.get_hand(f"{table_id}/{number}", viewer)
        (last,) = {hand.hand_number for hand in (await listed(backend, 5, table_id=table_id))[:1]}
        assert last == 5
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        for (viewer, number), hand in before.items():
            assert await backend.get_hand(f"{table_id}/{number}", viewer) == hand
        assert len(await listed(backend, 5, table_id=table_id)) == 5


async def test_a_closed_tables_hands_stay(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    await play(backend, table_id, 7, until_hand=3)
    await backend.close_table(table_id)
    while decision := await backend.decision(table_id):
        if not decision.player_id:
            break
        await backend.check_or_call(table_id, decision)
    assert len(await listed(backend, 3, table_id=table_id)) == 3
    assert (await backend.get_hand(f"{table_id}/3")).hand_number == 3


async def test_lists_come_latest_first_in_pages_bound_to_their_filters(backend: Backend) -> None:
    tables = [await backend.open_table(*PLAYERS), await backend.open_table("anna", "bert")]
    for number, table_id in enumerate(tables):
        await play(backend, table_id, number, until_hand=6)
    both = [hand for table_id in tables for hand in await listed(backend, 5, table_id=table_id)]
    anna = [hand for hand in both if "anna" in {seat.player_id for seat in hand.seats}]
    whole = sorted(anna, key=lambda hand: hand.end_time.ToNanoseconds(), reverse=True)
    assert len(both) == 10
    assert len(whole) > 5
    assert not any(hand.events for hand in whole)
    for size in (0, 3, 1):
        assert await listed(backend, 0, played_by="anna", page_size=size) == whole
    of_table = [hand for hand in whole if hand.table_id == tables[0]]
    assert await listed(backend, 0, table_id=tables[0], played_by="anna", page_size=2) == of_table
    middle = Timestamp.FromString(whole[4].end_time.SerializeToString())
    assert await listed(backend, 0, played_by="anna", from_time=middle) == whole[:5]
    assert await listed(backend, 0, played_by="anna", to_time=middle) == whole[5:]
    page = await backend._hands.ListHands(pb.ListHandsRequest(table_id=tables[0], page_size=2))
    for spoilt in (
        pb.ListHandsRequest(table_id=tables[1], page_size=2, page_token=page.next_page_token),
        pb.ListHandsRequest(table_id=tables[0], player_id="anna", page_token=page.next_page_token),
        pb.ListHandsRequest(table_id=tables[0], language="de", page_token=page.next_page_token),
        pb.ListHandsRequest(table_id=tables[0], page_token="x"),
    ):
        with pytest.raises(Refused) as refused:
            await backend._call(backend._hands.ListHands, spoilt)
        assert (refused.value.reason, refused.value.facts) == ("FIELD_MALFORMED", {"field": "page_token"})


async def test_a_list_shows_each_viewer_what_the_hand_does(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    await play(backend, table_id, 8, until_hand=5)
    for viewer in VIEWERS:
        for hand in await listed(backend, 4, table_id=table_id, player_id=viewer, language="de"):
            whole = await backend.get_hand(hand.hand_id, viewer, language="de")
            whole.ClearField("events")
            assert hand == whole


async def test_exports_are_read_back_and_hold_no_card_too_many(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    await play(backend, table_id, 9, until_hand=8)
    for number in range(1, 8):
        for viewer in VIEWERS:
            hand_id = f"{table_id}/{number}"
            known = cards_in(await backend.get_hand(hand_id, viewer))
            phh = await backend.export_hand(hand_id, pb.HAND_FORMAT_PHH, viewer)
            assert phh.media_type == "application/toml"
            (recorded,) = read_phh(io.BytesIO(phh.document.encode()))
            assert replay(recorded, GAMES).outcome is Outcome.SAME  # type: ignore[arg-type]
            ohh = await backend.export_hand(hand_id, pb.HAND_FORMAT_OHH, viewer)
            assert ohh.media_type == "application/json"
            dealt = [
                card
                for one in json.loads(ohh.document)["ohh"]["rounds"]
                for action in one["actions"]
                for card in action.get("cards", ())
            ]
            assert set(dealt) <= known


@pytest.mark.parametrize("hand_id", ["x", "x/1", "/", "x/0", "x/-1", "x/1/1", "ü/9999999999999999999"])
async def test_a_hand_that_there_is_not_is_refused(backend: Backend, hand_id: str) -> None:
    for call in (backend.get_hand(hand_id), backend.export_hand(hand_id, pb.HAND_FORMAT_PHH)):
        with pytest.raises(Refused) as refused:
            await call
        assert (refused.value.reason, refused.value.facts) == ("HAND_UNKNOWN", {"hand_id": hand_id})


async def test_a_hand_in_play_is_not_told(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    decision = await backend.dealt(table_id)
    with pytest.raises(Refused) as refused:
        await backend.get_hand(decision.hand_id, "anna")
    assert refused.value.reason == "HAND_UNKNOWN"
    assert refused.value.code is StatusCode.NOT_FOUND


async def test_a_watch_describes_hands_in_its_language_from_the_middle_of_a_hand_on(backend: Backend) -> None:
    """R-C8: the whole board is known although the stream was resumed when half of it lay there."""
    table_id = await backend.open_table()
    watching = {language: backend.watching(table_id, language=language) for language in ("", "de")}
    for seat, player in enumerate(PLAYERS, start=1):
        await backend.sit(table_id, player, seat)
    await play(backend, table_id, 3, until_hand=10)
    sequence = (await backend.get_table(table_id)).sequence
    for watch in watching.values():
        await watch.reach(sequence)
    english, german = (watch.of("hole_cards_shown") for watch in watching.values())
    whole = [number for number, one in enumerate(english) if one.description]
    assert len(whole) > 4
    assert all(german[number].description not in ("", english[number].description) for number in whole)
    turned_up = [event for event in watching["de"].events if event.HasField("hole_cards_shown")]
    for event in turned_up:
        resumed = backend.watching(table_id, language="de", resume_after_sequence=event.sequence - 1)
        await resumed.reach(sequence)
        (first, *_) = [one for one in resumed.events if one.HasField("hole_cards_shown")]
        again = next(one for one in turned_up if one.sequence == event.sequence)
        assert first == again
        await resumed.cancel()


async def test_a_language_that_is_not_spoken_is_refused(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    expected = ("LANGUAGE_UNKNOWN", {"language": "fr", "offered": "de,en"})
    with pytest.raises(Refused) as refused:
        await backend.get_hand(f"{table_id}/1", language="fr")
    assert (refused.value.reason, refused.value.facts) == expected
    with pytest.raises(Refused) as refused:
        await anext(backend.watch(table_id, language="fr"))
    assert (refused.value.reason, refused.value.facts) == expected
