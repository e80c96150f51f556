"""TableService's RPCs but for the watch, which has a module of its own."""

from __future__ import annotations

from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from google.protobuf.duration_pb2 import Duration

from croupier.client.caller import Caller, new_request_id
from croupier.v1.house_pb2 import AllInRule, BetStructure, Game, House
from croupier.v1.table_pb2 import Table
from croupier.v1.table_service_pb2 import (
    CloseTableRequest,
    CloseTableResponse,
    CreateTableRequest,
    GetServerInfoRequest,
    GetServerInfoResponse,
    GetTableRequest,
    ListHousesRequest,
    ListTablesRequest,
    ListTablesResponse,
    PauseTableRequest,
    PauseTableResponse,
    ResumeTableRequest,
    ResumeTableResponse,
)
from croupier.v1.table_service_pb2_grpc import TableServiceStub

if TYPE_CHECKING:
    from croupier.v1.table_service_pb2_grpc import TableServiceAsyncStub


class Tables(Caller):
    """Opens tables, closes them, and tells how they stand."""

    @cached_property
    def _tables(self) -> TableServiceAsyncStub:
        return TableServiceStub(self.channel)

    async def list_houses(self) -> list[House]:
        """All houses with what they offer, by house_id."""
        return list((await self._call(self._tables.ListHouses, ListHousesRequest())).houses)

    async def create_table(
        self,
        house_id: str,
        structure: BetStructure.ValueType,
        min_bet: int,
        seat_count: int = 0,
        *,
        name: str = "",
        game: Game.ValueType = Game.GAME_UNSPECIFIED,
        all_in_rule: AllInRule.ValueType = AllInRule.ALL_IN_RULE_UNSPECIFIED,
        local_scene: str = "",
        forbid_banking: bool = False,
        action_time: timedelta | None = None,
        hand_pause: timedelta | None = None,
        request_id: str = "",
    ) -> Table:
        """Opens a table; what is not given is the house's default. A house of one game need not be told which."""
        request = CreateTableRequest(
            request_id=request_id or new_request_id(),
            house_id=house_id,
            name=name,
            structure=structure,
            min_bet=min_bet,
            seat_count=seat_count,
            action_time=_duration(action_time),
            hand_pause=_duration(hand_pause),
            game=game,
            all_in_rule=all_in_rule,
            local_scene=local_scene,
            forbid_banking=forbid_banking,
        )
        return (await self._call(self._tables.CreateTable, request)).table

    async def get_table(self, table_id: str, player_id: str = "", *, scene: str = "") -> Table:
        """The table as `player_id` may see it; as a watcher, where none is named. `scene` is where the viewer is."""
        request = GetTableRequest(table_id=table_id, player_id=player_id, scene=scene)
        return (await self._call(self._tables.GetTable, request)).table

    async def list_tables(
        self, house_id: str = "", *, scene: str = "", page_size: int = 0, page_token: str = ""
    ) -> ListTablesResponse:
        """A page of the tables that are not closed and can be seen from the scene, oldest first."""
        request = ListTablesRequest(
            house_id=house_id, scene=scene, page_size=page_size, page_token=page_token
        )
        return await self._call(self._tables.ListTables, request)

    async def pause_table(self, table_id: str, *, request_id: str = "") -> PauseTableResponse:
        """Keeps further hands from starting."""
        request = PauseTableRequest(request_id=request_id or new_request_id(), table_id=table_id)
        return await self._call(self._tables.PauseTable, request)

    async def resume_table(self, table_id: str, *, request_id: str = "") -> ResumeTableResponse:
        """Lets hands start again."""
        request = ResumeTableRequest(request_id=request_id or new_request_id(), table_id=table_id)
        return await self._call(self._tables.ResumeTable, request)

    async def close_table(self, table_id: str, *, request_id: str = "") -> CloseTableResponse:
        """Closes the table when the hand in play is over."""
        request = CloseTableRequest(request_id=request_id or new_request_id(), table_id=table_id)
        return await self._call(self._tables.CloseTable, request)

    async def get_server_info(self) -> GetServerInfoResponse:
        """What the server is made of."""
        return await self._call(self._tables.GetServerInfo, GetServerInfoRequest())


def _duration(span: timedelta | None) -> Duration | None:
    if span is None:
        return None
    duration = Duration()
    duration.FromTimedelta(span)
    return duration
