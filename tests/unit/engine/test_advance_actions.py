"""Actions in advance (R-T16): done when the turn comes, void when what they were chosen at changes."""

from __future__ import annotations

from tests.support.advance import CALLS_ANY, CHECK_FOLD, CHECKS, Play, calls, in_advance

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.actions import CALL, CHECK, FOLD, BetTo, RaiseTo


def test_check_or_fold_checks_where_that_is_free_and_is_done_with() -> None:
    play = Play()
    play.act("dora", CALL)
    play.act("anna", CALL)
    play.say("cleo", CHECK_FOLD)
    happened = play.act("bert", CALL)
    assert in_advance(happened) == [("Checked", 3)]
    assert any(isinstance(event, ev.StreetDealt) for event in happened), (
        "in the same record the flop is dealt"
    )
    assert play.stands("cleo") is None


def test_a_check_is_not_said_in_advance_where_no_street_opens_with_one() -> None:
    """R-B10: at Five Aces it could never be done."""
    play = Play(opening_checks=False)
    for player in ("dora", "anna", "bert"):
        play.act(player, CALL)
    play.act("cleo", CHECK)
    assert play.refused("anna", CHECKS)


def test_check_or_fold_becomes_a_fold() -> None:
    play = Play()
    play.say("cleo", CHECK_FOLD)
    play.act("dora", RaiseTo(20))
    play.act("anna", FOLD)
    assert in_advance(play.act("bert", FOLD)) == [("Folded", 3)]
    assert play.table.hand is None


def test_check_or_fold_stands_to_the_end_of_the_hand_and_no_longer() -> None:
    play = Play()
    for player in ("dora", "anna", "bert"):
        play.act(player, CALL)
    play.act("cleo", CHECK)
    play.act("bert", CHECK)
    play.say("bert", CHECK_FOLD)
    for player in ("cleo", "dora", "anna"):
        assert play.stands("bert") == CHECK_FOLD
        happened = play.act(player, CHECK)
    assert in_advance(happened) == [("Checked", 2)], "on the turn, for it was not needed on the flop"
    play.say("bert", CHECK_FOLD)
    for player in ("cleo", "dora"):
        play.act(player, FOLD)
    play.act("anna", FOLD)
    assert play.table.hand is None
    assert play.table.seats[2].advance is None


def test_a_check_is_void_as_soon_as_there_is_something_to_call() -> None:
    play = Play()
    play.say("cleo", CHECKS)
    assert play.stands("cleo") == CHECKS
    play.act("dora", RaiseTo(20))
    assert play.stands("cleo") is None
    play.act("anna", FOLD)
    assert in_advance(play.act("bert", FOLD)) == []
    assert play.actor == "cleo"
    play.act("cleo", CALL)
    assert play.table.seats[3].advance is None


def test_a_check_is_done_where_nothing_is_to_be_called() -> None:
    play = Play()
    play.say("cleo", CHECKS)
    play.act("dora", CALL)
    play.act("anna", FOLD)
    assert in_advance(play.act("bert", FOLD)) == [("Checked", 3)]


def test_a_call_is_made_of_the_amount_it_was_chosen_at() -> None:
    play = Play()
    play.say("bert", calls(5))
    play.act("dora", CALL)
    assert in_advance(play.act("anna", FOLD)) == [("Called", 2)]
    assert play.stands("bert") is None


def test_a_call_is_void_as_soon_as_its_amount_changes() -> None:
    play = Play()
    play.say("bert", calls(5))
    play.act("dora", RaiseTo(20))
    assert play.stands("bert") is None
    assert in_advance(play.act("anna", CALL)) == []
    assert play.actor == "bert"


def test_a_call_of_the_whole_stack_stands_whatever_is_raised_to() -> None:
    play = Play(3, rich=(1, 2))
    play.act("anna", RaiseTo(1000))
    play.say("cleo", calls(990))
    assert in_advance(play.act("bert", RaiseTo(2000))) == [("Called", 3)]


def test_call_any_calls_whatever_and_stands_to_the_end_of_the_street() -> None:
    play = Play()
    play.say("cleo", CALLS_ANY)
    play.act("dora", RaiseTo(30))
    play.act("anna", FOLD)
    assert in_advance(play.act("bert", RaiseTo(80))) == [("Called", 3)]
    assert in_advance(play.act("dora", RaiseTo(200))) == []
    assert play.stands("cleo") == CALLS_ANY
    happened = play.act("bert", CALL)
    assert in_advance(happened) == [("Called", 3)]
    assert any(isinstance(event, ev.StreetDealt) for event in happened)
    assert play.stands("cleo") is None, "the street has ended"
    play.act("bert", BetTo(10))
    assert play.actor == "cleo"


def test_call_any_checks_where_nothing_is_to_be_called() -> None:
    play = Play()
    play.say("cleo", CALLS_ANY)
    play.act("dora", CALL)
    play.act("anna", FOLD)
    assert in_advance(play.act("bert", CALL)) == [("Checked", 3)]


def test_a_check_ends_with_the_street() -> None:
    play = Play(3)
    play.act("anna", CALL)
    play.act("bert", CALL)
    play.act("cleo", CHECK)
    play.act("bert", CHECK)
    play.say("bert", CHECKS)
    play.act("cleo", CHECK)
    assert in_advance(play.act("anna", CHECK)) == []
    assert play.actor == "bert"


def test_several_who_have_said_what_to_do_follow_one_another_in_one_record() -> None:
    play = Play()
    for player, action in (("anna", CHECK_FOLD), ("bert", CALLS_ANY), ("cleo", CALLS_ANY)):
        play.say(player, action)
    happened = play.act("dora", RaiseTo(20))
    assert in_advance(happened) == [("Folded", 1), ("Called", 2), ("Called", 3)]
    assert isinstance(happened[-1], ev.StreetDealt)


def test_what_is_said_when_it_is_the_players_turn_is_done_at_once() -> None:
    play = Play()
    happened = play.say("dora", calls(10))
    assert isinstance(happened[0], tev.AdvanceActionSet)
    assert in_advance(happened) == [("Called", 4)]
    assert play.stands("dora") is None
    assert in_advance(play.say("anna", CALLS_ANY)) == [("Called", 1)]
    assert play.stands("anna") == CALLS_ANY
    play.act("bert", RaiseTo(40))
    play.act("cleo", FOLD)
    assert in_advance(play.act("dora", FOLD)) == [("Called", 1)]


def test_what_cannot_be_done_at_the_players_turn_is_refused() -> None:
    play = Play()
    assert play.refused("dora", CHECKS)
    assert play.refused("dora", calls(9))
    assert play.actor == "dora"
    assert play.table.seats[4].advance is None
    assert play.table.seats[4].private_sequence == 0


def test_what_was_said_can_be_taken_back() -> None:
    play = Play()
    play.say("bert", CHECK_FOLD)
    (taken,) = play.say("bert", None)
    assert taken == tev.AdvanceActionSet(2, "bert", None, 2)
    play.act("dora", CALL)
    assert in_advance(play.act("anna", FOLD)) == []
    assert play.actor == "bert"


def test_the_last_word_holds_and_every_one_is_counted() -> None:
    play = Play()
    for number, action in enumerate((CHECK_FOLD, CALLS_ANY, calls(5)), start=1):
        (noted,) = play.say("bert", action)
        assert noted == tev.AdvanceActionSet(2, "bert", action, number)
    play.act("dora", RaiseTo(20))
    play.act("anna", FOLD)
    assert play.actor == "bert"
