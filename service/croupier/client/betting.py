"""BettingService's RPCs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from croupier.client.caller import Caller, new_request_id
from croupier.v1.betting_service_pb2 import (
    ActRequest,
    ActResponse,
    CommitEntropyRequest,
    CommitEntropyResponse,
    GetLegalActionsRequest,
    GetLegalActionsResponse,
    RevealEntropyRequest,
    RevealEntropyResponse,
    SetAdvanceActionRequest,
    SetAdvanceActionResponse,
    ShowCardsRequest,
    ShowCardsResponse,
)
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub
from croupier.v1.hand_pb2 import ActionKind, Decision
from croupier.v1.table_pb2 import AdvanceActionKind

if TYPE_CHECKING:
    from croupier.v1.betting_service_pb2_grpc import BettingServiceAsyncStub


class Betting(Caller):
    """Plays the hands."""

    @cached_property
    def _betting(self) -> BettingServiceAsyncStub:
        return BettingServiceStub(self.channel)

    async def act(
        self,
        table_id: str,
        decision: Decision,
        action: ActionKind.ValueType,
        amount: int = 0,
        *,
        discards: Sequence[str] = (),
        request_id: str = "",
    ) -> ActResponse:
        """Answers `decision` for its player. `amount` is the player's total for the street, with BET_TO and
        RAISE_TO alone, `discards` the cards to exchange with DRAW. The answer names the decision that follows.
        """
        request = ActRequest(
            request_id=request_id or new_request_id(),
            table_id=table_id,
            player_id=decision.player_id,
            hand_id=decision.hand_id,
            action_sequence=decision.action_sequence,
            action=action,
            amount=amount,
            discards=discards,
        )
        return await self._call(self._betting.Act, request)

    async def set_advance_action(
        self,
        table_id: str,
        player_id: str,
        hand_id: str,
        kind: AdvanceActionKind.ValueType,
        call_amount: int = 0,
        *,
        request_id: str = "",
    ) -> SetAdvanceActionResponse:
        """Says what is to be done when the player's turn comes; with UNSPECIFIED, takes that back.

        `call_amount` is what a call adds now, with CALL alone.
        """
        request = SetAdvanceActionRequest(
            request_id=request_id or new_request_id(),
            table_id=table_id,
            player_id=player_id,
            hand_id=hand_id,
            kind=kind,
            call_amount=call_amount,
        )
        return await self._call(self._betting.SetAdvanceAction, request)

    async def show_cards(
        self, table_id: str, player_id: str, hand_id: str, cards: Sequence[str] = (), *, request_id: str = ""
    ) -> ShowCardsResponse:
        """Shows everybody cards of the hand that has just ended, all of the player's where none is named."""
        request = ShowCardsRequest(
            request_id=request_id or new_request_id(),
            table_id=table_id,
            player_id=player_id,
            hand_id=hand_id,
            cards=cards,
        )
        return await self._call(self._betting.ShowCards, request)

    async def commit_entropy(
        self, table_id: str, player_id: str, commitment: bytes, *, request_id: str = ""
    ) -> CommitEntropyResponse:
        """Takes a share in the coming hand's deal, by the SHA-256 of 32 bytes of fresh entropy."""
        request = CommitEntropyRequest(
            request_id=request_id or new_request_id(),
            table_id=table_id,
            player_id=player_id,
            commitment=commitment,
        )
        return await self._call(self._betting.CommitEntropy, request)

    async def reveal_entropy(
        self, table_id: str, player_id: str, hand_id: str, entropy: bytes, *, request_id: str = ""
    ) -> RevealEntropyResponse:
        """Reveals the 32 bytes, once DeckCommitted has told that the hand's decks are fixed."""
        request = RevealEntropyRequest(
            request_id=request_id or new_request_id(),
            table_id=table_id,
            player_id=player_id,
            hand_id=hand_id,
            entropy=entropy,
        )
        return await self._call(self._betting.RevealEntropy, request)

    async def get_legal_actions(self, table_id: str, player_id: str) -> GetLegalActionsResponse:
        """Who must act now and, where that is `player_id`, what the player may do."""
        request = GetLegalActionsRequest(table_id=table_id, player_id=player_id)
        return await self._call(self._betting.GetLegalActions, request)
