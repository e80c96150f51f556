"""BettingService's RPCs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from grpc import ChannelCredentials

from croupier.client.caller import Caller, new_request_id
from croupier.client.retry import Retry
from croupier.v1.betting_service_pb2 import (
    ActRequest,
    ActResponse,
    GetLegalActionsRequest,
    GetLegalActionsResponse,
)
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub
from croupier.v1.hand_pb2 import ActionKind, Decision

if TYPE_CHECKING:
    from croupier.v1.betting_service_pb2_grpc import BettingServiceAsyncStub


class Betting(Caller):
    """Plays the hands."""

    def __init__(
        self, target: str, *, credentials: ChannelCredentials | None = None, retry: Retry | None = None
    ) -> None:
        super().__init__(target, credentials=credentials, retry=retry)
        self._betting: Final[BettingServiceAsyncStub] = BettingServiceStub(self.channel)

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

    async def get_legal_actions(self, table_id: str, player_id: str) -> GetLegalActionsResponse:
        """Who must act now and, where that is `player_id`, what the player may do."""
        request = GetLegalActionsRequest(table_id=table_id, player_id=player_id)
        return await self._call(self._betting.GetLegalActions, request)
