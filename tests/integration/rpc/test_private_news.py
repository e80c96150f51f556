"""What concerns one player alone: told to that player's watchers only, numbered without a gap, from any point on."""

from __future__ import annotations

from pathlib import Path

import pytest
from grpc import StatusCode
from structlog.typing import EventDict
from tests.support.live import Backend, Watching, must_be_gapless, running

from croupier.client.errors import error_of
from croupier.v1 import hand_pb2
from croupier.v1.event_pb2 import PrivateEvent, TableEvent
from croupier.v1.table_pb2 import AdvanceActionKind, OwnState, Preferences
from croupier.v1.table_service_pb2 import StreamEndReason, WatchTableResponse

PLAYERS = ("anna", "bert", "cleo")
CHECK_FOLD = AdvanceActionKind.ADVANCE_ACTION_KIND_CHECK_FOLD
CALL_ANY = AdvanceActionKind.ADVANCE_ACTION_KIND_CALL_ANY
NOTHING = AdvanceActionKind.ADVANCE_ACTION_KIND_UNSPECIFIED
SHOWING = Preferences(show_losing_hands=True)

News = TableEvent | PrivateEvent


def news_of(messages: list[WatchTableResponse]) -> list[News]:
    """What the messages tell, in order, whoever may know it."""
    told: list[News] = []
    for message in messages:
        told += message.events.events or message.private_events.events
    return told


def private(watch: Watching) -> list[PrivateEvent]:
    return [event for message in watch.messages for event in message.private_events.events]


async def said(watch: Watching, count: int) -> list[PrivateEvent]:
    """What concerns the viewer alone, once so much of it has come."""
    await watch.until(lambda watch: len(private(watch)) >= count)
    return private(watch)


async def talk(backend: Backend, table_id: str, *, hands: int) -> int:
    """Hands in which anna says something now and then; how often."""
    count = 0
    for _ in range(hands):
        decision = await backend.dealt(table_id)
        hand_id = decision.hand_id
        while decision.hand_id == hand_id:
            table = await backend.get_table(table_id, "anna")
            anna = next(seat for seat in table.hand.seats if seat.player_id == "anna")
            if not anna.folded and count % 3 < 2:
                kind = (CALL_ANY, NOTHING)[count % 2]
                await backend.set_advance_action(table_id, "anna", hand_id, kind)
                count += 1
            else:
                wishes = Preferences(show_losing_hands=count % 2 == 0)
                await backend.set_preferences(table_id, "anna", wishes)
                count += 1
            decision = await backend.decision(table_id)
            if decision.hand_id == hand_id:
                decision = await backend.check_or_call(table_id, decision)
    return count


