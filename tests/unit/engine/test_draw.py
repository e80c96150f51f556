"""Five-card draw: R-C7, R-H7 and R-K1, and what is asked and refused in a draw (R-B11)."""

from __future__ import annotations

import pytest
from tests.support.deals import NO_LIMIT
from tests.support.draws import FIVE_CARD_DRAW, DrawDeal

from croupier.cards import parse_cards
from croupier.engine import events as ev
from croupier.engine.actions import LegalActions
from croupier.engine.rake import RakeSchedule

PAT = "1d 2d 3d"


def test_betting_then_draw_then_betting() -> None:
    """R-H7: without blinds the first round begins left of the dealer, the second with the second player."""
    deal = DrawDeal(200, 200, 200)
    assert deal.actor == 1
    deal.play("1b10 2c 3c")
    assert deal.hand.drawing
    deal.play(PAT)
    assert not deal.hand.drawing
    assert deal.actor == 2
    deal.play("2k 3k 1k")
    assert [event.street for event in deal.of(ev.StreetDealt)] == [5, 6]
    assert all(not event.cards for event in deal.of(ev.StreetDealt))
    assert deal.hand.ended


def test_second_round_where_the_second_player_has_folded() -> None:
    """R-H7: the next one clockwise still in opens it."""
    assert DrawDeal(200, 200, 200, 200).play("1b10 2f 3c 4c 1d 3d 4d").actor == 3


def test_second_round_opened_by_the_first_player_where_the_house_says_so() -> None:
    """R-H7: a house option."""
    assert DrawDeal(200, 200, 200, last_round_opener=0).play(f"1b10 2c 3c {PAT}").actor == 1


def test_first_round_begins_left_of_the_big_blind_where_there_is_one() -> None:
    """R-H7: forced posts are a house option."""
    deal = DrawDeal(200, 200, 200, 200, blinds=(5, 10))
    assert deal.actor == 3
    assert deal.legal.call_amount == 10


def test_bets_are_small_before_the_draw_and_big_after_it() -> None:
    """R-B3."""
    deal = DrawDeal(200, 200, 200)
    assert deal.legal.min_bet_to == deal.legal.max_bet_to == 10
    deal.play(f"1b10 2c 3c {PAT}")
    assert deal.legal.min_bet_to == deal.legal.max_bet_to == 20


def test_draw_is_offered_alone() -> None:
    """R-B11: exactly the legal actions."""
    legal = DrawDeal(200, 200).play("1k 2k").legal
    assert legal == LegalActions(0, 0, 0, 0, 0, 0, can_fold=False, can_draw=True, max_discards=3)


def test_cards_are_exchanged_at_their_places_in_turn() -> None:
    """R-H7: from the dealer's left, the replacements off the top of the stub, none burned."""
    holes = {1: "AsKsQsJs2c", 2: "2d3d4d5d7h", 3: "9c9d9h8h8s"}
    deal = DrawDeal(200, 200, 200, holes=holes, stub="Ts 6d Th 6h").play("1b10 2c 3c 1d4 2d40 3d")
    assert deal.holds(1) == parse_cards("AsKsQsJsTs")
    assert deal.holds(2) == parse_cards("Th3d4d5d6d")
    assert deal.holds(3) == parse_cards(holes[3])
    assert deal.drawn == [(1, 1), (2, 2), (3, 0)]
    assert deal.hand.drawn_count == [1, 2, 0]
    deal.check_down()
    assert deal.stacks == [220, 190, 190]
    assert [event.cards for event in deal.of(ev.HoleCardsShown)] == deal.hand.hole_cards


@pytest.mark.parametrize("word", ["1d0123", "1d00", "1d5", "1d012345"])
def test_discards_that_are_not_legal(word: str) -> None:
    """R-H7: up to three cards, each held and named once; refused, and nothing changes."""
    deal = DrawDeal(200, 200).play("1k 2k")
    before = deal.hand.hole_cards.copy()
    assert deal.refusal(word) == "DISCARDS_NOT_LEGAL"
    assert deal.hand.hole_cards == before
    assert deal.actor == 1


def test_five_may_be_drawn_where_the_house_says_so() -> None:
    """R-H7: the most one may draw is a house option."""
    deal = DrawDeal(200, 200, most_drawn=5).play("1k 2k")
    before = deal.holds(1)
    deal.play("1d01234")
    assert not set(before) & set(deal.holds(1))


def test_nobody_is_asked_where_nothing_may_be_drawn() -> None:
    """R-H7: most_drawn 0."""
    deal = DrawDeal(200, 200, most_drawn=0).play("1k 2k")
    assert [event.street for event in deal.of(ev.StreetDealt)] == [5, 6]
    assert deal.actor == 2


@pytest.mark.parametrize("word", ["1f", "1k", "1c", "1b10", "1r20", "1a"])
def test_nothing_but_a_draw_is_taken_in_a_draw(word: str) -> None:
    """R-B11."""
    assert DrawDeal(200, 200).play("1k 2k").refusal(word) == "DRAW_EXPECTED"


def test_a_draw_elsewhere_is_refused() -> None:
    """R-B11."""
    deal = DrawDeal(200, 200)
    assert deal.refusal("1d") == "DRAW_NOT_ALLOWED"
    assert deal.play("1k 2k 1d 2d").refusal("2d0") == "DRAW_NOT_ALLOWED"


def test_players_who_are_all_in_draw_too() -> None:
    """R-H7: everyone still in draws; hands are turned up once nobody exchanges cards any more (R-H6)."""
    deal = DrawDeal(20, 20, 200, structure=NO_LIMIT).play("1a 2a 3c")
    assert deal.hand.drawing
    assert not deal.shown
    deal.play("1d01 2d2 3d")
    assert deal.shown == [1, 2, 3]
    assert deal.hand.ended
    assert deal.drawn == [(1, 2), (2, 1), (3, 0)]


def test_decisions_of_a_draw_are_numbered_like_all_others() -> None:
    deal = DrawDeal(200, 200, 200).play("1b10 2c 3c")
    assert deal.hand.action_sequence == 4
    assert deal.play(PAT).hand.action_sequence == 7


def test_winner_without_a_call_takes_the_pot_before_the_draw() -> None:
    """R-H5."""
    deal = DrawDeal(200, 200, 200).play("1b10 2f 3f")
    assert deal.hand.ended
    assert not deal.of(ev.StreetDealt)
    assert deal.returned == {1: 10}


@pytest.mark.parametrize(("line", "rake"), [("1b10 2c 3c 1d 2d 3d 2b20 3f 1f", 1), ("1b10 2c 3r20 1f 2f", 0)])
def test_no_draw_no_drop(line: str, rake: int) -> None:
    """R-K1: without a draw nothing is taken."""
    schedule = RakeSchedule(basis_points=500, no_flop_no_drop=True)
    assert DrawDeal(200, 200, 200, rake=schedule).play(line).hand.rake == rake


def test_seats_at_a_draw_table_are_as_many_as_the_deck_allows() -> None:
    """R-H8: 52 less five for each seat are at least what one may draw."""
    assert FIVE_CARD_DRAW.cards_needed(9, 3) <= 52 < FIVE_CARD_DRAW.cards_needed(10, 3)
    assert FIVE_CARD_DRAW.cards_needed(10, 2) <= 52
