"""What the contract offers is what the engine takes: bots that read nothing but the contract are never refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.random_hands import Setting, begin
from tests.support.strategies import settings_of_hands

from croupier.adapters.rpc import messages
from croupier.client.load import policy, probes, verdict
from croupier.client.load.dice import Dice
from croupier.engine.actions import ALL_IN, CALL, CHECK, FOLD, Action, BetTo, Draw, RaiseTo
from croupier.engine.betting import decide, legal_actions
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.play import act
from croupier.engine.rejection import Rejected
from croupier.room.views import DecisionView
from croupier.v1.betting_service_pb2 import ActRequest
from croupier.v1.hand_pb2 import Decision

_PLAIN: Final[dict[int, Action]] = {
    policy.FOLD: FOLD,
    policy.CHECK: CHECK,
    policy.CALL: CALL,
    policy.ALL_IN: ALL_IN,
}


def told(hand: Hand) -> Decision:
    """The standing decision as its player is told."""
    position = hand.actor
    view = DecisionView(
        hand.number,
        hand.seats[position],
        "anna",
        hand.action_sequence,
        0,
        hand.stack[position],
        legal_actions(hand),
    )
    return messages.decision("table", view, 0, with_legal=True)


def action(choice: policy.Choice) -> Action:
    kind, amount = choice
    if plain := _PLAIN.get(kind):
        return plain
    if kind == policy.DRAW:
        return Draw(bytes(range(amount)))
    return BetTo(amount) if kind == policy.BET_TO else RaiseTo(amount)


def misfits(decision: Decision) -> Iterator[probes.Probe]:
    """Many of the requests that must be refused."""
    for seed in range(12):
        yield probes.probe("table", decision, "bert", "request", Dice(seed))


def of_this_decision(request: ActRequest, decision: Decision) -> bool:
    return (request.player_id, request.action_sequence) == (decision.player_id, decision.action_sequence)


@settings(max_examples=150, deadline=None)
@given(setting=settings_of_hands(), seed=st.integers(0, 2**31))
def test_bots_are_never_refused_and_find_no_fault_with_what_they_are_offered(
    setting: Setting, seed: int
) -> None:
    """R-B11, under every option of a house."""
    dice = Dice(seed)
    hand, _ = begin(setting)
    while hand.actor != NOBODY:
        decision = told(hand)
        assert verdict.of_decision(decision) == ""
        assert not isinstance(decide(hand, action(policy.quiet(decision.legal_actions))), Rejected)
        result = act(hand, action(policy.choose(decision.legal_actions, dice)))
        assert not isinstance(result, Rejected), result


@settings(max_examples=60, deadline=None)
@given(setting=settings_of_hands(), seed=st.integers(0, 2**31))
def test_requests_of_bots_that_are_to_be_refused_are_refused_for_the_reason_they_expect(
    setting: Setting, seed: int
) -> None:
    """R-B11."""
    dice = Dice(seed)
    hand, _ = begin(setting)
    while hand.actor != NOBODY:
        decision = told(hand)
        for request, reasons in misfits(decision):
            if of_this_decision(request, decision):
                refused = decide(hand, action((request.action, request.amount)))
                assert isinstance(refused, Rejected)
                assert refused.reason in reasons
        assert not isinstance(act(hand, action(policy.choose(decision.legal_actions, dice))), Rejected)
