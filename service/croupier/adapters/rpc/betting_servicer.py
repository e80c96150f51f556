"""BettingService: actions and what is legal."""

from __future__ import annotations

from typing import Final

from croupier.adapters.rpc import checks, messages
from croupier.adapters.rpc.authority import must_act_for
from croupier.engine import actions
from croupier.engine import commands as cmd
from croupier.engine.sharing import ENTROPY_BYTES
from croupier.engine.table_events import AdvanceAction, AdvanceKind
from croupier.numbers import INT64_MAX
from croupier.room.exchange import Discard
from croupier.room.failures import Refusal, TableHalted
from croupier.room.hand_id import hand_id_of
from croupier.room.merkle import HASH_BYTES
from croupier.room.ports import Runtime
from croupier.room.principal import Principal
from croupier.room.requests import request_key
from croupier.room.room import Room
from croupier.room.sight import may_look_at
from croupier.v1 import betting_service_pb2 as pb
from croupier.v1 import hand_pb2, table_pb2

_PLAIN: Final[dict[int, actions.Action]] = {
    hand_pb2.ACTION_KIND_FOLD: actions.FOLD,
    hand_pb2.ACTION_KIND_CHECK: actions.CHECK,
    hand_pb2.ACTION_KIND_CALL: actions.CALL,
    hand_pb2.ACTION_KIND_ALL_IN: actions.ALL_IN,
}
_ADVANCE: Final = {
    table_pb2.AdvanceActionKind.Value(f"ADVANCE_ACTION_KIND_{kind.name}"): kind for kind in AdvanceKind
}


class BettingServicer:
    """Puts what players do at their turn, before it and after the hand to the room."""

    def __init__(self, room: Room, runtime: Runtime) -> None:
        self._room = room
        self._now = runtime.now

    async def act(self, principal: Principal, request: pb.ActRequest) -> pb.ActResponse:
        table_id = request.table_id
        player_id = request.player_id
        checks.ids(request, "request_id", "table_id", "player_id")
        number = checks.hand_number("hand_id", request.hand_id, table_id)
        action_sequence = checks.number("action_sequence", request.action_sequence, 1, INT64_MAX)
        action = _action(request)
        must_act_for(principal, player_id)
        acted = await self._room.act(
            principal.id, request.request_id, table_id, player_id, number, action_sequence, action
        )
        view = acted.decision
        with_legal = view is not None and principal.may_act_for(view.player_id)
        return messages.act_response(acted, table_id, self._now(), with_legal=with_legal)

    async def set_advance_action(
        self, principal: Principal, request: pb.SetAdvanceActionRequest
    ) -> pb.SetAdvanceActionResponse:
        checks.ids(request, "request_id", "table_id", "player_id")
        table_id, player_id = request.table_id, request.player_id
        number = checks.hand_number("hand_id", request.hand_id, table_id)
        action = _advance(request)
        must_act_for(principal, player_id)
        content = (table_id, player_id, number, request.kind, request.call_amount)
        key = request_key(principal.id, "SetAdvanceAction", request.request_id, content)
        command = cmd.SetAdvanceAction(player_id, number, action, self._now())
        answer = await self._room.wishes.note(key, table_id, command)
        return pb.SetAdvanceActionResponse(private_sequence=answer.private_sequence)

    async def show_cards(self, principal: Principal, request: pb.ShowCardsRequest) -> pb.ShowCardsResponse:
        checks.ids(request, "request_id", "table_id", "player_id")
        table_id, player_id = request.table_id, request.player_id
        number = checks.hand_number("hand_id", request.hand_id, table_id)
        cards = checks.cards("cards", request.cards)
        must_act_for(principal, player_id)
        key = request_key(
            principal.id, "ShowCards", request.request_id, (table_id, player_id, number, cards.hex())
        )
        command = cmd.ShowCards(player_id, number, cards, self._now())
        answer = await self._room.wishes.show_cards(key, table_id, command)
        return pb.ShowCardsResponse(sequence=answer.sequence)

    async def commit_entropy(
        self, principal: Principal, request: pb.CommitEntropyRequest
    ) -> pb.CommitEntropyResponse:
        checks.ids(request, "request_id", "table_id", "player_id")
        table_id, player_id = request.table_id, request.player_id
        commitment = checks.exact_bytes("commitment", request.commitment, HASH_BYTES)
        must_act_for(principal, player_id)
        content = (table_id, player_id, commitment.hex())
        key = request_key(principal.id, "CommitEntropy", request.request_id, content)
        answer = await self._room.sharing.take(key, table_id, cmd.CommitEntropy(player_id, commitment))
        hand_id = hand_id_of(table_id, answer.hand_number)
        return pb.CommitEntropyResponse(sequence=answer.sequence, hand_id=hand_id)

    async def reveal_entropy(
        self, principal: Principal, request: pb.RevealEntropyRequest
    ) -> pb.RevealEntropyResponse:
        checks.ids(request, "request_id", "table_id", "player_id")
        table_id, player_id = request.table_id, request.player_id
        number = checks.hand_number("hand_id", request.hand_id, table_id)
        entropy = checks.exact_bytes("entropy", request.entropy, ENTROPY_BYTES)
        must_act_for(principal, player_id)
        content = (table_id, player_id, number, entropy.hex())
        key = request_key(principal.id, "RevealEntropy", request.request_id, content)
        command = cmd.RevealEntropy(player_id, number, entropy)
        answer = await self._room.sharing.take(key, table_id, command)
        return pb.RevealEntropyResponse(sequence=answer.sequence)

    async def get_legal_actions(
        self, principal: Principal, request: pb.GetLegalActionsRequest
    ) -> pb.GetLegalActionsResponse:
        table_id = checks.text("table_id", request.table_id)
        player_id = checks.player_id("player_id", request.player_id)
        must_act_for(principal, player_id)
        actor = await self._room.table(table_id)
        if not may_look_at(principal, actor.table):
            raise Refusal("TABLE_UNKNOWN", table_id=table_id)
        view = actor.decision()
        sequence = actor.sequence
        await actor.barrier()
        if actor.halted:
            raise TableHalted(table_id)
        decision = None
        if view is not None:
            decision = messages.decision(table_id, view, self._now(), with_legal=view.player_id == player_id)
        return pb.GetLegalActionsResponse(sequence=sequence, decision=decision)


