"""TableService but for WatchTable: houses, tables and the server itself."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.adapters.rpc import checks, house_messages, messages, pages
from croupier.adapters.rpc.authority import must_act_for, scene_of
from croupier.adapters.rpc.pages import PageTokens
from croupier.engine import commands as cmd
from croupier.engine.rejection import Rejected
from croupier.engine.rules import AllInRule, Structure
from croupier.houses.house import Choice, House
from croupier.room.answers import StateAnswer
from croupier.room.failures import Refusal
from croupier.room.listing import FIRST, ListedTable, Wanted
from croupier.room.ports import Runtime
from croupier.room.principal import Principal
from croupier.room.requests import request_key
from croupier.room.room import Room
from croupier.room.sight import may_look_at
from croupier.room.watched import Watched
from croupier.v1 import house_pb2, table_pb2
from croupier.v1 import table_service_pb2 as pb

MOST_MS = 3_600_000


class TableServicer:
    """Each method checks its request and asks the room."""

    def __init__(
        self,
        room: Room,
        runtime: Runtime,
        houses: Mapping[str, House],
        server_info: pb.GetServerInfoResponse,
        tokens: PageTokens,
    ) -> None:
        self._room = room
        self._now = runtime.now
        self._houses = houses
        self._server_info = server_info
        self._tokens = tokens

    async def list_houses(self, principal: Principal, _: pb.ListHousesRequest) -> pb.ListHousesResponse:
        houses = [
            house_messages.house(house)
            for house_id, house in self._houses.items()
            if principal.may_know_house(house_id)
        ]
        return pb.ListHousesResponse(houses=houses)

    async def create_table(
        self, principal: Principal, request: pb.CreateTableRequest
    ) -> pb.CreateTableResponse:
        request_id = checks.text("request_id", request.request_id)
        house_id = checks.text("house_id", request.house_id)
        name = checks.optional_text("name", request.name)
        choice = _choice(request)
        house = self._houses.get(house_id)
        if house is None:
            raise Refusal("HOUSE_UNKNOWN", house_id=house_id)
        rules = house.resolve(choice)
        if isinstance(rules, Rejected):
            raise Refusal(rules.reason, **rules.facts)
        key = request_key(principal.id, "CreateTable", request_id, (house_id, name, *_content(choice)))
        answer = await self._room.create_table(key, name, rules, house.digest)
        return pb.CreateTableResponse(table=messages.table(answer.table, self._now(), with_legal=True))

    async def get_table(self, principal: Principal, request: pb.GetTableRequest) -> pb.GetTableResponse:
        actor = await visible_table(self._room, principal, request.table_id, request.scene)
        viewer = viewer_of(principal, request.player_id)
        view = actor.view(viewer)
        await actor.barrier()
        with_legal = bool(viewer) and view.decision is not None and view.decision.player_id == viewer
        return pb.GetTableResponse(table=messages.table(view, self._now(), with_legal=with_legal))

    async def list_tables(self, principal: Principal, request: pb.ListTablesRequest) -> pb.ListTablesResponse:
        tables, token = await self.listed(principal, request)
        return pb.ListTablesResponse(tables=[summary(one) for one in tables], next_page_token=token)

    async def listed(
        self, principal: Principal, request: pb.ListTablesRequest
    ) -> tuple[list[ListedTable], str]:
        """A page of tables, and the token of the next one."""
        house_id = checks.optional_text("house_id", request.house_id)
        if house_id and not await self._known(house_id):
            raise Refusal("HOUSE_UNKNOWN", house_id=house_id)
        scene = scene_of(principal, "scene", request.scene)
        filters = ("ListTables", house_id, scene)
        size = pages.size(request.page_size)
        begins = self._tokens.place(request.page_token, filters, 2)
        after = (pages.number(begins[0]), begins[1]) if begins else FIRST
        wanted = Wanted(_houses(principal, house_id), scene or principal.scene, principal.player_id)
        tables = await self._room.listing.page(wanted, after, size + 1)
        token = self._tokens.after(tables[size - 1].order, filters) if len(tables) > size else ""
        return tables[:size], token

    async def _known(self, house_id: str) -> bool:
        """Whether there is the house, or a table of it although its file has been taken away."""
        return house_id in self._houses or await self._room.listing.has_house(house_id)

    async def pause_table(self, principal: Principal, request: pb.PauseTableRequest) -> pb.PauseTableResponse:
        answer = await self._change(principal, "PauseTable", request, cmd.PauseTable())
        return pb.PauseTableResponse(sequence=answer.sequence, state=_state(answer))

    async def resume_table(
        self, principal: Principal, request: pb.ResumeTableRequest
    ) -> pb.ResumeTableResponse:
        answer = await self._change(principal, "ResumeTable", request, cmd.ResumeTable())
        return pb.ResumeTableResponse(sequence=answer.sequence, state=_state(answer))

    async def close_table(self, principal: Principal, request: pb.CloseTableRequest) -> pb.CloseTableResponse:
        answer = await self._change(principal, "CloseTable", request, cmd.CloseTable())
        return pb.CloseTableResponse(sequence=answer.sequence, state=_state(answer))

    async def _change(
        self,
        principal: Principal,
        method: str,
        request: pb.PauseTableRequest | pb.ResumeTableRequest | pb.CloseTableRequest,
        command: cmd.Command,
    ) -> StateAnswer:
        request_id = checks.text("request_id", request.request_id)
        table_id = checks.text("table_id", request.table_id)
        key = request_key(principal.id, method, request_id, (table_id,))
        return await self._room.change_state(key, table_id, command)

    async def get_server_info(self, _: Principal, __: pb.GetServerInfoRequest) -> pb.GetServerInfoResponse:
        info = pb.GetServerInfoResponse()
        info.CopyFrom(self._server_info)
        info.server_time.CopyFrom(messages.timestamp(self._now()))
        return info


async def visible_table(
    room: Room, principal: Principal, table_id: str, scene: str, *, fresh: bool = False
) -> Watched:
    """A table that the caller may see, and that may be seen from a scene, empty for any (R-T6).

    `fresh` as `Room.watched` has it. Raises Refusal TABLE_UNKNOWN, FIELD_NOT_ALLOWED.
    """
    table_id = checks.text("table_id", table_id)
    scene = scene_of(principal, "scene", scene)
    actor = await room.watched(table_id, fresh=fresh)
    if principal.role == "player":
        if not may_look_at(principal, actor.table) and not fresh:
            actor = await room.watched(table_id, fresh=True)
        visible = may_look_at(principal, actor.table)
    else:
        visible = actor.table.rules.visible_from(scene)
    if not visible:
        raise Refusal("TABLE_UNKNOWN", table_id=table_id)
    return actor


def viewer_of(principal: Principal, player_id: str) -> str:
    """Whose cards a read may show: the named player's, where the caller may see them; nobody's by default."""
    checks.optional_player_id("player_id", player_id)
    if player_id:
        must_act_for(principal, player_id)
    return player_id


def _choice(request: pb.CreateTableRequest) -> Choice:
    """What the creator picks; whether the house offers it, the house says."""
    action_time = hand_pause = None
    if request.HasField("action_time"):
        action_time = checks.milliseconds("action_time", request.action_time, most=MOST_MS)
    if request.HasField("hand_pause"):
        hand_pause = checks.milliseconds("hand_pause", request.hand_pause, most=MOST_MS)
    structure = checks.enum_name("structure", house_pb2.BetStructure.DESCRIPTOR, request.structure)
    game = checks.enum_name("game", house_pb2.Game.DESCRIPTOR, request.game, required=False)
    all_in_rule = checks.enum_name(
        "all_in_rule", house_pb2.AllInRule.DESCRIPTOR, request.all_in_rule, required=False
    )
    return Choice(
        game=game.removeprefix("GAME_").lower() or None,
        structure=Structure[structure.removeprefix("BET_STRUCTURE_")],
        min_bet=checks.amount("min_bet", request.min_bet),
        seat_count=checks.number("seat_count", request.seat_count, 2, 10) if request.seat_count else 0,
        action_time_ms=action_time,
        hand_pause_ms=hand_pause,
        all_in_rule=AllInRule[all_in_rule.removeprefix("ALL_IN_RULE_") or "NONE"],
        local_scene=checks.optional_text("local_scene", request.local_scene),
        forbid_banking=request.forbid_banking,
    )


def _content(choice: Choice) -> tuple[str | int, ...]:
    """A request's content; what was not picked is left out, so that a repetition is known by later versions too."""
    spans = [-1 if span is None else span for span in (choice.action_time_ms, choice.hand_pause_ms)]
    content = (choice.structure.value, choice.min_bet, choice.seat_count, *spans)
    rule = "" if choice.all_in_rule is AllInRule.NONE else choice.all_in_rule.name
    banking = "no banking" if choice.forbid_banking else ""
    more = (choice.game or "", rule, choice.local_scene, banking)
    return (*content, *more) if any(more) else content


def _state(answer: StateAnswer) -> table_pb2.TableState.ValueType:
    return table_pb2.TableState.Value(f"TABLE_STATE_{answer.state}")


def _houses(principal: Principal, house_id: str) -> list[str] | None:
    """The houses whose tables the caller may know, of one or (empty) all; None for all there are."""
    if house_id:
        return [house_id] if principal.may_know_house(house_id) else []
    return None if principal.houses is None else sorted(principal.houses)


def summary(table: ListedTable) -> table_pb2.TableSummary:
    """A table in a list."""
    return table_pb2.TableSummary(
        table_id=table.table_id,
        sequence=table.sequence,
        options=house_messages.options(table.name, table.rules),
        state=table_pb2.TableState.Value(f"TABLE_STATE_{table.state}"),
        taken_seat_count=table.taken_seat_count,
    )
