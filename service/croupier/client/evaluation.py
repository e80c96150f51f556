"""EvaluationService's RPCs: cards are text such as "AsKs", in any number of words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from croupier.client.caller import Caller
from croupier.v1.evaluation_service_pb2 import (
    CalculateEquityRequest,
    CalculateEquityResponse,
    EvaluatedHand,
    EvaluateHandsRequest,
    HoleCards,
)
from croupier.v1.evaluation_service_pb2_grpc import EvaluationServiceStub
from croupier.v1.house_pb2 import Game

if TYPE_CHECKING:
    from croupier.v1.evaluation_service_pb2_grpc import EvaluationServiceAsyncStub


class Evaluation(Caller):
    """Asks what hands are worth."""

    @cached_property
    def _evaluation(self) -> EvaluationServiceAsyncStub:
        return EvaluationServiceStub(self.channel)

    async def evaluate_hands(
        self, game: Game.ValueType, hands: Sequence[str], board: str = "", *, language: str = ""
    ) -> Sequence[EvaluatedHand]:
        """What each hand of a showdown makes, in the order given."""
        request = EvaluateHandsRequest(game=game, hands=_hands(hands), board=_cards(board), language=language)
        return (await self._call(self._evaluation.EvaluateHands, request)).hands

    async def calculate_equity(
        self,
        game: Game.ValueType,
        hands: Sequence[str],
        board: str = "",
        *,
        dead_cards: str = "",
        max_samples: int = 0,
        seed: int = 0,
    ) -> CalculateEquityResponse:
        """What share of a pot each hand wins; an empty text is a hand that nobody knows.

        What takes longer than the client's `retry.timeout` is given up and asked again: ask for fewer samples then.
        """
        request = CalculateEquityRequest(
            game=game,
            hands=_hands(hands),
            board=_cards(board),
            dead_cards=_cards(dead_cards),
            max_samples=max_samples,
            seed=seed,
        )
        return await self._call(self._evaluation.CalculateEquity, request)


def _hands(hands: Sequence[str]) -> list[HoleCards]:
    return [HoleCards(cards=_cards(hand)) for hand in hands]


def _cards(text: str) -> list[str]:
    return [word[at : at + 2] for word in text.split() for at in range(0, len(word), 2)]