def _advance(request: pb.SetAdvanceActionRequest) -> AdvanceAction | None:
    """None for nothing: what was set is taken back."""
    kind = _ADVANCE.get(request.kind)
    if kind is None and request.kind:
        raise Refusal("FIELD_MALFORMED", field="kind")
    if kind is AdvanceKind.CALL:
        return AdvanceAction(kind, checks.number("call_amount", request.call_amount, 1, INT64_MAX))
    if request.call_amount:
        raise Refusal("FIELD_NOT_ALLOWED", field="call_amount")
    return AdvanceAction(kind) if kind is not None else None


def _action(request: pb.ActRequest) -> actions.Action | Discard:
    kind, amount = request.action, request.amount
    if kind == hand_pb2.ACTION_KIND_DRAW:
        if amount:
            raise Refusal("FIELD_NOT_ALLOWED", field="amount")
        return Discard(checks.cards("discards", request.discards))
    if request.discards:
        raise Refusal("FIELD_NOT_ALLOWED", field="discards")
    plain = _PLAIN.get(kind)
    if plain is not None:
        if amount:
            raise Refusal("FIELD_NOT_ALLOWED", field="amount")
        return plain
    if kind == hand_pb2.ACTION_KIND_RAISE_TO:
        return actions.RaiseTo(checks.number("amount", amount, 1, INT64_MAX))
    if kind == hand_pb2.ACTION_KIND_BET_TO:
        return actions.BetTo(checks.number("amount", amount, 1, INT64_MAX))
    raise Refusal("FIELD_REQUIRED" if not kind else "FIELD_MALFORMED", field="action")
