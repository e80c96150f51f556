"""Actions in advance (R-T16) where they are refused, or a house or a game leaves them nothing to do."""

from __future__ import annotations

from tests.support.advance import CALLS_ANY, CHECK_FOLD, CHECKS, Play, calls, draw_play, in_advance

from croupier.engine import commands as cmd
from croupier.engine.actions import ALL_IN, CALL, CHECK, FOLD, STAND_PAT, RaiseTo
from croupier.engine.rejection import Rejected
from croupier.engine.rules import AllInRule
from croupier.engine.table_play import execute


def test_who_has_no_decision_ahead_says_nothing() -> None:
    """ADVANCE_ACTION_NOT_ALLOWED for the folded, the all in, the dismissed, strangers, and hands not in play."""
    play = Play()
    play.act("dora", FOLD)
    play.act("anna", ALL_IN)
    play.done(cmd.Dismiss("cleo", 0))
    for player in ("dora", "anna", "cleo", "emil"):
        assert play.refused(player, CHECK_FOLD), player
    for number in (0, play.table.carried.hand_number + 1):
        assert isinstance(execute(play.table, cmd.SetAdvanceAction("bert", number, CHECK_FOLD)), Rejected)
    play.act("bert", FOLD)
    assert play.table.hand is None
    assert play.refused("bert", CHECK_FOLD)


def test_acting_in_advance_counts_as_acting_in_time() -> None:
    """R-T15: it ends a run of time-outs."""
    play = Play()
    play.table.seats[2].time_outs = 1
    play.say("bert", CHECK_FOLD)
    play.act("dora", CALL)
    play.act("anna", CALL)
    assert play.table.seats[2].time_outs == 0


def test_a_time_out_makes_what_was_said_void() -> None:
    play = Play()
    play.say("bert", calls(5))
    play.act("dora", RaiseTo(20))
    play.act("anna", FOLD)
    hand = play.table.hand
    assert hand is not None
    play.done(cmd.TimeOut(hand.number, hand.action_sequence, 0))
    assert play.table.seats[2].advance is None
    assert play.table.seats[2].time_outs == 1


def test_check_or_fold_folds_where_nobody_opens_with_a_check() -> None:
    """R-B10: who faces no bet bets or folds."""
    play = Play(3, opening_checks=False)
    play.act("anna", CALL)
    play.act("bert", CALL)
    play.act("cleo", CHECK)
    assert play.actor == "bert"
    play.say("cleo", CHECK_FOLD)
    assert in_advance(play.act("bert", FOLD)) == [("Folded", 3)]


def test_all_in_or_fold_leaves_check_or_fold_and_takes_calls() -> None:
    """R-T19: nobody calls by choice while raising is open; the call that is an all in is made."""
    play = Play(3, all_in_rule=AllInRule.ALL_IN_OR_FOLD)
    assert play.refused("anna", calls(10))
    play.say("bert", CALLS_ANY)
    play.act("anna", FOLD)
    assert play.actor == "bert", "the call is closed, so that the decision is bert's own"
    play.act("bert", ALL_IN)
    assert play.table.hand is not None
    assert in_advance(play.say("cleo", CALLS_ANY)) == [("Called", 3)]


def test_all_in_or_all_in_folds_for_nobody_who_chose_it() -> None:
    play = Play(3, all_in_rule=AllInRule.ALL_IN_OR_ALL_IN)
    assert play.refused("anna", CHECK_FOLD)
    play.say("bert", CHECK_FOLD)
    play.act("anna", ALL_IN)
    assert play.actor == "bert"


def test_cards_are_never_exchanged_in_advance() -> None:
    """R-H7: check-or-fold waits for the betting after the draw; nothing else can be said while cards are drawn."""
    play = draw_play()
    assert play.table.hand is not None
    first = play.actor
    play.say(first, CHECKS)
    assert play.actor != first, "checked at once"
    while not play.table.hand.drawing:
        play.act(play.actor, CHECK)
    assert play.actor == first
    for action in (CHECKS, CALLS_ANY, calls(1)):
        assert play.refused(first, action)
    play.say(first, CHECK_FOLD)
    assert play.actor == first
    assert play.table.hand.drawing
    play.act(first, STAND_PAT)
    assert play.stands(first) == CHECK_FOLD
    play.act(play.actor, STAND_PAT)
    assert in_advance(play.act(play.actor, STAND_PAT)) == [("Checked", play.table.seat_of(first))]