async def test_only_the_players_own_watchers_hear_what_was_said(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    watching = {viewer: backend.watching(table_id, viewer) for viewer in ("", *PLAYERS)}
    again = backend.watching(table_id, "anna")
    for watch in (*watching.values(), again):
        await watch.until(lambda watch: bool(watch.messages))
    count = await talk(backend, table_id, hands=3)
    last = (await backend.get_table(table_id)).sequence
    for watch in (*watching.values(), again):
        await watch.reach(last)
        must_be_gapless(watch.events, watch.messages[0].snapshot.sequence)
    for watch in (watching["anna"], again):
        heard = await said(watch, count)
        assert [event.private_sequence for event in heard] == list(range(1, count + 1))
        assert {event.WhichOneof("event") for event in heard} == {"advance_action_set", "preferences_set"}
    for viewer in ("", "bert", "cleo"):
        assert not any(message.HasField("private_events") for message in watching[viewer].messages)
        assert not private(watching[viewer])
    mine = [event for event in watching["anna"].events if event.WhichOneof("event") != "hole_cards_dealt"]
    assert mine == [event for event in watching[""].events if event.WhichOneof("event") != "hole_cards_dealt"]


async def test_a_snapshot_shows_the_players_own_state_to_the_player_alone(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    decision = await backend.decision(table_id)
    waiting = next(player for player in PLAYERS if player != decision.player_id)
    answer = await backend.set_advance_action(table_id, waiting, decision.hand_id, CHECK_FOLD)
    assert answer.private_sequence == 1
    assert (await backend.set_preferences(table_id, waiting, SHOWING)).private_sequence == 2
    own = (await backend.get_table(table_id, waiting)).own
    expected = OwnState(private_sequence=2, preferences=SHOWING)
    expected.advance_action.kind = CHECK_FOLD
    assert own == expected
    watch = backend.watching(table_id, waiting)
    await watch.until(lambda watch: bool(watch.messages))
    assert watch.messages[0].snapshot.own == expected
    for viewer in ("", *PLAYERS, "stranger"):
        table = await backend.get_table(table_id, viewer)
        assert table.HasField("own") == (viewer in PLAYERS)
        if viewer != waiting:
            assert table.own in (OwnState(), OwnState(preferences=Preferences()))


async def test_what_was_said_is_done_in_the_act_that_passes_the_turn_and_says_so(backend: Backend) -> None:
    """R-T16: the other players see why."""
    table_id = await backend.open_table("anna", "bert")
    watch = backend.watching(table_id)
    decision = await backend.decision(table_id)
    other = "bert" if decision.player_id == "anna" else "anna"
    await backend.set_advance_action(table_id, other, decision.hand_id, CALL_ANY)
    all_in = hand_pb2.ACTION_KIND_ALL_IN
    acted = await backend.act(table_id, decision, all_in)
    await watch.until(lambda watch: bool(watch.of("called")))
    called = next(event for event in watch.events if event.HasField("called"))
    assert called.sequence == acted.sequence
    assert called.called.cause == 4, "ACTION_CAUSE_ADVANCE"
    assert watch.of("hand_ended")


async def must_resume_alike(backend: Backend, table_id: str, told: list[News], viewer: str) -> None:
    """From each point of a stream on, the rest of it."""
    sequence = number = 0
    for place, news in enumerate(told):
        if isinstance(news, PrivateEvent) or news.sequence != sequence:
            watch = backend.watching(
                table_id,
                viewer,
                resume_after_sequence=sequence,
                resume_after_private_sequence=number,
            )
            rest = told[place:]
            await watch.until(lambda watch, rest=rest: len(news_of(watch.messages)) >= len(rest))  # type: ignore[misc]
            assert [each.SerializeToString(deterministic=True) for each in news_of(watch.messages)][
                : len(rest)
            ] == [each.SerializeToString(deterministic=True) for each in rest]
            await watch.cancel()
        if isinstance(news, PrivateEvent):
            number = news.private_sequence
        else:
            sequence = news.sequence
            if news.HasField("seat_reserved") and news.seat_reserved.player_id == viewer:
                number = 0


async def test_a_watch_resumed_anywhere_brings_both_kinds_of_news_in_their_order(
    tmp_path: Path,
    logged: list[EventDict],  # noqa: ARG001
) -> None:
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        table_id = await backend.open_table()
        watch = backend.watching(table_id, "anna", resume_after_sequence=0)
        for seat, player in enumerate(PLAYERS, start=1):
            await backend.sit(table_id, player, seat)
        first = await talk(backend, table_id, hands=1)
        await backend.pause_table(table_id)
        await backend.cash_out(table_id, "anna")
        while (decision := await backend.decision(table_id)).player_id:
            await backend.check_or_call(table_id, decision)
        await backend.sit(table_id, "anna", 5)
        await backend.set_preferences(table_id, "anna", SHOWING)
        await backend.resume_table(table_id)
        second = await talk(backend, table_id, hands=1)
        await backend.pause_table(table_id)
        last = (await backend.get_table(table_id)).sequence
        await watch.reach(last)
        heard = await said(watch, first + second + 1)
        numbers = [*range(1, first + 1), *range(1, second + 2)]
        assert [event.private_sequence for event in heard] == numbers, "counted anew with the new seat"
        told = news_of(watch.messages)
        await must_resume_alike(backend, table_id, told, "anna")
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        await must_resume_alike(backend, table_id, told, "anna")


async def refused(watch: Watching) -> tuple[str, dict[str, str]]:
    """Why a watch that told nothing has failed."""
    await watch.finished()
    assert not watch.messages
    assert watch.failure is not None
    told = error_of(watch.failure)
    return told.reason, dict(told.facts)


def private_gap(sequence: int) -> dict[str, str]:
    """It is not the table's sequence that leaves the gap."""
    field = "resume_after_private_sequence"
    return {"oldest_sequence": "0", "newest_sequence": str(sequence), "field": field}


@pytest.mark.parametrize("number", [0, 1, 3, 2**63 - 1])
async def test_a_watch_that_would_leave_a_gap_is_refused(backend: Backend, number: int) -> None:
    """What was said lies before the sequence named, so that only its last private_sequence goes with it."""
    table_id = await backend.open_table("anna")
    for _ in range(2):
        await backend.set_preferences(table_id, "anna", SHOWING)
    await backend.pause_table(table_id)
    sequence = (await backend.get_table(table_id)).sequence
    watch = backend.watching(
        table_id, "anna", resume_after_sequence=sequence, resume_after_private_sequence=number
    )
    assert await refused(watch) == ("SEQUENCE_UNAVAILABLE", private_gap(sequence))
    assert await watch.finished() is StatusCode.OUT_OF_RANGE


async def test_a_private_sequence_goes_with_a_player_and_a_sequence(backend: Backend) -> None:
    """Refused without either, below 0, and above what the player was told."""
    table_id = await backend.open_table("anna")
    await backend.set_preferences(table_id, "anna", SHOWING)
    field = "resume_after_private_sequence"
    bounds = {"field": field, "min": "0", "max": str(2**63 - 1)}
    for viewer, known, number, reason, facts in (
        ("anna", None, 1, "FIELD_NOT_ALLOWED", {"field": field}),
        ("anna", None, -1, "FIELD_NOT_ALLOWED", {"field": field}),
        ("", 1, 1, "FIELD_NOT_ALLOWED", {"field": field}),
        ("anna", 1, -1, "FIELD_OUT_OF_RANGE", bounds),
        ("stranger", 1, -(2**63), "FIELD_OUT_OF_RANGE", bounds),
    ):
        watch = backend.watching(
            table_id, viewer, resume_after_sequence=known, resume_after_private_sequence=number
        )
        assert await refused(watch) == (reason, facts), (viewer, known, number)
    sequence = (await backend.get_table(table_id)).sequence
    for number in (2, 10**6, 2**63 - 1):
        watch = backend.watching(
            table_id, "anna", resume_after_sequence=sequence, resume_after_private_sequence=number
        )
        assert await refused(watch) == ("SEQUENCE_UNAVAILABLE", private_gap(sequence))


async def test_a_streams_end_names_both_numbers(
    tmp_path: Path,
    logged: list[EventDict],  # noqa: ARG001
) -> None:
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        table_id = await backend.open_table("anna")
        watching = [backend.watching(table_id, viewer) for viewer in ("anna", "")]
        for watch in watching:
            await watch.until(lambda watch: bool(watch.messages))
        for _ in range(3):
            await backend.set_preferences(table_id, "anna", SHOWING)
        await said(watching[0], 3)
        await backend.close_table(table_id)
        for watch, number in zip(watching, (3, 0), strict=True):
            assert await watch.finished() is StatusCode.OK
            assert watch.end.reason == StreamEndReason.STREAM_END_REASON_TABLE_CLOSED
            assert watch.end.resume_after_private_sequence == number


async def test_the_client_brings_both_kinds_of_news_and_goes_on_after_both(
    tmp_path: Path,
    logged: list[EventDict],  # noqa: ARG001
) -> None:
    heard: list[int] = []
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        table_id = await backend.open_table("anna")
        await backend.set_preferences(table_id, "anna", SHOWING)
        watch = backend.watch(table_id, "anna")
        snapshot = await anext(watch)
        assert snapshot.own.private_sequence == 1  # type: ignore[union-attr]
        await backend.set_preferences(table_id, "anna", SHOWING)
        heard += [event.private_sequence for event in (await anext(watch)).events]  # type: ignore[union-attr]
        await watch.aclose()
        await backend.set_preferences(table_id, "anna", SHOWING)
        sequence = snapshot.sequence  # type: ignore[union-attr]
        later = backend.watch(table_id, "anna", resume_after=sequence, resume_after_private=2)
        async for news in later:
            heard += [event.private_sequence for event in news.events]  # type: ignore[union-attr]
            if heard[-1] == 3:
                break
    assert heard == [2, 3]
