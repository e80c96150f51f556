"""A table of a running server with players at it, for tests that speak gRPC."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, Self

from tests.support.vouching import PASS

from croupier.client import Croupier
from croupier.client.retry import Retry
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.hand_pb2 import ActionKind, Decision
from croupier.v1.house_pb2 import BET_STRUCTURE_NO_LIMIT

CURRENCY: Final = "PoE"
ONCE: Final = Retry(attempts=1, timeout=20)
"""For clients that shall see each failure."""
PATIENT: Final = Retry(attempts=1000, timeout=20, first_pause=0.02, longest_pause=0.2)
"""For clients whose server is killed and started again, on a machine that may have much else to do."""


class LiveTable:
    """No limit 1/2 with six seats and no pause between hands; players have 10,000 chips before they buy in."""

    def __init__(self, client: Croupier, table_id: str) -> None:
        self.client: Final = client
        self.table_id: Final = table_id

    @classmethod
    async def open(
        cls, client: Croupier, players: Sequence[str] = (), amount: int = 200, *, called: str = ""
    ) -> Self:
        """Players get the table's id before their names, so that no two tables share any."""
        table = await client.create_table(
            "puzzle_pirates", BET_STRUCTURE_NO_LIMIT, 2, 6, name=called, hand_pause=timedelta(0)
        )
        live = cls(client, table.table_id)
        for number, name in enumerate(players, start=1):
            await live.sit(name, number, amount)
        return live

    def named(self, name: str) -> str:
        """A player's id, or a request's, that no other table has."""
        return f"{self.table_id}-{name}"

    async def sit(self, name: str, number: int, amount: int = 200) -> None:
        """Deposit, reserve, buy in; nothing of it waits for the disk then."""
        player_id = self.named(name)
        await self.client.deposit(player_id, CURRENCY, 10_000)
        await self.client.reserve_seat(self.table_id, player_id, number, vouched=PASS)
        await self.client.buy_in(self.table_id, player_id, amount)
        await self.client.get_table(self.table_id)

    async def decision(self) -> Decision:
        """The decision that stands, with what is legal."""
        standing = (await self.client.get_table(self.table_id)).next_decision
        return (await self.client.get_legal_actions(self.table_id, standing.player_id)).decision

    async def act(self, decision: Decision, request_id: str = "") -> ActResponse:
        """Check or call."""
        return await self.client.act(self.table_id, decision, quiet(decision), request_id=request_id)

    def request(self, decision: Decision, action: ActionKind.ValueType, request_id: str) -> ActRequest:
        """An action as a bare request."""
        return ActRequest(
            request_id=request_id,
            table_id=self.table_id,
            player_id=decision.player_id,
            hand_id=decision.hand_id,
            action_sequence=decision.action_sequence,
            action=action,
        )


def quiet(decision: Decision) -> ActionKind.ValueType:
    """Check where that is free, else call."""
    free = decision.legal_actions.can_check
    return ActionKind.ACTION_KIND_CHECK if free else ActionKind.ACTION_KIND_CALL
