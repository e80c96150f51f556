"""A hand of five-card draw over gRPC, with a restart in mid-draw: what is offered, refused and told."""

from __future__ import annotations

import asyncio
import json
import tomllib
from datetime import timedelta
from pathlib import Path

import pytest
from tests.support.live import PATIENCE, WEALTH, Backend, running

from croupier.client import CroupierError
from croupier.v1 import hand_event_pb2, hand_pb2, house_pb2
from croupier.v1.hand_pb2 import Decision
from croupier.v1.hand_record_pb2 import HandRecord
from croupier.v1.settlement_service_pb2 import HAND_FORMAT_OHH, HAND_FORMAT_PHH

PLAYERS = ("anna", "bert", "cleo")
BET = hand_pb2.ACTION_KIND_BET_TO
CALL = hand_pb2.ACTION_KIND_CALL
FOLD = hand_pb2.ACTION_KIND_FOLD
DRAW = hand_pb2.ACTION_KIND_DRAW


async def open_table(backend: Backend) -> str:
    """Five Aces with three players and a hand in play."""
    table = await backend.create_table(
        "five_aces", house_pb2.BET_STRUCTURE_SPREAD_LIMIT, 1, hand_pause=timedelta(0)
    )
    await backend.pause_table(table.table_id)
    for seat, player in enumerate(PLAYERS, start=1):
        await backend.deposit(player, "gp", WEALTH)
        await backend.reserve_seat(table.table_id, player, seat)
        await backend.buy_in(table.table_id, player, 100)
    await backend.resume_table(table.table_id)
    return table.table_id


async def own_cards(backend: Backend, table_id: str, player_id: str) -> list[str]:
    seats = (await backend.get_table(table_id, player_id)).hand.seats
    return list(next(seat for seat in seats if seat.player_id == player_id).hole_cards)


async def to_the_draw(backend: Backend, table_id: str) -> Decision:
    decision = (await backend.act(table_id, await backend.dealt(table_id), BET, 10)).next_decision
    for _ in range(2):
        decision = (await backend.act(table_id, decision, CALL)).next_decision
    return decision


async def must_refuse(
    backend: Backend, table_id: str, decision: Decision, reason: str, *discards: str
) -> None:
    with pytest.raises(CroupierError) as refused:
        await backend.act(table_id, decision, DRAW, discards=discards)
    assert refused.value.reason == reason


@pytest.mark.timeout(120)
async def test_a_hand_of_draw_with_a_restart_in_the_draw(tmp_path: Path) -> None:
    """R-H7, R-H8: the cards after the restart are those of before, and only their holder ever sees them."""
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        table_id = await open_table(backend)
        first = await backend.dealt(table_id)
        assert not first.legal_actions.can_check
        await must_refuse(backend, table_id, first, "DRAW_NOT_ALLOWED")
        decision = await to_the_draw(backend, table_id)
        legal = decision.legal_actions
        assert legal == hand_pb2.LegalActions(can_draw=True, max_discards=3)
        drawer = decision.player_id
        before = await own_cards(backend, table_id, drawer)
        other = next(player for player in PLAYERS if player != drawer)
        foreign = (await own_cards(backend, table_id, other))[0]
        await must_refuse(backend, table_id, decision, "DISCARDS_NOT_LEGAL", foreign)
        await must_refuse(backend, table_id, decision, "DISCARDS_NOT_LEGAL", before[0], before[0])
        await must_refuse(backend, table_id, decision, "DISCARDS_NOT_LEGAL", *before[:4])
        await must_refuse(backend, table_id, decision, "FIELD_MALFORMED", "as")
        for kind, fields, reason in (
            (FOLD, {"discards": before[:1]}, "FIELD_NOT_ALLOWED"),
            (DRAW, {"amount": 1}, "FIELD_NOT_ALLOWED"),
            (FOLD, {}, "DRAW_EXPECTED"),
        ):
            with pytest.raises(CroupierError) as refused:
                await backend.act(table_id, decision, kind, **fields)
            assert refused.value.reason == reason
        drew = await backend.act(table_id, decision, DRAW, discards=before[1:3], request_id="draw")
        assert drew.result.action == DRAW
        assert not drew.result.paid
        after = await own_cards(backend, table_id, drawer)
        assert after[0] == before[0]
        assert after[3:] == before[3:]
        assert not {*after[1:3]} & {*before}

    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        assert await own_cards(backend, table_id, drawer) == after
        again = await backend.act(table_id, decision, DRAW, discards=before[1:3], request_id="draw")
        assert (again.sequence, again.result) == (drew.sequence, drew.result)
        streams = {
            player: backend.watching(table_id, player, resume_after_sequence=drew.sequence - 1)
            for player in ("", *PLAYERS)
        }
        decision = await backend.dealt(table_id)
        hand = (await backend.get_table(table_id)).hand
        assert hand.street == hand_pb2.STREET_DRAW
        assert {seat.player_id: seat.drawn_count for seat in hand.seats if seat.drawn_count} == {drawer: 2}
        for _ in range(2):
            decision = (await backend.act(table_id, decision, DRAW)).next_decision
        assert (await backend.get_table(table_id)).hand.street == hand_pb2.STREET_POSTDRAW
        assert decision.legal_actions.min_bet_to == 1
        assert decision.legal_actions.max_bet_to == 50
        decision = (await backend.act(table_id, decision, BET, 50)).next_decision
        for _ in range(2):
            last = await backend.act(table_id, decision, CALL)
            decision = last.next_decision
        for player, stream in streams.items():
            await stream.reach(last.sequence)
            drawn = stream.of("cards_drawn")
            mine = player == drawer
            assert drawn[0] == hand_event_pb2.CardsDrawn(
                seat_number=drawn[0].seat_number,
                count=2,
                cause=hand_event_pb2.ACTION_CAUSE_PLAYER,
                discarded=before[1:3] if mine else (),
                drawn=after[1:3] if mine else (),
            )
            assert [(event.count, len(event.drawn)) for event in drawn[1:]] == [(0, 0), (0, 0)]
            assert [event.street for event in stream.of("street_dealt")] == [hand_pb2.STREET_POSTDRAW]
            shown = {event.seat_number: list(event.hole_cards) for event in stream.of("hole_cards_shown")}
            assert shown[drawn[0].seat_number] == after
            await stream.cancel()


