"""A stub too short for a draw: R-H8."""

from __future__ import annotations

import random

import pytest
from tests.support.draws import DrawDeal, draw_deck, draw_rules, live_cards, whole_decks
from tests.support.states import SEALED, state

from croupier.cards import DECK
from croupier.engine import events as ev
from croupier.engine.actions import Draw
from croupier.engine.hand import NOBODY, Hand, evolve
from croupier.engine.play import act, start_hand
from croupier.engine.rejection import InvariantViolation, Rejected

NINE = (200,) * 9


def before_the_draw(players: int = 9, most_drawn: int = 3) -> DrawDeal:
    deal = DrawDeal(*(200,) * players, most_drawn=most_drawn)
    return deal.play(" ".join(["1b10", *(f"{seat}c" for seat in range(2, players + 1))]))


def test_stub_is_reshuffled_before_any_replacement_is_dealt() -> None:
    """Seven cards are left: the third player's draw finds one, to which the six discarded are shuffled."""
    deal = before_the_draw().play("1d012 2d012")
    mine, others, left = deal.holds(3), live_cards(deal.hand.hole_cards, deal.hand.folded), deal.hand.stub
    assert len(left) == 1
    deal.play("3d012")
    assert [event.count for event in deal.of(ev.StubReshuffled)] == [7]
    assert type(deal.events[-2]) is ev.StubReshuffled
    drawn = deal.holds(3)[:3]
    assert not set(drawn) & set(others), "neither anybody's cards nor the drawer's own discards"
    assert not set(drawn) & set(mine)
    assert set(drawn) | set(deal.hand.stub) == set(DECK) - set(others)


def test_reshuffled_cards_come_in_the_order_of_the_next_deck() -> None:
    """R-H8: the next order of a whole deck, which is uniform, without the cards in play."""
    deal = before_the_draw().play("1d012 2d012")
    held = live_cards(deal.hand.hole_cards, deal.hand.folded)
    expected = bytes(card for card in deal.deal_order[52:104] if card not in held)
    deal.play("3d012")
    assert deal.holds(3)[:3] + deal.hand.stub == expected


def test_folded_hands_are_shuffled_in() -> None:
    deal = DrawDeal(*NINE).play("1b10 2c 3c 4c 5c 6c 7f 8f 9f 1d012 2d012 3d01")
    assert [event.count for event in deal.of(ev.StubReshuffled)] == [22]
    assert len(deal.hand.stub) == 20


def test_stub_that_suffices_is_not_reshuffled() -> None:
    deal = before_the_draw().play("1d012 2d012 3d0 4d 5d")
    assert not deal.of(ev.StubReshuffled)
    assert not deal.hand.stub


@pytest.mark.parametrize("most_drawn", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("players", range(2, 10))
def test_deal_order_always_suffices(players: int, most_drawn: int) -> None:
    """However many cards everybody draws, no card is dealt twice, and none comes back to who discarded it."""
    chance = random.Random(players * 10 + most_drawn)
    for _ in range(10):
        deal = before_the_draw(players, most_drawn)
        while deal.hand.drawing and deal.hand.actor != NOBODY:
            seat = deal.actor
            count = chance.choice([most_drawn, most_drawn, chance.randint(0, most_drawn)])
            places = bytes(chance.sample(range(5), count))
            before = deal.holds(seat)
            assert not isinstance(act(deal.hand, Draw(places)), Rejected)
            cards = live_cards(deal.hand.hole_cards, deal.hand.folded)
            assert len(cards) == len(set(cards)) == 5 * players
            assert not {before[place] for place in places} & set(deal.holds(seat))
        assert deal.hand.reshuffles < len(deal.deal_order) // 52


def test_events_lead_to_the_same_hand() -> None:
    """Recovery applies events alone; with the deal order come the same cards, without it none."""
    deal = before_the_draw().play("1d012 2d012 3d012 4d1 5d 6d3 7d012")
    started = deal.events[0]
    assert isinstance(started, ev.HandStarted)
    again, blind = Hand(draw_rules(), started), Hand(draw_rules(), started)
    again.hold_deck(deal.deal_order)
    for event in deal.events[1:]:
        evolve(again, event)
        evolve(blind, event)
    assert state(again) == state(deal.hand)
    assert state(blind, without=SEALED) == state(deal.hand, without=SEALED)
    assert not blind.hole_cards
    assert not blind.stub


@pytest.mark.parametrize(
    "order",
    [
        draw_deck(9, {}, "") + whole_decks(3),
        draw_deck(9, {}, "")[:-1] + b"\x00" + whole_decks(4),
        draw_deck(9, {}, "") + whole_decks(4)[:-1],
        draw_deck(9, {}, "") + whole_decks(3) + bytes(52),
    ],
)
def test_deal_orders_that_lack_cards_or_have_one_twice_are_refused(order: bytes) -> None:
    started = ev.HandStarted(1, 9, 0, 0, 0, 0, tuple(range(1, 10)), NINE)
    with pytest.raises(InvariantViolation, match="distinct"):
        start_hand(draw_rules(), started, (), order)


def test_table_of_ten_cannot_draw_three() -> None:
    """R-H8: 52 less fifty is less than three."""
    started = ev.HandStarted(1, 10, 0, 0, 0, 0, tuple(range(1, 11)), (200,) * 10)
    with pytest.raises(InvariantViolation, match="distinct"):
        start_hand(draw_rules(), started, (), whole_decks(11))
