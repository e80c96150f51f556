"""Actions that are well formed and wrong: each is refused as the contract says, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from google.protobuf.message import Message
from tests.support.bad_calls import PLAYERS, Scene
from tests.support.untimely import IDLER

from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import hand_pb2

pytestmark = pytest.mark.asyncio(loop_scope="module")

BETTING, SEAT, TABLE, SETTLEMENT = (
    f"/croupier.v1.{name}Service/" for name in ("Betting", "Seat", "Table", "Settlement")
)


async def test_answers_to_other_decisions_are_refused(scene: Scene) -> None:
    for _ in range(6):
        now = scene.decision
        standing: dict[str, int | str] = {"hand_id": now.hand_id, "action_sequence": now.action_sequence}

        async def refused(request: Message, reason: str, standing: dict[str, int | str] = standing) -> None:
            await scene.must_refuse(BETTING + "Act", request, reason, **standing)

        act = partial(scene.act, hand_pb2.ACTION_KIND_FOLD)
        table_id, _, number = now.hand_id.rpartition("/")
        for sequence in (now.action_sequence + 1, 2**63 - 1):
            await refused(act(action_sequence=sequence), "DECISION_UNKNOWN")
        await refused(act(hand_id=f"{table_id}/{int(number) + 1}"), "DECISION_UNKNOWN")
        if now.action_sequence > 1:
            await refused(act(action_sequence=now.action_sequence - 1), "DECISION_STALE")
        await scene.go_on()


@pytest.mark.parametrize("number", ["0", "01", "-1", "²", "", "1 ", "9" * 19])
async def test_what_is_no_hand_of_the_table_is_refused(scene: Scene, number: str) -> None:
    for table_id in (scene.busy, scene.paused, ""):
        if table_id == scene.busy or number == "01":
            request = scene.act(hand_pb2.ACTION_KIND_FOLD, hand_id=f"{table_id}/{number}")
            await scene.must_refuse(BETTING + "Act", request, "FIELD_MALFORMED", field="hand_id")


async def test_actions_of_others_are_refused(scene: Scene) -> None:
    now = scene.decision
    dealt_in = [seat.player_id for seat in (await scene.backend.get_table(scene.busy)).hand.seats]
    for player in PLAYERS:
        if player in dealt_in and player != now.player_id:
            facts = {"actor_seat": now.seat_number, "action_sequence": now.action_sequence}
            request = scene.act(hand_pb2.ACTION_KIND_FOLD, player_id=player)
            await scene.must_refuse(BETTING + "Act", request, "OUT_OF_TURN", **facts)
    assert IDLER not in dealt_in
    for player in (IDLER, "nobody"):
        request = scene.act(hand_pb2.ACTION_KIND_FOLD, player_id=player)
        await scene.must_refuse(BETTING + "Act", request, "DECISION_NOT_YOURS", player_id=player)


async def test_actions_that_the_decision_does_not_offer_are_refused(scene: Scene) -> None:
    seen: set[str] = set()
    for _ in range(30):
        for kind, amount, reason, facts in not_offered(scene.decision.legal_actions):
            await scene.must_refuse(BETTING + "Act", scene.act(kind, amount), reason, **facts)
            seen.add(reason)
        if len(seen) == 7:
            break
        await scene.go_on()
    assert seen == {
        "CHECK_NOT_ALLOWED",
        "NOTHING_TO_CALL",
        "BET_ALREADY_MADE",
        "NO_BET_TO_RAISE",
        "BET_OUT_OF_RANGE",
        "RAISE_OUT_OF_RANGE",
        "FIELD_NOT_ALLOWED",
    }


def not_offered(legal: hand_pb2.LegalActions) -> Iterator[tuple[Any, int, str, dict[str, int | str]]]:
    """Actions, with their amounts, that may not be taken; and what they must be refused with."""
    bets = {"min_bet_to": legal.min_bet_to, "max_bet_to": legal.max_bet_to}
    raises = {"min_raise_to": legal.min_raise_to, "max_raise_to": legal.max_raise_to}
    bet, raise_to = hand_pb2.ACTION_KIND_BET_TO, hand_pb2.ACTION_KIND_RAISE_TO
    for plain in (hand_pb2.ACTION_KIND_FOLD, hand_pb2.ACTION_KIND_CALL, hand_pb2.ACTION_KIND_ALL_IN):
        yield plain, 1, "FIELD_NOT_ALLOWED", {"field": "amount"}
    if legal.can_check:
        yield hand_pb2.ACTION_KIND_CALL, 0, "NOTHING_TO_CALL", {}
    else:
        yield hand_pb2.ACTION_KIND_CHECK, 0, "CHECK_NOT_ALLOWED", {"call_amount": legal.call_amount}
    if legal.max_bet_to:
        yield raise_to, legal.min_bet_to, "NO_BET_TO_RAISE", {**bets}
        for amount in (legal.min_bet_to - 1, legal.max_bet_to + 1, 2**63 - 1):
            yield bet, amount, "BET_OUT_OF_RANGE", {**bets}
    if legal.max_raise_to:
        yield bet, legal.min_raise_to, "BET_ALREADY_MADE", {**raises}
        for amount in (legal.min_raise_to - 1, legal.max_raise_to + 1, 2**63 - 1):
            yield raise_to, amount, "RAISE_OUT_OF_RANGE", {**raises}


async def test_raising_closed_is_refused_with_what_is_left(scene: Scene) -> None:
    backend = scene.backend
    table_id = await backend.open_table("kurt", "lena")
    decision = await backend.decision(table_id)
    all_in = await backend.act(table_id, decision, hand_pb2.ACTION_KIND_ALL_IN)
    answer = all_in.next_decision
    act = partial(
        betting.ActRequest,
        request_id="x",
        table_id=table_id,
        player_id=answer.player_id,
        hand_id=answer.hand_id,
        action_sequence=answer.action_sequence,
        amount=500,
    )
    raise_to = act(action=hand_pb2.ACTION_KIND_RAISE_TO)
    await scene.must_refuse(BETTING + "Act", raise_to, "RAISE_NOT_ALLOWED", call_amount=98)
    bet = act(action=hand_pb2.ACTION_KIND_BET_TO)
    await scene.must_refuse(BETTING + "Act", bet, "BET_ALREADY_MADE", min_raise_to=0, max_raise_to=0)


async def test_an_actions_request_id_stands_for_one_action(scene: Scene) -> None:
    made = scene.decision
    can_check = made.legal_actions.can_check
    request = scene.act(hand_pb2.ACTION_KIND_CHECK if can_check else hand_pb2.ACTION_KIND_CALL)
    assert await scene.send(BETTING + "Act", request) is None
    for changed in (
        {"action": hand_pb2.ACTION_KIND_FOLD},
        {"player_id": "nobody"},
        {"action_sequence": made.action_sequence + 1},
    ):
        again = betting.ActRequest()
        again.CopyFrom(request)
        again.MergeFrom(betting.ActRequest(**changed))
        await scene.must_refuse(BETTING + "Act", again, "REQUEST_ID_REUSED", request_id=request.request_id)
    assert await scene.send(BETTING + "Act", request) is None
