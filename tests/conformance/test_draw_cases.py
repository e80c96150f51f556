"""Bugs that draw games had with their decks, as given cases: R-H8."""

from __future__ import annotations

from itertools import chain

import pytest
from tests.support.case_rules import CHOSEN
from tests.support.cases import Case, cases_of, told_and_expected
from tests.support.deals import NO_LIMIT
from tests.support.draws import FIVE_CARD_DRAW, DrawDeal, live_cards
from tests.support.houses import HOUSES

from croupier.cards import DECK
from croupier.engine import events as ev
from croupier.engine.rejection import Rejected
from croupier.engine.rules import Structure
from croupier.houses.house import Choice


def given(name: str) -> list[object]:
    """The case of that name; without the cases one that says so."""
    cases = cases_of("draw")
    return [case for case in cases if name in str(case)] or cases


@pytest.mark.parametrize("case", given("DD-01"))
def test_stub_that_falls_short_is_filled_from_what_others_discarded(case: Case | None) -> None:
    told, expected = told_and_expected(case)
    players, draws = told["players"], told["draws"]
    staying = range(1, players - told["folded_before_draw"] + 1)
    deal = DrawDeal(*(200,) * players, structure=NO_LIMIT, most_drawn=5)
    assert len(deal.hand.stub) == expected["stub_after_deal"]
    lines = chain(["1b10"], (f"{seat}{'c' if seat in staying else 'f'}" for seat in range(2, players + 1)))
    deal.play(" ".join(lines))
    for seat, count in zip(staying, draws, strict=True):
        left, before = len(deal.hand.stub), deal.holds(seat)
        deal.play(f"{seat}d{''.join(map(str, range(count)))}")
        assert not set(before[:count]) & set(deal.holds(seat)), "nobody gets back what was discarded"
    assert left == expected["stub_before_last"]
    reshuffled = deal.of(ev.StubReshuffled)
    assert len(reshuffled) == expected["reshuffles"]
    assert reshuffled[0].count == 27 in expected["new_stub_accept"], CHOSEN["DD-01"]
    assert deal.drawn[-1][1] == expected["last_player_gets"]
    cards = live_cards(deal.hand.hole_cards, deal.hand.folded)
    assert len(set(cards)) == len(cards) == 5 * len(staying)


@pytest.mark.parametrize("case", given("DD-07"))
def test_table_that_its_deck_may_not_serve_is_refused(case: Case | None) -> None:
    told, expected = told_and_expected(case)
    players = told["players"]
    assert len(DECK) - 5 * players == expected["stub_after_deal"] < told["draws"][0]
    assert FIVE_CARD_DRAW.cards_needed(players, told["draws"][0]) > len(DECK)
    choice = Choice(structure=Structure.SPREAD_LIMIT, min_bet=1, seat_count=players)
    refused = HOUSES["five_aces"].resolve(choice)
    assert isinstance(refused, Rejected), CHOSEN["DD-07"]
    assert refused.facts["field"] == "seat_count"
