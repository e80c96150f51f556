"""What games are made of: hole cards, streets, and how many players a deck can deal to."""

from __future__ import annotations

import pytest
from tests.support.deals import OMAHA, Deal, rules
from tests.support.random_hands import begin, setting

from croupier.adapters.games import GAMES
from croupier.cards import DECK, cards_text, parse_cards
from croupier.engine.game import Street, omaha
from croupier.engine.rejection import InvariantViolation


@pytest.mark.parametrize(
    ("name", "hole_cards", "most_players"),
    [
        ("holdem", 2, 22),
        ("omaha", 4, 11),
        ("omaha_hi_lo", 4, 11),
        ("five_card_omaha", 5, 8),
        ("six_card_omaha", 6, 7),
    ],
)
def test_a_deck_deals_to_so_many_players_burns_included(
    name: str, hole_cards: int, most_players: int
) -> None:
    """R-T1, R-C5: ten seats at most at Omaha, as everywhere; eight with five cards, seven with six."""
    game = GAMES[name]
    assert (game.name, game.hole_cards) == (name, hole_cards)
    assert game.cards_needed(most_players) <= len(DECK) < game.cards_needed(most_players + 1)
    assert [plan.street for plan in game.streets] == [Street.PREFLOP, Street.FLOP, Street.TURN, Street.RIVER]
    assert [plan.big_bet for plan in game.streets] == [False, False, True, True]


def test_lows_win_at_hi_lo_alone() -> None:
    """R-C6."""
    assert [name for name, game in GAMES.items() if game.rank_lows is not None] == ["omaha_hi_lo"]


def test_hole_cards_come_one_at_a_time_from_the_left_of_the_button() -> None:
    """R-H1."""
    dealt = [cards_text(cards) for cards in OMAHA.deal(bytes(parse_cards("AsKsQsAhKhQhAdKdQdAcKcQc")), 3)]
    assert dealt == [["As", "Ah", "Ad", "Ac"], ["Ks", "Kh", "Kd", "Kc"], ["Qs", "Qh", "Qd", "Qc"]]


def test_omaha_is_played_with_exactly_two_hole_cards() -> None:
    """R-C5: four spades in the hand are no flush with two on the board, nor is one with four on it."""
    holes = {1: "AsKsQsJs", 2: "9h9dTs4c"}
    deal = Deal(200, 200, game=OMAHA, holes=holes, board="2s7s9cKd5h").play("2c 1k").check_down()
    assert deal.stacks == [198, 202]
    one_spade = {1: "AsKhQdJc", 2: "3h3d4c6h"}
    deal = Deal(200, 200, game=OMAHA, holes=one_spade, board="2s7s9s3sTc").play("2c 1k").check_down()
    assert deal.stacks == [198, 202]


@pytest.mark.parametrize(("hole_cards", "players"), [(4, 10), (5, 8), (6, 7)])
def test_a_full_table_of_omaha_is_dealt_and_played_to_the_river(hole_cards: int, players: int) -> None:
    """R-C5, R-T1."""
    game = GAMES[omaha(OMAHA.rank_hands, hole_cards).name]
    deal = Deal(*[200] * players, game=game).play(
        " ".join(f"{seat}c" for seat in [*range(3, players + 1), 1])
    )
    deal.play("2k").check_down()
    hand = deal.hand
    assert hand.ended
    assert [len(cards) for cards in hand.hole_cards] == [hole_cards] * players
    assert len(set(b"".join([*hand.hole_cards, hand.board]))) == players * hole_cards + 5
    assert sum(deal.stacks) == 200 * players


def test_more_players_than_the_deck_can_deal_to_are_no_hand() -> None:
    """R-T1."""
    with pytest.raises(InvariantViolation):
        begin(setting(rules(game=GAMES["six_card_omaha"]), [200] * 8))
