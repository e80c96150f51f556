"""Requests that must be refused: actions that were not offered, stale, early and foreign ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from croupier.client.load.dice import Dice
from croupier.client.load.policy import BET_TO, CALL, CHECK, DRAW, FOLD, RAISE_TO, Choice, quiet
from croupier.v1.betting_service_pb2 import ActRequest
from croupier.v1.hand_pb2 import Decision, LegalActions


class Probe(NamedTuple):
    """A request and the reasons of which it must be refused with one."""

    request: ActRequest
    reasons: frozenset[str]


def probe(table_id: str, decision: Decision, other_player: str, request_id: str, dice: Dice) -> Probe:
    """Any one of the requests that the table must refuse at this decision."""
    probes = [*_not_offered(decision.legal_actions), *_misplaced(decision, other_player)]
    (action, amount), player_id, step, reasons = probes[dice.below(len(probes))]
    request = ActRequest(
        request_id=request_id,
        table_id=table_id,
        player_id=player_id or decision.player_id,
        hand_id=decision.hand_id,
        action_sequence=decision.action_sequence + step,
        action=action,
        amount=amount,
    )
    return Probe(request, frozenset(reasons))


_Draft = tuple[Choice, str, int, set[str]]


def _not_offered(legal: LegalActions) -> Iterator[_Draft]:
    if legal.can_draw:
        for action in (FOLD, CHECK, CALL):
            yield (action, 0), "", 0, {"DRAW_EXPECTED"}
        return
    yield (DRAW, 0), "", 0, {"DRAW_NOT_ALLOWED"}
    if not legal.can_check:
        yield (CHECK, 0), "", 0, {"CHECK_NOT_ALLOWED"}
    if not legal.call_amount:
        yield (CALL, 0), "", 0, {"NOTHING_TO_CALL", "CALL_NOT_ALLOWED"}
    if not legal.can_fold:
        yield (FOLD, 0), "", 0, {"FOLD_NOT_ALLOWED"}
    if legal.min_bet_to:
        yield (BET_TO, legal.max_bet_to + 1), "", 0, {"BET_OUT_OF_RANGE"}
        yield (RAISE_TO, legal.min_bet_to), "", 0, {"NO_BET_TO_RAISE"}
    if legal.min_bet_to > 1:
        yield (BET_TO, legal.min_bet_to - 1), "", 0, {"BET_OUT_OF_RANGE"}
    if legal.min_raise_to:
        yield (RAISE_TO, legal.max_raise_to + 1), "", 0, {"RAISE_OUT_OF_RANGE"}
        yield (RAISE_TO, legal.min_raise_to - 1), "", 0, {"RAISE_OUT_OF_RANGE"}
        yield (BET_TO, legal.min_raise_to), "", 0, {"BET_ALREADY_MADE"}


def _misplaced(decision: Decision, other_player: str) -> Iterator[_Draft]:
    choice = quiet(decision.legal_actions)
    yield choice, "", 1, {"DECISION_UNKNOWN"}
    yield choice, other_player, 0, {"OUT_OF_TURN", "DECISION_NOT_YOURS"}
    yield choice, "nobody", 0, {"DECISION_NOT_YOURS"}
    if decision.action_sequence > 1:
        yield choice, "", -1, {"DECISION_STALE"}
