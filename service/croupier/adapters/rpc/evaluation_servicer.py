"""EvaluationService: hands ranked and compared for whoever asks; it knows no table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from croupier.adapters.calculator import Busy, Calculator
from croupier.adapters.rpc import checks, hand_words
from croupier.cards import cards_text
from croupier.handrank import equity, evaluation
from croupier.handrank.equity_games import EQUITY_GAMES, EquityGame
from croupier.numbers import INT64_MAX
from croupier.room.failures import Refusal
from croupier.room.principal import Principal
from croupier.v1 import evaluation_service_pb2 as pb
from croupier.v1 import house_pb2

MOST_SAMPLES: Final = 5_000_000
_BASIS_POINTS: Final = 10_000
_MILLION: Final = 1_000_000


class EvaluationServicer:
    """Each method checks every card of its request before the evaluator sees one."""

    def __init__(self, calculator: Calculator) -> None:
        self._calculator = calculator
        self._hands = ThreadPoolExecutor(1, thread_name_prefix="croupier-hands")

    async def evaluate_hands(
        self, _: Principal, request: pb.EvaluateHandsRequest
    ) -> pb.EvaluateHandsResponse:
        language = hand_words.chosen(request.language)
        game = _game(request.game)
        fewest = 3 if game.board_cards else 0
        taken = _Cards()
        hands = taken.hands(game, request.hands, least_hands=1, least_cards=game.hole_cards)
        board = taken.some("board", request.board, fewest, game.board_cards)
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._hands, evaluation.evaluate, game, hands, board)
        return pb.EvaluateHandsResponse(hands=[_evaluated(one, language) for one in found])

    async def calculate_equity(
        self, _: Principal, request: pb.CalculateEquityRequest
    ) -> pb.CalculateEquityResponse:
        question = _question(request)
        try:
            (found,) = await self._calculator.equities([question])
        except Busy:
            raise Refusal("EVALUATOR_BUSY", max_waiting=self._calculator.most_waiting) from None
        except equity.Stopped:
            raise Refusal("SERVER_DRAINING") from None
        return pb.CalculateEquityResponse(
            hands=[_part(one, found.exact) for one in found.hands],
            deal_count=found.deals,
            exact=found.exact,
        )


class _Cards:
    """The cards of one request, none of which may come twice."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def hands(
        self, game: EquityGame, hands: Sequence[pb.HoleCards], *, least_hands: int, least_cards: int
    ) -> list[bytes]:
        checks.number("hands", len(hands), least_hands, game.most_hands)
        return [self.some("hands.cards", hand.cards, least_cards, game.hole_cards) for hand in hands]

    def some(self, field: str, texts: Sequence[str], least: int, most: int) -> bytes:
        """So many cards; none may be given where `most` is 0."""
        if texts and not most:
            raise Refusal("FIELD_NOT_ALLOWED", field=field)
        checks.number(field, len(texts), least, most)
        cards = checks.cards(field, texts)
        if len(set(cards)) != len(cards) or not self._seen.isdisjoint(cards):
            raise Refusal("CARD_REPEATED", field=field)
        self._seen.update(cards)
        return cards


def _game(value: house_pb2.Game.ValueType) -> EquityGame:
    name = checks.enum_name("game", house_pb2.Game.DESCRIPTOR, value)
    return EQUITY_GAMES[name.removeprefix("GAME_").lower()]


def _question(request: pb.CalculateEquityRequest) -> equity.Question:
    game = _game(request.game)
    taken = _Cards()
    least = 0 if game.board_cards else game.hole_cards
    hands = taken.hands(game, request.hands, least_hands=equity.FEWEST_HANDS, least_cards=least)
    board = taken.some("board", request.board, 0, game.board_cards)
    to_spare = 52 - len(hands) * game.hole_cards - game.board_cards
    dead = taken.some("dead_cards", request.dead_cards, 0, to_spare)
    most = checks.number("max_samples", request.max_samples or equity.MOST_DEALS, 1, MOST_SAMPLES)
    seed = checks.number("seed", request.seed, 0, INT64_MAX)
    return equity.Question(game, hands, board, dead, most, seed)


def _evaluated(one: evaluation.Evaluated, language: str) -> pb.EvaluatedHand:
    return pb.EvaluatedHand(
        rank=one.rank,
        hand_class=pb.HandClass.Value(f"HAND_CLASS_{one.hand_class.name}"),
        best_five=cards_text(one.best_five),
        description=one.description(language),
        low_rank=one.low_rank,
        best_low=cards_text(one.best_low),
        low_description=one.low_description(language),
    )


def _part(one: equity.HandEquity, exact: bool) -> pb.HandEquity:
    return pb.HandEquity(
        win_count=one.wins,
        tie_count=one.ties,
        share_count=one.shares,
        equity_bps=one.per(_BASIS_POINTS),
        standard_error_ppm=0 if exact else one.standard_error_per(_MILLION),
    )
