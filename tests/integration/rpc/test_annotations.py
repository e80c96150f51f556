"""Annotations of hands that ran out all in: from what all saw, once, beside the sequence, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta

from tests.support.live import Backend, Watching, number_of

from croupier.cards import parse_cards
from croupier.handrank.equity import Question, calculate, game_named
from croupier.v1 import hand_pb2, house_pb2
from croupier.v1.annotation_pb2 import Annotation
from croupier.v1.event_pb2 import TableEvent

PLAYERS = ("anna", "bert", "cleo")
STREETS = (hand_pb2.STREET_PREFLOP, hand_pb2.STREET_FLOP, hand_pb2.STREET_TURN, hand_pb2.STREET_RIVER)
BOARD_CARDS: dict[int, int] = dict(zip(STREETS, (0, 3, 4, 5), strict=True))


def noted(watch: Watching) -> list[Annotation]:
    return [message.annotation for message in watch.messages if message.HasField("annotation")]


async def go_all_in(backend: Backend, table_id: str) -> str:
    """Everyone goes all in; the hand's id."""
    decision = await backend.dealt(table_id)
    hand_id = decision.hand_id
    while decision.hand_id == hand_id:
        legal = decision.legal_actions
        kind = hand_pb2.ACTION_KIND_ALL_IN if legal.all_in_to else hand_pb2.ACTION_KIND_CALL
        decision = (await backend.act(table_id, decision, kind)).next_decision
    return hand_id


def what_all_saw(events: Sequence[TableEvent]) -> tuple[dict[int, bytes], bytes]:
    """The hands shown by seat, and the board, by public events alone."""
    shown = {
        event.hole_cards_shown.seat_number: parse_cards("".join(event.hole_cards_shown.hole_cards))
        for event in events
        if event.HasField("hole_cards_shown")
    }
    board = [card for event in events if event.HasField("street_dealt") for card in event.street_dealt.cards]
    return shown, parse_cards("".join(board))


def expected(game: str, shown: dict[int, bytes], board: bytes, streets: Sequence[int]) -> list[list[int]]:
    """Equities by street, in basis points, of every board that could follow."""
    hands = [shown[seat] for seat in sorted(shown)]
    questions = [Question(game_named(game), hands, board[: BOARD_CARDS[street]]) for street in streets]
    return [[part.per(10_000) for part in calculate(question).hands] for question in questions]


