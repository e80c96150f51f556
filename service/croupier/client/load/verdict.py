"""Whether an answer can be right: against the request, what was offered, and what was known before.

Knows nothing of cards or chips behind: money is checked at the end, over the ledger.
"""

from __future__ import annotations

from croupier.client.load.policy import ALL_IN, BET_TO, CALL, CHECK, DRAW, FOLD, RAISE_TO
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.hand_pb2 import Decision, LegalActions


def of_answer(request: ActRequest, legal: LegalActions, response: ActResponse) -> str:
    """What is wrong with the answer to an action that was legal; empty when nothing is."""
    if not response.HasField("result"):
        return "an accepted action came without its result"
    result = response.result
    action, asked, paid = result.action, request.action, result.paid
    if action != asked and not (asked == ALL_IN and action in (CALL, BET_TO, RAISE_TO)):
        return f"action {asked} was answered as action {action}"
    if action in (FOLD, CHECK, DRAW) and paid:
        return f"{paid} paid to fold, check or draw"
    if action == CALL and (paid != legal.call_amount or result.all_in != legal.call_all_in):
        return f"{legal.call_amount} to call, {paid} paid, all_in {result.all_in}"
    if action in (BET_TO, RAISE_TO):
        total = legal.all_in_to if asked == ALL_IN else request.amount
        if result.street_bet != total or not 0 < paid <= total:
            return f"a total of {total} was asked, {result.street_bet} answered, {paid} paid"
    return of_next(request, response.next_decision) if response.HasField("next_decision") else ""


def of_next(request: ActRequest, decision: Decision) -> str:
    """What is wrong with the decision that followed an action; empty when nothing is."""
    number = decision.action_sequence
    if decision.hand_id == request.hand_id:
        if number != request.action_sequence + 1:
            return f"decision {request.action_sequence} was followed by {number}"
    elif number != 1:
        return f"a hand begins with decision {number}"
    return of_decision(decision)


def of_decision(decision: Decision) -> str:
    """What is wrong with a decision in itself, as told to whoever may answer it; empty when nothing is."""
    if not (decision.hand_id and decision.player_id and decision.seat_number and decision.action_sequence):
        return "a decision lacks its hand, player, seat or number"
    if not decision.HasField("legal_actions"):
        return "a decision came without its legal actions"
    legal = decision.legal_actions
    bet, raise_ = legal.min_bet_to, legal.min_raise_to
    if legal.can_draw and (legal.can_fold or legal.can_check or legal.call_amount or bet or raise_):
        return "something else than drawing is offered in a draw"
    if legal.can_check and legal.call_amount:
        return f"can_check is True with {legal.call_amount} to call"
    all_in_alone = raise_ and raise_ == legal.all_in_to
    if not (legal.can_check or legal.call_amount or bet or all_in_alone or legal.can_draw):
        return "can_check is False with nothing to call, bet or draw"
    if bet and raise_:
        return "betting and raising are both offered"
    if bet > legal.max_bet_to or raise_ > legal.max_raise_to or (legal.max_bet_to and not bet):
        return f"a bet from {bet} to {legal.max_bet_to}, a raise from {raise_} to {legal.max_raise_to}"
    return ""
