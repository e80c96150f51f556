"""What Act answers: the sequence, what the action came to, and the next decision, so that no second call is needed."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.support.live import Backend, choice, number_of

from croupier.v1 import hand_pb2
from croupier.v1.betting_service_pb2 import ActResponse, ActResult
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.hand_pb2 import Decision

PLAYERS = ("anna", "bert", "cleo")
KINDS: dict[str, hand_pb2.ActionKind.ValueType] = {
    "folded": hand_pb2.ACTION_KIND_FOLD,
    "checked": hand_pb2.ACTION_KIND_CHECK,
    "called": hand_pb2.ACTION_KIND_CALL,
    "bet_made": hand_pb2.ACTION_KIND_BET_TO,
    "raised": hand_pb2.ACTION_KIND_RAISE_TO,
}


def timeless(decision: Decision) -> Decision:
    """A decision without the time left, which differs from call to call."""
    copy = Decision()
    copy.CopyFrom(decision)
    copy.ClearField("time_remaining")
    return copy


def result_of(event: TableEvent) -> ActResult:
    """What an action came to, as the watchers heard it."""
    kind = event.WhichOneof("event") or ""
    told: Any = getattr(event, kind)
    if kind in ("folded", "checked"):
        return ActResult(action=KINDS[kind])
    return ActResult(action=KINDS[kind], paid=told.paid, street_bet=told.street_bet, all_in=told.all_in)


async def test_hands_are_played_from_answers_alone(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    watch = backend.watching(table_id)
    random, answers = Random(3), list[ActResponse]()
    decision = await backend.decision(table_id)
    while decision.hand_id and number_of(decision) < 15:
        answer = await backend.act(table_id, decision, *choice(decision, random))
        answers.append(answer)
        decision = answer.next_decision
        standing = await backend.decision(table_id)
        assert timeless(decision) == timeless(standing), "legal actions and all"
        assert decision.HasField("legal_actions") == bool(decision.hand_id)
    await watch.reach((await backend.get_table(table_id)).sequence)
    for answer in answers:
        first = next(event for event in watch.events if event.sequence == answer.sequence)
        assert answer.result == result_of(first)


async def test_an_answer_at_the_end_of_a_hand_names_no_decision_while_the_table_pauses(
    backend: Backend,
) -> None:
    table_id = await backend.open_table(*PLAYERS, pause=0.5)
    decision = await backend.dealt(table_id)
    answer = ActResponse()
    while decision.hand_id:
        answer = await backend.act(table_id, decision, hand_pb2.ACTION_KIND_FOLD)
        decision = answer.next_decision
    assert not answer.HasField("next_decision")
    assert answer.result == ActResult(action=hand_pb2.ACTION_KIND_FOLD)


async def test_all_in_is_named_by_what_it_came_to(backend: Backend) -> None:
    table_id = await backend.open_table("anna", "bert")
    decision = await backend.decision(table_id)
    shove = await backend.act(table_id, decision, hand_pb2.ACTION_KIND_ALL_IN)
    assert shove.result == ActResult(
        action=hand_pb2.ACTION_KIND_RAISE_TO, paid=99, street_bet=100, all_in=True
    )
    legal = shove.next_decision.legal_actions
    assert (legal.call_amount, legal.call_all_in, legal.all_in_to) == (98, True, 100)
    assert (legal.can_check, legal.max_raise_to, legal.max_bet_to) == (False, 0, 0)
    call = await backend.act(table_id, shove.next_decision, hand_pb2.ACTION_KIND_ALL_IN)
    assert call.result == ActResult(action=hand_pb2.ACTION_KIND_CALL, paid=98, street_bet=100, all_in=True)


async def test_only_whoever_must_act_is_told_what_is_legal(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    actor = (await backend.decision(table_id)).player_id
    for player in (*PLAYERS, "nobody"):
        told = await backend.get_legal_actions(table_id, player)
        assert told.decision.player_id == actor
        assert told.decision.HasField("legal_actions") == (player == actor)
        table = await backend.get_table(table_id, player)
        assert table.next_decision.HasField("legal_actions") == (player == actor)
    assert not (await backend.get_table(table_id)).next_decision.HasField("legal_actions")