async def to_the_end(backend: Backend, table_id: str, decision: Decision) -> None:
    """Everybody stands pat and checks or calls until the hand has ended."""
    hand_id = decision.hand_id
    while decision.hand_id == hand_id:
        legal = decision.legal_actions
        kind = DRAW if legal.can_draw else CALL if legal.call_amount else BET
        amount = legal.min_bet_to if kind == BET else 0
        decision = (await backend.act(table_id, decision, kind, amount)).next_decision


async def the_one_listed(backend: Backend, table_id: str, hand_id: str, viewer: str) -> HandRecord:
    async with asyncio.timeout(PATIENCE):
        while True:
            listed = [hand async for hand in backend.list_hands(table_id=table_id, player_id=viewer)]
            if found := [hand for hand in listed if hand.hand_id == hand_id]:
                return found[0]
            await asyncio.sleep(0.05)


async def test_a_draw_and_a_dismissed_players_standing_pat_are_told_apart(backend: Backend) -> None:
    """R-H7, R-T11: one record tells both; the cards in it are those of the one who drew, in every way of reading it."""
    table_id = await open_table(backend)
    decision = await to_the_draw(backend, table_id)
    drawer, hand_id = decision.player_id, decision.hand_id
    hand = (await backend.get_table(table_id)).hand
    order = sorted(seat.seat_number for seat in hand.seats)
    following = order[(order.index(decision.seat_number) + 1) % 3]
    dismissed = next(seat.player_id for seat in hand.seats if seat.seat_number == following)
    await backend.dismiss(table_id, dismissed)
    before = await own_cards(backend, table_id, drawer)
    drew = await backend.act(table_id, decision, DRAW, discards=before[1:3])
    assert drew.next_decision.seat_number not in (decision.seat_number, following)
    after = await own_cards(backend, table_id, drawer)
    await to_the_end(backend, table_id, drew.next_decision)
    for viewer in ("", *PLAYERS):
        whole = await backend.get_hand(hand_id, viewer)
        draws = [event.cards_drawn for event in whole.events if event.HasField("cards_drawn")]
        assert [(event.seat_number, event.count) for event in draws[:2]] == [
            (decision.seat_number, 2),
            (following, 0),
        ]
        mine = viewer == drawer
        assert (list(draws[0].discarded), list(draws[0].drawn)) == (
            (before[1:3], after[1:3]) if mine else ([], [])
        )
        assert not draws[1].discarded
        assert not draws[1].drawn
        listed = await the_one_listed(backend, table_id, hand_id, viewer)
        for record in (whole, listed):
            held = {seat.player_id: list(seat.hole_cards) for seat in record.seats}
            assert held[drawer] == after or not (mine or held[drawer])
            assert bool(held[dismissed]) == (viewer == dismissed)
        phh = tomllib.loads((await backend.export_hand(hand_id, HAND_FORMAT_PHH, viewer)).document)
        words = [line.split()[1:] for line in phh["actions"]]
        first = words.index(["sd", "".join(before[1:3]) if mine else "????"])
        assert words[first + 1][2:] == ["".join(after[1:3]) if mine else "????"]
        assert words[first + 2] == ["sd"]
        ohh = json.loads((await backend.export_hand(hand_id, HAND_FORMAT_OHH, viewer)).document)["ohh"]
        exchanged = [action for one in ohh["rounds"] if one["street"] == "Draw" for action in one["actions"]]
        dealt = [action.get("cards") for action in exchanged if action["action"] == "Dealt Cards"]
        assert dealt == [after[1:3] if mine else None]
