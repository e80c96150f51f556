"""ResolveTable over gRPC, on both stores: hands voided and standstills ended by a dry run's token alone."""

from __future__ import annotations

import json

from tests.support.operated import (
    PLAYERS,
    RESUME,
    VOID,
    WHY,
    Kept,
    balanced,
    chips,
    played,
    raised,
    refusal,
    resolved,
    state_of,
)

from croupier.v1.hand_event_pb2 import HandStarted
from croupier.v1.hand_record_pb2 import HandRecord
from croupier.v1.settlement_service_pb2 import HAND_FORMAT_OHH, HAND_FORMAT_PHH
from croupier.v1.table_pb2 import TABLE_STATE_OPEN, TABLE_STATE_PAUSED


async def test_a_dry_run_tells_what_voiding_comes_to_and_changes_nothing(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        table_id = await raised(backend)
        await backend.pause_table(table_id)
        before = await state_of(backend, table_id)
        dry = await backend.try_resolve_table(table_id, VOID, WHY)
        assert await state_of(backend, table_id) == before
        table = await backend.get_table(table_id)
        stood, would = chips(dry.before.seats), chips(dry.after.seats)
        assert (dry.sequence, dry.before.hand_id, dry.after.hand_id) == (
            table.sequence,
            table.next_decision.hand_id,
            "",
        )
        assert {seat.player_id: seat.stack for seat in table.seats} == {
            player: stack for player, (stack, _) in stood.items()
        }
        assert max(put_in for _, put_in in stood.values()) == 20
        assert would == {player: (stack + put_in, 0) for player, (stack, put_in) in stood.items()}
        assert len(dry.token) == 64


async def test_a_voided_hand_returns_all_takes_no_rake_and_is_dealt_again(kept: Kept) -> None:
    """TDA 35: the next hand has the same button, blinds and stacks. Whoever has paid rake before pays none for it."""
    async with kept.served() as (_, backend):
        table_id = await raised(backend)
        for _ in range(4):  # onto the flop, where a settled pot would be raked
            await backend.check_or_call(table_id, await backend.decision(table_id))
        await backend.pause_table(table_id)
        books = await balanced(backend)
        done = await resolved(backend, table_id, VOID)
        hand_id = done.before.hand_id
        assert (done.before.state, done.after.state) == (TABLE_STATE_PAUSED, TABLE_STATE_PAUSED)
        after = await balanced(backend)
        assert after == books, "nothing was settled"
        for player, (stack, put_in) in chips(done.after.seats).items():
            assert (after[f"stack/{table_id}/{player}"], put_in) == (stack, 0)
        assert (await backend.get_table(table_id)).sequence == done.sequence
        await resolved(backend, table_id, RESUME)
        following = await played(backend, table_id)
        assert following == int(hand_id.rpartition("/")[2]) + 2
        voided = await backend.get_hand(hand_id)
        again = await backend.get_hand(f"{table_id}/{following - 1}")
        assert (voided.voided, again.voided) == (True, False)
        first, second = (dealt(record) for record in (voided, again))
        assert first.button_seat
        for name in ("button_seat", "small_blind_seat", "big_blind_seat"):
            assert getattr(first, name) == getattr(second, name)
        assert [(seat.player_id, seat.stack) for seat in first.seats] == [
            (seat.player_id, seat.stack) for seat in second.seats
        ]
        assert len(first.seats) == len(PLAYERS)


def dealt(record: HandRecord) -> HandStarted:
    """How a hand began."""
    (started,) = [event.hand_started for event in record.events if event.HasField("hand_started")]
    return started


async def test_record_and_exports_say_voided_and_concealed_cards_stay_so(kept: Kept) -> None:
    """R-T14, R-H9."""
    async with kept.served() as (_, backend):
        table_id = await raised(backend)
        watching = backend.watching(table_id)
        await backend.pause_table(table_id)
        done = await resolved(backend, table_id, VOID)
        hand_id = done.before.hand_id
        await watching.reach(done.sequence)
        (told,) = watching.of("hand_voided")
        assert told.hand_id == hand_id
        (ended,) = watching.of("hand_ended")
        assert ended.hand_id == hand_id
        await watching.cancel()
        for viewer in ("", *PLAYERS):
            record = await backend.get_hand(hand_id, viewer)
            assert record.voided
            assert {seat.player_id: bool(seat.hole_cards) for seat in record.seats} == {
                player: player == viewer for player in PLAYERS
            }
            assert {(seat.net, seat.rake_paid) for seat in record.seats} == {(0, 0)}
            phh = (await backend.export_hand(hand_id, HAND_FORMAT_PHH, viewer)).document
            assert "voided = true" in phh
            ohh = json.loads((await backend.export_hand(hand_id, HAND_FORMAT_OHH, viewer)).document)
            assert "Voided" in ohh["ohh"]["flags"]
            assert (phh.count("????"), viewer == "") in ((3, True), (2, False))
        assert await refusal(backend.show_cards(table_id, PLAYERS[0], hand_id)) == "SHOW_NOT_ALLOWED"


async def test_without_the_token_of_this_table_and_outcome_nothing_is_done(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        table_id = await raised(backend)
        assert await refusal(backend.try_resolve_table(table_id, VOID, WHY)) == "TABLE_NOT_STOPPED"
        await backend.pause_table(table_id)
        other = (await backend.try_resolve_table(table_id, RESUME, WHY)).token
        stale = (await backend.try_resolve_table(table_id, VOID, WHY)).token
        await backend.check_or_call(table_id, await backend.decision(table_id))
        before = await state_of(backend, table_id)
        newer = (await backend.try_resolve_table(table_id, RESUME, WHY)).token
        for token, reason in (
            ("", "FIELD_REQUIRED"),
            (stale, "RESOLUTION_STALE"),
            (other, "RESOLUTION_STALE"),
            (newer, "RESOLUTION_STALE"),
            ("0" * 64, "RESOLUTION_STALE"),
        ):
            assert await refusal(backend.resolve_table(table_id, VOID, WHY, token)) == reason
        assert await state_of(backend, table_id) == before
        await resolved(backend, table_id, VOID)


async def test_another_tables_token_is_none(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        tables = [await backend.open_table(seat_count=2) for _ in range(2)]
        for table_id in tables:
            await backend.pause_table(table_id)
        token = (await backend.try_resolve_table(tables[0], RESUME, WHY)).token
        assert await refusal(backend.resolve_table(tables[1], RESUME, WHY, token)) == "RESOLUTION_STALE"
        assert await refusal(backend.try_resolve_table(tables[0], VOID, WHY)) == "HAND_NOT_IN_PROGRESS"


async def test_a_paused_table_goes_on_by_a_token(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        table_id = await backend.open_table(*PLAYERS)
        await backend.pause_table(table_id)
        decision = await backend.dealt(table_id)
        while decision.player_id:
            decision = await backend.check_or_call(table_id, decision)
        done = await resolved(backend, table_id, RESUME)
        assert (done.before.state, done.after.state) == (TABLE_STATE_PAUSED, TABLE_STATE_OPEN)
        await played(backend, table_id)