async def test_watchers_are_told_the_equities_of_every_street_from_what_all_saw(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    watches = [backend.watching(table_id, viewer) for viewer in ("", *PLAYERS)]
    hand_id = await go_all_in(backend, table_id)
    for watch in watches:
        await watch.until(lambda watch: bool(noted(watch)))
    (annotation,) = noted(watches[0])
    assert annotation.hand_id == hand_id
    assert tuple(street.street for street in annotation.streets) == STREETS
    assert all(street.exact for street in annotation.streets)
    shown, board = what_all_saw(watches[0].events)
    told = [[seat.equity_bps for seat in street.seats] for street in annotation.streets]
    assert told == expected("holdem", shown, board, STREETS)
    for street in annotation.streets:
        assert [seat.seat_number for seat in street.seats] == sorted(shown)
    for watch in watches:
        assert noted(watch) == [annotation]
        await watch.cancel()


async def test_a_folded_hand_counts_among_the_cards_to_come(backend: Backend) -> None:
    """R-H9: folded cards are shown to nobody. Were they left out of the deck, the figures would tell of them."""
    table_id = await backend.open_table(*PLAYERS)
    watch = backend.watching(table_id)
    decision = await backend.dealt(table_id)
    decision = (await backend.act(table_id, decision, hand_pb2.ACTION_KIND_FOLD)).next_decision
    await go_all_in(backend, table_id)
    await watch.until(lambda watch: bool(noted(watch)))
    shown, board = what_all_saw(watch.events)
    assert len(shown) == 2
    (annotation,) = noted(watch)
    told = [[seat.equity_bps for seat in street.seats] for street in annotation.streets]
    assert told == expected("holdem", shown, board, STREETS)
    await watch.cancel()


async def test_streets_begin_where_betting_ended(backend: Backend) -> None:
    table_id = await backend.open_table("anna", "bert")
    watch = backend.watching(table_id)
    decision = await backend.dealt(table_id)
    for _ in range(4):
        decision = await backend.check_or_call(table_id, decision)
    await go_all_in(backend, table_id)
    await watch.until(lambda watch: bool(noted(watch)))
    (annotation,) = noted(watch)
    assert [street.street for street in annotation.streets] == list(STREETS[2:])
    shown, board = what_all_saw(watch.events)
    told = [[seat.equity_bps for seat in street.seats] for street in annotation.streets]
    assert told == expected("holdem", shown, board, STREETS[2:])
    await watch.cancel()


async def test_hands_without_a_run_out_have_none_and_resumed_streams_neither(backend: Backend) -> None:
    table_id = await backend.open_table("anna", "bert")
    watch = backend.watching(table_id)
    decision = await backend.dealt(table_id)
    while number_of(decision) < 3:  # checked down, each to a showdown
        decision = await backend.check_or_call(table_id, decision)
    decision = (await backend.act(table_id, decision, hand_pb2.ACTION_KIND_FOLD)).next_decision
    hand_id = await go_all_in(backend, table_id)
    await watch.until(lambda watch: bool(noted(watch)))
    assert [annotation.hand_id for annotation in noted(watch)] == [hand_id]
    later = backend.watching(table_id, resume_after_sequence=0)
    await later.reach(watch.sequence)
    await asyncio.sleep(0.2)
    assert not noted(later)
    await later.cancel()
    await watch.cancel()


async def test_omaha_is_annotated_where_hands_are_turned_up_at_the_end(backend: Backend) -> None:
    table = await backend.create_table(
        "poker_ocean",
        house_pb2.BET_STRUCTURE_POT_LIMIT,
        50,
        4,
        game=house_pb2.GAME_OMAHA_HI_LO,
        hand_pause=timedelta(0),
    )
    for seat, player in enumerate(PLAYERS[:2], start=1):
        await backend.deposit(player, "USD", 100_000)
        await backend.reserve_seat(table.table_id, player, seat)
        await backend.buy_in(table.table_id, player, 2_000)
    watch = backend.watching(table.table_id)
    decision = await backend.dealt(table.table_id)
    hand_id = decision.hand_id
    while decision.hand_id == hand_id:
        legal = decision.legal_actions
        if top := legal.max_raise_to or legal.max_bet_to:
            kind = hand_pb2.ACTION_KIND_RAISE_TO if legal.max_raise_to else hand_pb2.ACTION_KIND_BET_TO
            decision = (await backend.act(table.table_id, decision, kind, top)).next_decision
        else:
            decision = await backend.check_or_call(table.table_id, decision)
    await watch.until(lambda watch: bool(noted(watch)))
    (annotation,) = noted(watch)
    shown, board = what_all_saw(watch.events)
    streets = [street.street for street in annotation.streets]
    for street, exact in zip(annotation.streets, expected("omaha_hi_lo", shown, board, streets), strict=True):
        assert street.exact or street.street == hand_pb2.STREET_PREFLOP
        for told, share in zip(street.seats, exact, strict=True):
            assert told.equity_bps == share or (not street.exact and abs(told.equity_bps - share) < 100)
    await watch.cancel()


async def test_the_client_hands_annotations_on(backend: Backend) -> None:
    table_id = await backend.open_table("anna", "bert")
    news = backend.watch(table_id)
    await anext(news)
    hand_id = await go_all_in(backend, table_id)
    async with asyncio.timeout(20):
        async for one in news:
            if isinstance(one, Annotation):
                assert one.hand_id == hand_id
                break
    await news.aclose()
