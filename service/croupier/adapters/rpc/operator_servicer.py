"""OperatorService: tables that stand still, players to be kept away, wallets to be corrected, and the log of it all."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from croupier.adapters.rpc import checks, operator_messages, pages
from croupier.adapters.rpc.pages import PageTokens
from croupier.engine.table_events import RequestKey
from croupier.room.bank import MOST_HELD
from croupier.room.failures import Refusal
from croupier.room.operations import Block, OperationQuery
from croupier.room.ports import Runtime
from croupier.room.principal import Principal
from croupier.room.requests import request_key
from croupier.room.resolving import Resolution
from croupier.room.room import Room
from croupier.v1 import operator_service_pb2 as pb

MAX_REASON_LENGTH: Final = 200
MAX_TOKEN_LENGTH: Final = 64


class OperatorServicer:
    """Each method checks its request and asks the room."""

    def __init__(
        self,
        room: Room,
        runtime: Runtime,
        houses: Collection[str],
        currencies: Collection[str],
        tokens: PageTokens,
    ) -> None:
        self._room = room
        self._now = runtime.now
        self._houses = houses
        self._currencies = currencies
        self._tokens = tokens

    async def resolve_table(
        self, principal: Principal, request: pb.ResolveTableRequest
    ) -> pb.ResolveTableResponse:
        table_id = checks.text("table_id", request.table_id)
        checks.enum_name("outcome", pb.ResolveOutcome.DESCRIPTOR, request.outcome)
        void = request.outcome == pb.RESOLVE_OUTCOME_VOID_HAND
        wanted = Resolution(table_id, void, _reason(request))
        if request.dry_run:
            if request.token:
                raise Refusal("FIELD_NOT_ALLOWED", field="token")
            return operator_messages.resolved(await self._room.resolving.try_out(wanted), table_id)
        token = checks.text("token", request.token, max_length=MAX_TOKEN_LENGTH)
        key = _key(principal, "ResolveTable", request, table_id, request.outcome, token)
        return operator_messages.resolved(await self._room.resolving.resolve(key, wanted, token), table_id)

    async def remove_player(
        self, principal: Principal, request: pb.RemovePlayerRequest
    ) -> pb.RemovePlayerResponse:
        table_id = checks.text("table_id", request.table_id)
        player_id = checks.player_id("player_id", request.player_id)
        key = _key(principal, "RemovePlayer", request, table_id, player_id)
        answer = await self._room.operating.remove(key, table_id, player_id, request.reason)
        return pb.RemovePlayerResponse(
            sequence=answer.sequence, returned=answer.returned, leaving=answer.leaving
        )

    async def block_player(
        self, principal: Principal, request: pb.BlockPlayerRequest
    ) -> pb.BlockPlayerResponse:
        block = self._block(request.block)
        content = (block.player_id, block.kind, block.house_id, block.until)
        key = _key(principal, "BlockPlayer", request, *content)
        answer = await self._room.operating.block(key, block, request.reason)
        return pb.BlockPlayerResponse(block=operator_messages.block(answer.block), table_ids=answer.table_ids)

    async def unblock_player(
        self, principal: Principal, request: pb.UnblockPlayerRequest
    ) -> pb.UnblockPlayerResponse:
        player_id = checks.player_id("player_id", request.player_id)
        house_id = self._house("house_id", request.house_id)
        key = _key(principal, "UnblockPlayer", request, player_id, house_id)
        await self._room.operating.unblock(key, player_id, house_id, request.reason)
        return pb.UnblockPlayerResponse()

    async def adjust_balance(
        self, principal: Principal, request: pb.AdjustBalanceRequest
    ) -> pb.AdjustBalanceResponse:
        player_id = checks.player_id("player_id", request.player_id)
        currency = checks.text("currency", request.currency)
        amount = request.amount
        if amount > 0:
            checks.amount("amount", amount)
        else:
            checks.number("amount", amount, -MOST_HELD, -1)
        key = _key(principal, "AdjustBalance", request, player_id, currency, amount)
        answer = await self._room.bank.adjust(
            key, player_id, currency, amount, request.reason, offered=currency in self._currencies
        )
        return pb.AdjustBalanceResponse(before=answer.before, after=answer.after)

    async def list_operations(
        self, _: Principal, request: pb.ListOperationsRequest
    ) -> pb.ListOperationsResponse:
        table_id = checks.optional_text("table_id", request.table_id)
        player_id = checks.optional_player_id("player_id", request.player_id)
        filters = ("ListOperations", table_id, player_id)
        size = pages.size(request.page_size)
        begins = self._tokens.place(request.page_token, filters, 1)
        before = pages.number(begins[0]) if begins else 0
        found = await self._room.operating.operations(
            OperationQuery(size, table_id, player_id, before=before)
        )
        token = self._tokens.after((found[-1].number,), filters) if len(found) == size else ""
        operations = [operator_messages.operation(one) for one in found]
        return pb.ListOperationsResponse(operations=operations, next_page_token=token)

    def _block(self, wanted: pb.PlayerBlock) -> Block:
        kind = checks.enum_name("block.kind", pb.BlockKind.DESCRIPTOR, wanted.kind)
        until = (
            checks.nanoseconds("block.until_time", wanted.until_time) if wanted.HasField("until_time") else 0
        )
        if wanted.HasField("until_time") and until <= self._now():
            raise Refusal("FIELD_OUT_OF_RANGE", field="block.until_time", min="now", max="")
        return Block(
            checks.player_id("block.player_id", wanted.player_id),
            "OPERATOR" if kind == "BLOCK_KIND_OPERATOR" else "SELF_EXCLUSION",
            self._house("block.house_id", wanted.house_id),
            until,
        )

    def _house(self, field: str, house_id: str) -> str:
        """A house that there is, or (empty) all."""
        checks.optional_text(field, house_id)
        if house_id and house_id not in self._houses:
            raise Refusal("HOUSE_UNKNOWN", house_id=house_id)
        return house_id


def _reason(request: Any) -> str:
    checks.text("reason", request.reason.strip(), max_length=MAX_REASON_LENGTH)
    return checks.text("reason", request.reason, max_length=MAX_REASON_LENGTH)


def _key(principal: Principal, method: str, request: Any, *content: int | str) -> RequestKey:
    """The request's name and content, its reason included."""
    request_id = checks.text("request_id", request.request_id)
    return request_key(principal.id, method, request_id, (*content, _reason(request)))
