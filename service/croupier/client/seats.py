"""SeatService's RPCs. Each is sent with a new request_id unless the caller gives one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from croupier.client.caller import Caller, new_request_id
from croupier.v1.seat_service_pb2 import (
    BuyInRequest,
    BuyInResponse,
    CashOutRequest,
    CashOutResponse,
    DismissRequest,
    DismissResponse,
    JoinWaitingListRequest,
    JoinWaitingListResponse,
    LeaveWaitingListRequest,
    LeaveWaitingListResponse,
    RebuyRequest,
    RebuyResponse,
    ReleaseSeatRequest,
    ReleaseSeatResponse,
    ReserveSeatRequest,
    ReserveSeatResponse,
    SetPreferencesRequest,
    SetPreferencesResponse,
    SitInRequest,
    SitInResponse,
    SitOutRequest,
    SitOutResponse,
    Vouched,
)
from croupier.v1.seat_service_pb2_grpc import SeatServiceStub
from croupier.v1.table_pb2 import Preferences

if TYPE_CHECKING:
    from croupier.v1.seat_service_pb2_grpc import SeatServiceAsyncStub


class Seats(Caller):
    """Brings players to tables and away again."""

    @cached_property
    def _seats(self) -> SeatServiceAsyncStub:
        return SeatServiceStub(self.channel)

    async def reserve_seat(
        self,
        table_id: str,
        player_id: str,
        seat_number: int,
        *,
        vouched: Vouched | None = None,
        request_id: str = "",
    ) -> ReserveSeatResponse:
        """Holds a seat for a player whose wallet covers the minimum buy-in; `vouched` is what houses ask of players."""
        request = ReserveSeatRequest(
            request_id=request_id or new_request_id(),
            table_id=table_id,
            player_id=player_id,
            seat_number=seat_number,
            vouched=vouched,
        )
        return await self._call(self._seats.ReserveSeat, request)

    async def release_seat(
        self, table_id: str, player_id: str, *, request_id: str = ""
    ) -> ReleaseSeatResponse:
        """Gives a reserved seat back."""
        request = ReleaseSeatRequest(
            request_id=request_id or new_request_id(), table_id=table_id, player_id=player_id
        )
        return await self._call(self._seats.ReleaseSeat, request)

    async def join_waiting_list(
        self, table_id: str, player_id: str, *, vouched: Vouched | None = None, request_id: str = ""
    ) -> JoinWaitingListResponse:
        """Waits for a seat at a full table."""
        request = JoinWaitingListRequest(
            request_id=request_id or new_request_id(),
            table_id=table_id,
            player_id=player_id,
            vouched=vouched,
        )
        return await self._call(self._seats.JoinWaitingList, request)

    async def leave_waiting_list(
        self, table_id: str, player_id: str, *, request_id: str = ""
    ) -> LeaveWaitingListResponse:
        """Waits no longer."""
        request = LeaveWaitingListRequest(
            request_id=request_id or new_request_id(), table_id=table_id, player_id=player_id
        )
        return await self._call(self._seats.LeaveWaitingList, request)

    async def buy_in(
        self,
        table_id: str,
        player_id: str,
        amount: int,
        *,
        wait_for_big_blind: bool = False,
        request_id: str = "",
    ) -> BuyInResponse:
        """Moves chips from the wallet to the reserved seat; in some houses a newcomer may wait for the big blind."""
        request = BuyInRequest(
            request_id=request_id or new_request_id(),
            table_id=table_id,
            player_id=player_id,
            amount=amount,
            wait_for_big_blind=wait_for_big_blind,
        )
        return await self._call(self._seats.BuyIn, request)

    async def rebuy(
        self, table_id: str, player_id: str, amount: int, *, request_id: str = ""
    ) -> RebuyResponse:
        """Adds chips from the wallet to the stack, after the hand in play."""
        request = RebuyRequest(
            request_id=request_id or new_request_id(), table_id=table_id, player_id=player_id, amount=amount
        )
        return await self._call(self._seats.Rebuy, request)

    async def cash_out(self, table_id: str, player_id: str, *, request_id: str = "") -> CashOutResponse:
        """Has the player leave with the stack after the hand in play."""
        request = CashOutRequest(
            request_id=request_id or new_request_id(), table_id=table_id, player_id=player_id
        )
        return await self._call(self._seats.CashOut, request)

    async def dismiss(self, table_id: str, player_id: str, *, request_id: str = "") -> DismissResponse:
        """As cash_out, with nothing but checks and folds until then."""
        request = DismissRequest(
            request_id=request_id or new_request_id(), table_id=table_id, player_id=player_id
        )
        return await self._call(self._seats.Dismiss, request)

    async def sit_out(self, table_id: str, player_id: str, *, request_id: str = "") -> SitOutResponse:
        """Keeps the player from being dealt in."""
        request = SitOutRequest(
            request_id=request_id or new_request_id(), table_id=table_id, player_id=player_id
        )
        return await self._call(self._seats.SitOut, request)

    async def sit_in(
        self, table_id: str, player_id: str, *, wait_for_big_blind: bool = False, request_id: str = ""
    ) -> SitInResponse:
        """Has the player dealt in again."""
        request = SitInRequest(
            request_id=request_id or new_request_id(),
            table_id=table_id,
            player_id=player_id,
            wait_for_big_blind=wait_for_big_blind,
        )
        return await self._call(self._seats.SitIn, request)

    async def set_preferences(
        self, table_id: str, player_id: str, preferences: Preferences, *, request_id: str = ""
    ) -> SetPreferencesResponse:
        """Says what the player prefers, in place of all that was said before."""
        request = SetPreferencesRequest(
            request_id=request_id or new_request_id(),
            table_id=table_id,
            player_id=player_id,
            preferences=preferences,
        )
        return await self._call(self._seats.SetPreferences, request)
