"""EvaluationService over gRPC: hands in full, equities, what is refused, deadlines, and tables that go on meanwhile."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import Any

import pytest
from grpc import StatusCode, aio
from tests.support.documented import failure_of, undocumented
from tests.support.live import Backend

from croupier.client import Refused
from croupier.v1 import evaluation_service_pb2 as pb
from croupier.v1 import house_pb2
from croupier.v1.evaluation_service_pb2_grpc import EvaluationServiceStub

HOLDEM = house_pb2.GAME_HOLDEM
HI_LO = house_pb2.GAME_OMAHA_HI_LO
DRAW = house_pb2.GAME_FIVE_CARD_DRAW
LONG = pb.CalculateEquityRequest(
    game=house_pb2.GAME_SIX_CARD_OMAHA, hands=[pb.HoleCards()] * 7, max_samples=5_000_000
)
"""Takes many seconds."""


def hands(*texts: str) -> list[pb.HoleCards]:
    return [pb.HoleCards(cards=[text[at : at + 2] for at in range(0, len(text), 2)]) for text in texts]


async def test_holdem_hands_are_told_in_full_in_a_language(backend: Backend) -> None:
    full, pair = await backend.evaluate_hands(HOLDEM, ["KsKd", "AsQc"], "KhQdQh", language="de")
    assert full.hand_class == pb.HAND_CLASS_FULL_HOUSE
    assert full.best_five == ["Ks", "Kh", "Kd", "Qh", "Qd"]
    assert full.description == "Full House, Könige über Damen"
    assert pair.hand_class == pb.HAND_CLASS_THREE_OF_A_KIND
    assert full.rank > pair.rank
    assert (full.low_rank, list(full.best_low), full.low_description) == (0, [], "")


async def test_omaha_hi_lo_hands_have_their_lows(backend: Backend) -> None:
    wheel, none = await backend.evaluate_hands(HI_LO, ["As2s Kd Qd", "JsJhTsTh"], "3c4c5hJdKh")
    assert (wheel.low_rank, wheel.low_description) == (56, "5-4-3-2-A low")
    assert sorted(wheel.best_low) == ["2s", "3c", "4c", "5h", "As"]
    assert wheel.hand_class == pb.HAND_CLASS_STRAIGHT
    assert (none.low_rank, none.hand_class) == (0, pb.HAND_CLASS_THREE_OF_A_KIND)


async def test_draw_hands_need_no_board(backend: Backend) -> None:
    (royal,) = await backend.evaluate_hands(DRAW, ["AsTsKsQsJs"])
    assert (royal.rank, royal.hand_class) == (7462, pb.HAND_CLASS_ROYAL_FLUSH)
    assert royal.best_five == ["As", "Ks", "Qs", "Js", "Ts"]


async def test_equities_are_counted_over_every_board(backend: Backend) -> None:
    found = await backend.calculate_equity(HOLDEM, ["AsAh", "KsKh"])
    aces, kings = found.hands
    assert (found.exact, found.deal_count) == (True, 1_712_304)
    assert (aces.win_count, aces.tie_count, kings.win_count) == (1_410_336, 9_308, 292_660)
    assert aces.share_count + kings.share_count == 5040 * found.deal_count
    assert (aces.equity_bps, aces.standard_error_ppm) == (8264, 0)


async def test_lots_are_the_same_for_a_seed_and_tell_their_error(backend: Backend) -> None:
    lots = [
        await backend.calculate_equity(HOLDEM, ["AsAh", ""], dead_cards="2c", max_samples=10_000, seed=seed)
        for seed in (3, 3, 4)
    ]
    assert lots[0] == lots[1] != lots[2]
    assert (lots[0].exact, lots[0].deal_count) == (False, 10_000)
    assert 2000 < lots[0].hands[0].standard_error_ppm < 5000
    assert abs(lots[0].hands[0].equity_bps - 8520) < 150


@pytest.mark.parametrize(
    ("changed", "reason", "facts"),
    [
        ({"game": 0}, "FIELD_REQUIRED", {"field": "game"}),
        ({"game": 99}, "FIELD_MALFORMED", {"field": "game"}),
        ({"hands": []}, "FIELD_REQUIRED", {"field": "hands"}),
        ({"hands": hands("AsKs")}, "FIELD_OUT_OF_RANGE", {"field": "hands", "min": "2", "max": "10"}),
        ({"hands": hands(*[""] * 11)}, "FIELD_OUT_OF_RANGE", {"field": "hands", "min": "2", "max": "10"}),
        ({"hands": hands("AsKs", "2c3c4c")}, "FIELD_OUT_OF_RANGE", {"field": "hands.cards", "max": "2"}),
        ({"hands": hands("AsKs", "2cXc")}, "FIELD_MALFORMED", {"field": "hands.cards"}),
        ({"hands": hands("AsKs", "KsQs")}, "CARD_REPEATED", {"field": "hands.cards"}),
        ({"hands": hands("AsAs", "KsQs")}, "CARD_REPEATED", {"field": "hands.cards"}),
        ({"board": ["As"]}, "CARD_REPEATED", {"field": "board"}),
        ({"board": ["as"]}, "FIELD_MALFORMED", {"field": "board"}),
        (
            {"board": ["2c", "3c", "4c", "5c", "6c", "7c"]},
            "FIELD_OUT_OF_RANGE",
            {"field": "board", "max": "5"},
        ),
        ({"dead_cards": ["Qd"]}, "CARD_REPEATED", {"field": "dead_cards"}),
        ({"dead_cards": ["2c"] * 44}, "FIELD_OUT_OF_RANGE", {"field": "dead_cards", "min": "0", "max": "43"}),
        ({"max_samples": -1}, "FIELD_OUT_OF_RANGE", {"field": "max_samples", "max": "5000000"}),
        ({"max_samples": 5_000_001}, "FIELD_OUT_OF_RANGE", {"field": "max_samples", "min": "1"}),
        ({"seed": -1}, "FIELD_OUT_OF_RANGE", {"field": "seed"}),
        (
            {"game": DRAW, "hands": hands("AsKs", "QdQc")},
            "FIELD_OUT_OF_RANGE",
            {"field": "hands.cards", "min": "5"},
        ),
        (
            {"game": DRAW, "hands": hands("AsKsQsJsTs", "2c3c4c5c7d"), "board": ["9c"]},
            "FIELD_NOT_ALLOWED",
            {"field": "board"},
        ),
        (
            {"game": house_pb2.GAME_SIX_CARD_OMAHA, "hands": hands(*[""] * 8)},
            "FIELD_OUT_OF_RANGE",
            {"max": "7"},
        ),
    ],
)
async def test_what_cannot_be_calculated_is_refused(
    backend: Backend, changed: dict[str, Any], reason: str, facts: dict[str, str]
) -> None:
    fields: dict[str, Any] = {"game": HOLDEM, "hands": hands("AsKs", "QdQc")}
    with pytest.raises(aio.AioRpcError) as refused:
        await stub(backend).CalculateEquity(pb.CalculateEquityRequest(**(fields | changed)))
    failure = failure_of(refused.value)
    assert (failure.code, failure.reason) == (StatusCode.INVALID_ARGUMENT, reason)
    assert facts.items() <= failure.metadata.items()
    assert not undocumented("/croupier.v1.EvaluationService/CalculateEquity", failure)


@pytest.mark.parametrize(
    ("game", "held", "board", "reason"),
    [
        (HOLDEM, ["AsKs"], "", "FIELD_REQUIRED"),
        (HOLDEM, ["AsKs"], "2c3c", "FIELD_OUT_OF_RANGE"),
        (HOLDEM, ["As"], "2c3c4c", "FIELD_OUT_OF_RANGE"),
        (HOLDEM, ["AsKs"], "2c3cAs", "CARD_REPEATED"),
        (HOLDEM, [], "2c3c4c", "FIELD_REQUIRED"),
        (DRAW, ["AsKsQsJsTs"], "2c3c4c", "FIELD_NOT_ALLOWED"),
    ],
)
async def test_hands_that_cannot_be_ranked_are_refused(
    backend: Backend, game: house_pb2.Game.ValueType, held: list[str], board: str, reason: str
) -> None:
    with pytest.raises(Refused) as refused:
        await backend.evaluate_hands(game, held, board)
    assert (refused.value.code, refused.value.reason) == (StatusCode.INVALID_ARGUMENT, reason)


async def test_an_unknown_language_is_refused(backend: Backend) -> None:
    with pytest.raises(Refused, match="LANGUAGE_UNKNOWN"):
        await backend.evaluate_hands(DRAW, ["AsKsQsJsTs"], language="tlh")


def stub(backend: Backend) -> Any:
    return EvaluationServiceStub(backend.channel)


async def must_be_free(backend: Backend) -> None:
    """Fails unless a small calculation is answered at once: nothing long is under way."""
    started = perf_counter()
    await backend.calculate_equity(HOLDEM, ["AsKs", "QdQc"], "2c7d9h")
    assert perf_counter() - started < 1


async def test_a_calculation_ends_with_its_deadline(backend: Backend) -> None:
    with pytest.raises(aio.AioRpcError) as failure:
        await stub(backend).CalculateEquity(LONG, timeout=0.2)
    assert failure.value.code() is StatusCode.DEADLINE_EXCEEDED
    await must_be_free(backend)


async def test_a_calculation_ends_when_it_is_cancelled(backend: Backend) -> None:
    call = stub(backend).CalculateEquity(LONG)
    await asyncio.sleep(0.2)
    call.cancel()
    await must_be_free(backend)


async def test_no_more_calculations_wait_than_may(backend: Backend) -> None:
    calls = [stub(backend).CalculateEquity(LONG) for _ in range(17)]
    async with asyncio.timeout(20):
        await asyncio.sleep(0.5)
        with pytest.raises(aio.AioRpcError) as refused:
            await stub(backend).CalculateEquity(LONG)
    failure = failure_of(refused.value)
    assert (failure.code, failure.reason) == (StatusCode.RESOURCE_EXHAUSTED, "EVALUATOR_BUSY")
    assert failure.metadata == {"max_waiting": "16"}
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    await must_be_free(backend)


async def test_tables_go_on_while_equities_are_calculated(backend: Backend) -> None:
    table_id = await backend.open_table("anna", "bert")
    decision = await backend.dealt(table_id)
    calls = [stub(backend).CalculateEquity(LONG) for _ in range(4)]
    await asyncio.sleep(0.1)
    slowest = 0.0
    for _ in range(30):
        started = perf_counter()
        decision = await backend.check_or_call(table_id, decision)
        slowest = max(slowest, perf_counter() - started)
    assert not any(call.done() for call in calls)
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    assert slowest < 1
