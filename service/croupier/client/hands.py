"""SettlementService's RPCs about settled hands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import cached_property
from typing import TYPE_CHECKING

from google.protobuf.timestamp_pb2 import Timestamp

from croupier.client.caller import Caller
from croupier.v1.hand_record_pb2 import HandRecord
from croupier.v1.settlement_service_pb2 import (
    ExportHandRequest,
    ExportHandResponse,
    GetHandRequest,
    HandFormat,
    ListHandsRequest,
    VerifyHandRequest,
    VerifyHandResponse,
)
from croupier.v1.settlement_service_pb2_grpc import SettlementServiceStub

if TYPE_CHECKING:
    from croupier.v1.settlement_service_pb2_grpc import SettlementServiceAsyncStub


class Hands(Caller):
    """Reads settled hands as `player_id` may know them; as a watcher, where none is named."""

    @cached_property
    def _hands(self) -> SettlementServiceAsyncStub:
        return SettlementServiceStub(self.channel)

    async def get_hand(self, hand_id: str, player_id: str = "", *, language: str = "") -> HandRecord:
        """One hand with all that happened in it."""
        request = GetHandRequest(hand_id=hand_id, player_id=player_id, language=language)
        return (await self._call(self._hands.GetHand, request)).hand

    async def list_hands(
        self,
        *,
        table_id: str = "",
        played_by: str = "",
        player_id: str = "",
        from_time: Timestamp | None = None,
        to_time: Timestamp | None = None,
        page_size: int = 0,
        language: str = "",
    ) -> AsyncIterator[HandRecord]:
        """Every hand that matches all the filters given, latest first, asked for page by page.

        A table or a player must be named.
        """
        request = ListHandsRequest(
            table_id=table_id,
            played_by=played_by,
            player_id=player_id,
            from_time=from_time,
            to_time=to_time,
            page_size=page_size,
            language=language,
        )
        while True:
            page = await self._call(self._hands.ListHands, request)
            for hand in page.hands:
                yield hand
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def export_hand(
        self, hand_id: str, form: HandFormat.ValueType, player_id: str = ""
    ) -> ExportHandResponse:
        """One hand in a public format."""
        request = ExportHandRequest(hand_id=hand_id, player_id=player_id, format=form)
        return await self._call(self._hands.ExportHand, request)

    async def verify_hand(self, hand_id: str, player_id: str = "") -> VerifyHandResponse:
        """What proves one hand's cards; deploy/verify/ checks it, as JSON."""
        request = VerifyHandRequest(hand_id=hand_id, player_id=player_id)
        return await self._call(self._hands.VerifyHand, request)
