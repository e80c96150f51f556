"""A hand street by street: R-H1 to R-H3, R-H5, R-H6."""

from __future__ import annotations

import pytest
from tests.support.deals import Deal, rules

from croupier.cards import DECK
from croupier.engine.events import HoleCardsDealt, HoleCardsShown, Post, PostKind, StreetDealt
from croupier.engine.hand import Hand
from croupier.engine.play import start_hand
from croupier.engine.rejection import InvariantViolation


def test_hole_cards_are_dealt_one_at_a_time_from_the_small_blind() -> None:
    """R-H1."""
    deal = Deal(200, 200, 200)
    order = deal.hand.deal_order
    assert order is not None
    assert deal.hand.hole_cards == [bytes([order[seat], order[seat + 3]]) for seat in range(3)]
    assert deal.of(HoleCardsDealt) == [HoleCardsDealt((1, 2, 3), 2)]


def test_flop_turn_and_river_come_after_a_burned_card_each() -> None:
    """R-H1."""
    deal = Deal(200, 200, 200).play("3c 1c 2k 1k 2k 3k 1k 2k 3k")
    order = deal.hand.deal_order
    assert order is not None
    assert [event.cards for event in deal.of(StreetDealt)] == [order[7:10], order[11:12], order[13:14]]
    assert deal.hand.board == order[7:10] + order[11:12] + order[13:14]


def test_the_left_of_the_big_blind_opens_before_the_flop() -> None:
    """R-H1."""
    assert Deal(200, 200, 200, 200).actor == 3


def test_the_first_player_left_of_the_button_still_in_opens_later_streets() -> None:
    """R-H1."""
    assert Deal(200, 200, 200, 200).play("3c 4c 1f 2k").actor == 2


def test_heads_up_the_button_acts_first_before_the_flop_and_last_after_it() -> None:
    """R-H2."""
    deal = Deal(200, 200)
    assert deal.stacks == [198, 199]
    assert deal.actor == 2
    assert deal.play("2c 1k").actor == 1


def test_the_big_blind_has_the_option_to_raise() -> None:
    """R-H3."""
    deal = Deal(200, 200, 200).play("3c 1c")
    assert deal.actor == 2
    assert deal.legal.min_raise_to == 4


def test_a_bring_in_has_the_option_to_raise() -> None:
    """R-H3."""
    posts = (
        Post(1, PostKind.SMALL_BLIND, 1),
        Post(2, PostKind.BIG_BLIND, 2),
        Post(4, PostKind.BRING_IN, 2),
    )
    deal = Deal(200, 200, 200, 200, posts=posts).play("3c")
    assert deal.actor == 4
    assert deal.legal.call_amount == 0
    assert deal.legal.min_raise_to == 4


def test_all_but_one_folded_ends_the_hand_and_shows_nothing() -> None:
    """R-H5."""
    deal = Deal(200, 200, 200).play("3r10 1f 2f")
    assert deal.hand.ended
    assert deal.shown == []
    assert deal.of(StreetDealt) == []


def test_the_rest_of_the_board_is_dealt_without_pause_once_betting_is_over() -> None:
    """R-H6."""
    deal = Deal(200, 200, 200).play("3a 1f 2c")
    assert deal.hand.ended
    assert [event.street for event in deal.of(StreetDealt)] == [1, 2, 3]
    assert len(deal.hand.board) == 5


@pytest.mark.parametrize(("at_once", "before"), [(True, 0), (False, 3)])
def test_hands_are_turned_up_as_soon_as_betting_is_over_where_the_house_says_so(
    at_once: bool, before: int
) -> None:
    """R-H6."""
    deal = Deal(200, 200, 200, all_ins_shown_at_once=at_once).play("3a 1f 2c")
    kinds = [type(event) for event in deal.events if isinstance(event, StreetDealt | HoleCardsShown)]
    assert kinds.index(HoleCardsShown) == before
    assert kinds.count(HoleCardsShown) == 2


def test_betting_goes_on_between_two_while_a_third_is_all_in() -> None:
    """R-H6."""
    deal = Deal(200, 200, 20).play("3a 1c 2c")
    assert deal.shown == []
    assert deal.actor == 1


def test_no_hand_starts_from_a_deck_with_a_card_twice_or_too_few() -> None:
    deal = Deal(200, 200)
    started = deal.hand.started
    for deck in (DECK[:11], DECK[:20] + DECK[:1]):
        with pytest.raises(InvariantViolation, match="distinct cards"):
            start_hand(rules(), started, (), deck)


def test_a_hand_without_its_deck_deals_nothing() -> None:
    hand = Hand(rules(), Deal(200, 200).hand.started)
    with pytest.raises(InvariantViolation, match="sealed"):
        hand.next_board_cards()
