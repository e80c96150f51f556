"""What players show by choice (R-H9): losing hands by preference, any of their cards for a while after a hand."""

from __future__ import annotations

import pytest
from tests.support.advance import Play

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.actions import CALL, CHECK, FOLD
from croupier.engine.rejection import Rejected
from croupier.engine.table_events import Preferences
from croupier.engine.table_play import execute

SHOWING = Preferences(show_losing_hands=True)
MS = 1_000_000


def shown_at_the_end(play: Play) -> set[int]:
    """The seats whose cards are turned up when anna, bert and cleo check the hand down."""
    happened = [*play.act("anna", CALL), *play.act("bert", CALL), *play.act("cleo", CHECK)]
    for _ in range(3):
        for player in ("bert", "cleo", "anna"):
            happened += play.act(player, CHECK)
    return {event.seat for event in happened if isinstance(event, ev.HoleCardsShown)}


def test_a_losing_hand_is_shown_where_its_owner_prefers_that() -> None:
    assert shown_at_the_end(Play(3, losing_hands_mucked=True)) == {2}
    play = Play(3, losing_hands_mucked=True)
    play.done(cmd.SetPreferences("anna", SHOWING))
    assert shown_at_the_end(play) == {1, 2}


def test_the_preference_holds_for_the_hands_that_follow_until_it_is_changed() -> None:
    play = Play(3, losing_hands_mucked=True)
    play.done(cmd.SetPreferences("anna", SHOWING))
    for _ in range(2):
        play.act(play.actor, FOLD)
    again = Play.of(play.table)
    assert again.table.hand is not None
    assert again.table.hand.preferring == {1}
    again.done(cmd.SetPreferences("anna", Preferences()))
    assert not again.table.hand.preferring


def test_preferences_take_the_place_of_those_before_and_are_counted() -> None:
    play = Play()
    for number, preferences in enumerate((SHOWING, Preferences(sit_out_next_blind=True)), start=1):
        (noted,) = play.done(cmd.SetPreferences("bert", preferences))
        assert noted == tev.PreferencesSet(2, "bert", preferences, number)
        assert play.table.seats[2].preferences == preferences


def test_only_who_has_a_seat_has_preferences() -> None:
    refused = execute(Play().table, cmd.SetPreferences("emil", SHOWING))
    assert isinstance(refused, Rejected)
    assert refused.reason == "PLAYER_NOT_SEATED"


def ended() -> tuple[Play, dict[str, bytes]]:
    """A hand that all but cleo folded, at a house that lets cards be shown for 5 s; and who held what."""
    play = Play(show_window_ms=5000)
    hand = play.table.hand
    assert hand is not None
    held = dict(zip(hand.started.players, hand.hole_cards, strict=True))
    for player in ("dora", "anna", "bert"):
        play.act(player, FOLD)
    return play, held


def showing(play: Play, player: str, cards: bytes = b"", *, number: int = 1, now: int = 0) -> list[ev.Event]:
    return play.done(cmd.ShowCards(player, number, cards, now))


def test_anyone_dealt_in_shows_one_or_all_cards_folded_or_not() -> None:
    play, held = ended()
    for seat, player in ((4, "dora"), (3, "cleo")):
        assert showing(play, player) == [tev.CardsShown(1, seat, player, held[player])]
        for card in held[player]:
            assert showing(play, player, bytes([card])) == [tev.CardsShown(1, seat, player, bytes([card]))]


def test_cards_are_shown_within_the_window_and_no_later() -> None:
    play, held = ended()
    assert showing(play, "bert", now=5000 * MS) == [tev.CardsShown(1, 2, "bert", held["bert"])]
    assert not_shown(play, "bert", b"", now=5000 * MS + 1)


def test_who_has_left_may_still_show_and_so_may_all_when_the_next_hand_is_played() -> None:
    play, held = ended()
    play.done(cmd.CashOut("bert", 0))
    again = Play.of(play.table)
    assert showing(again, "bert") == [tev.CardsShown(1, 2, "bert", held["bert"])]
    for _ in range(2):
        again.act(again.actor, FOLD)
    assert not_shown(again, "bert", b""), "the hand after it has ended"
    assert showing(again, "cleo", number=2)


@pytest.mark.parametrize("case", ["stranger", "another's", "twice", "number", "in play", "no window"])
def test_nothing_else_is_shown(case: str) -> None:
    play, held = ended()
    card = held["anna"][:1]
    if case == "stranger":
        assert not_shown(play, "emil", b"")
    elif case == "another's":
        assert not_shown(play, "bert", card)
        assert not_shown(play, "anna", card + held["bert"][:1])
    elif case == "twice":
        assert not_shown(play, "anna", card + card)
    elif case == "number":
        assert not_shown(play, "anna", b"", number=2)
        assert not_shown(play, "anna", b"", number=0)
    elif case == "in play":
        assert not_shown(Play.of(play.table), "anna", b"", number=2)
    else:
        other = Play(2)
        other.act(other.actor, FOLD)
        assert not_shown(other, "anna", b"")


def not_shown(play: Play, player: str, cards: bytes, *, number: int = 1, now: int = 0) -> bool:
    refused = execute(play.table, cmd.ShowCards(player, number, cards, now))
    assert isinstance(refused, Rejected)
    return refused.reason == "SHOW_NOT_ALLOWED"
