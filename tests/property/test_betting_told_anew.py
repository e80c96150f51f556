"""What the engine asks and offers is what the rules of betting, told anew without it, come to: at every decision."""

from __future__ import annotations

from hypothesis import given, settings
from tests.support.plain_betting import Open, PlainBetting
from tests.support.random_hands import Script, Setting, begin
from tests.support.strategies import SCRIPTS, settings_of_hands

from croupier.engine.actions import Action, BetTo, Call, Check, Fold, LegalActions, RaiseTo
from croupier.engine.betting import legal_actions
from croupier.engine.hand import NOBODY
from croupier.engine.play import act
from croupier.engine.rejection import Rejected


def plain(legal: LegalActions) -> Open:
    """The engine's offer in the oracle's words."""
    if legal.can_draw:
        return Open(draw=legal.max_discards)
    return Open(
        legal.can_fold,
        legal.can_check,
        legal.call_amount,
        legal.min_bet_to or legal.min_raise_to,
        legal.max_bet_to or legal.max_raise_to,
        legal.all_in_to > 0,
    )


def follow(told: PlainBetting, action: Action, offered: Open) -> None:
    match action:
        case Fold():
            told.fold()
        case Check() | Call():
            told.check_or_call(offered.call)
        case BetTo(to) | RaiseTo(to):
            told.bet_to(to)
        case _:
            told.draw()


@settings(max_examples=500, deadline=None)
@given(setting=settings_of_hands(), script=SCRIPTS)
def test_every_decision_is_asked_and_offered_as_the_rules_told_anew_have_it(
    setting: Setting, script: Script
) -> None:
    """R-B1 to R-B13, R-H1 to R-H3, R-H7, R-H10, R-T19: in every game and structure, under every option."""
    hand, _ = begin(setting)
    told = PlainBetting(setting.rules, setting.started, setting.posts)
    while hand.actor != NOBODY:
        assert told.asked == hand.actor
        legal = legal_actions(hand)
        offered = told.offers()
        assert plain(legal) == offered
        assert (legal.max_bet_to > 0) == (offered.most > 0 and not told.level), (
            "a bet where there is none yet"
        )
        action = script.choose(legal)
        assert not isinstance(act(hand, action), Rejected)
        follow(told, action, offered)
    assert told.asked is None
    assert hand.ended
