"""Omaha Hi-Lo over gRPC: four cards each, halved pots, losers' hands mucked, and a restart in mid-hand."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from tests.support.live import Backend, Watching, choice, running

from croupier.cards import parse_cards
from croupier.handrank import reference
from croupier.v1 import hand_event_pb2, house_pb2
from croupier.v1.hand_pb2 import Decision

PLAYERS = ("anna", "bert", "cleo", "dora")
MOST_HANDS = 60


class Told(NamedTuple):
    """What one hand came to by its events."""

    board: bytes
    shown: dict[int, bytes]
    pots: list[hand_event_pb2.PotAwarded]


async def open_table(backend: Backend) -> str:
    """Poker Ocean's pot limit Omaha Hi-Lo at 0.25/0.50 with four players and a hand in play."""
    table = await backend.create_table(
        "poker_ocean",
        house_pb2.BET_STRUCTURE_POT_LIMIT,
        50,
        4,
        game=house_pb2.GAME_OMAHA_HI_LO,
        hand_pause=timedelta(0),
    )
    await backend.pause_table(table.table_id)
    for seat, player in enumerate(PLAYERS, start=1):
        await backend.deposit(player, "USD", 100_000)
        await backend.reserve_seat(table.table_id, player, seat)
        await backend.buy_in(table.table_id, player, 5_000)
    await backend.resume_table(table.table_id)
    await backend.dealt(table.table_id)
    return table.table_id


async def holes(backend: Backend, table_id: str) -> dict[int, bytes]:
    """Everyone's cards by seat, each as their holder sees them; nobody is told another's."""
    held: dict[int, bytes] = {}
    for player in ("", *PLAYERS):
        seats = (await backend.get_table(table_id, player)).hand.seats
        seen = {seat.player_id: parse_cards("".join(seat.hole_cards)) for seat in seats if seat.hole_cards}
        assert set(seen) <= {player}
        held |= {seat.seat_number: seen[player] for seat in seats if seat.player_id == player in seen}
    return held


async def play_out(backend: Backend, table_id: str, dice: Random) -> None:
    """To the end of the hand in play."""
    decision = await backend.dealt(table_id)
    hand_id = decision.hand_id
    while decision.hand_id == hand_id:
        decision = await _choose(backend, table_id, decision, dice)


async def _choose(backend: Backend, table_id: str, decision: Decision, dice: Random) -> Decision:
    """As chance has it, but never all in: nobody shall have to leave."""
    decision.legal_actions.all_in_to = 0
    return (await backend.act(table_id, decision, *choice(decision, dice))).next_decision


async def told(watching: Watching, hands: int) -> Told:
    """The last of so many hands that the stream has seen the end of."""
    await watching.until(lambda stream: len(stream.of("hand_ended")) >= hands)
    board, shown, pots = b"", dict[int, bytes](), list[hand_event_pb2.PotAwarded]()
    for event in watching.events:
        match event.WhichOneof("event"):
            case "hand_started":
                board, shown, pots = b"", {}, []
            case "street_dealt":
                board += parse_cards("".join(event.street_dealt.cards))
            case "hole_cards_shown":
                cards = event.hole_cards_shown.hole_cards
                shown[event.hole_cards_shown.seat_number] = parse_cards("".join(cards))
            case "pot_awarded":
                pots.append(event.pot_awarded)
            case "hand_ended":
                hands -= 1
                if not hands:
                    break
    return Told(board, shown, pots)


def must_be_won_by_the_best(hand: Told, held: dict[int, bytes]) -> set[str]:
    """Every pot against the slow evaluator; the ways in which pots were won."""
    ways = set()
    for pot in hand.pots:
        assert pot.amount == pot.rake + sum(award.amount for award in pot.awards)
        high = {award.seat_number for award in pot.awards if not award.low}
        low = {award.seat_number for award in pot.awards if award.low}
        if not hand.shown:
            assert (high, low) == (set(pot.eligible_seats), set())
            continue
        cards = [held[seat] for seat in pot.eligible_seats]
        assert high == best(pot.eligible_seats, reference.rank_omaha(cards, hand.board))
        lows = reference.rank_omaha_low(cards, hand.board)
        expected = best(pot.eligible_seats, lows) if any(lows) else set()
        assert low == (expected if expected != high else set())
        assert high | low <= hand.shown.keys()
        assert all(hand.shown[seat] == held[seat] for seat in hand.shown)
        ways.add("halved" if low else "whole")
        if low:
            assert 0 <= sum(-award.amount if award.low else award.amount for award in pot.awards) <= 1
        if set(pot.eligible_seats) - hand.shown.keys():
            ways.add("mucked")
    return ways


def best(seats: Iterable[int], strength: list[int]) -> set[int]:
    return {seat for seat, one in zip(seats, strength, strict=True) if one == max(strength)}


@pytest.mark.timeout(120)
async def test_hands_of_omaha_hi_lo_with_a_restart_in_the_middle_of_one(tmp_path: Path) -> None:
    """R-C5, R-C6, R-P5, R-H9: played until pots were halved and not, and losers mucked."""
    dice = Random(20)
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        table_id = await open_table(backend)
        held = await holes(backend, table_id)
        assert {seat: len(cards) for seat, cards in held.items()} == dict.fromkeys((1, 2, 3, 4), 4)
        await _choose(backend, table_id, await backend.dealt(table_id), dice)

    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        assert await holes(backend, table_id) == held
        watching = backend.watching(table_id, "", resume_after_sequence=1)
        ways: set[str] = set()
        for hands in count(1):
            assert hands <= MOST_HANDS, f"only {ways} in {MOST_HANDS} hands"
            held = await holes(backend, table_id)
            await play_out(backend, table_id, dice)
            ways |= must_be_won_by_the_best(await told(watching, hands), held)
            if ways == {"halved", "whole", "mucked"}:
                break
        dealt = watching.of("hole_cards_dealt")
        assert all(seat.card_count == 4 and not seat.hole_cards for event in dealt for seat in event.seats)
        await watching.cancel()
        own = backend.watching(table_id, "anna", resume_after_sequence=1)
        await own.until(lambda stream: len(stream.of("hand_ended")) >= hands)
        last = own.of("hole_cards_dealt")[hands - 1]
        mine = next(seat for seat in last.seats if seat.hole_cards)
        assert parse_cards("".join(mine.hole_cards)) == held[mine.seat_number]
        await own.cancel()
