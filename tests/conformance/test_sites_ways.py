"""What sites do each in their own way is told apart from a difference, and nothing else is."""

from __future__ import annotations

import pytest
from tests.support.told_hands import Raw, action, verdict

from croupier.adapters.recorded.verdict import SAME, Outcome, Verdict


def short_big_blind(call: int, to: int, returned: int) -> Raw:
    """Blinds 10/20: the big blind is all in for 12, the small blind alone may call."""
    return {
        "id": "short",
        "site": "stars",
        "variant": "nlhe",
        "sb": 10,
        "bb": 20,
        "min_bet": 20,
        "button": 3,
        "seats": [{"seat": seat, "stack": stack} for seat, stack in ((1, 100), (2, 12), (3, 100))],
        "blinds": [{"seat": 1, "kind": "sb", "amount": 10}, {"seat": 2, "kind": "bb", "amount": 12}],
        "actions": [
            action("preflop", 1, "post_sb", 10, 10),
            action("preflop", 2, "post_bb", 12, 12, all_in=True),
            action("preflop", 3, "fold"),
            action("preflop", 1, "call", call, to),
            action("showdown", 1, "show", cards=["As", "Ah"]),
            action("showdown", 2, "show", cards=["Ks", "Kh"]),
        ],
        "holes": {"1": ["As", "Ah"], "2": ["Ks", "Kh"]},
        "board": ["2c", "3d", "4h", "8s", "9c"],
        "payoffs": {"1": 12, "2": -12, "3": 0},
        "pot": 24,
        "pots": [{"amount": 24, "eligible": [1, 2], "hi_winners": [1]}],
        "rake": 0,
        "uncalled_returned": {"seat": 1, "amount": returned, "street": "preflop"} if returned else None,
        "winners": {"1": [24]},
        "showdown": True,
    }


def test_a_call_at_the_full_price_with_the_excess_returned_is_as_the_engine_plays() -> None:
    """R-B8."""
    assert verdict(short_big_blind(10, 20, 8)) == SAME


def test_a_call_capped_at_what_can_be_contested_is_the_same_call() -> None:
    """R-B8."""
    assert verdict(short_big_blind(2, 12, 0)) == Verdict(Outcome.SITES_OWN_WAY, ("capped last call",))


@pytest.mark.parametrize(("call", "to", "returned"), [(3, 13, 1), (2, 12, 8), (10, 20, 0), (2, 20, 8)])
def test_no_other_last_call_passes(call: int, to: int, returned: int) -> None:
    assert verdict(short_big_blind(call, to, returned)).outcome is Outcome.DIFFERENT


def split_pot(site: str, payoffs: Raw, rake: int = 0) -> Raw:
    """Three in for 15 each with a dead small blind of 5 more; seats 2 and 3 tie for 51 or less."""
    shown = {"2": ["As", "Kh"], "3": ["Ad", "Kc"]}
    return {
        "id": "split",
        "site": site,
        "variant": "nlhe",
        "sb": 5,
        "bb": 10,
        "min_bet": 10,
        "button": 3,
        "seats": [{"seat": seat, "stack": 100} for seat in (1, 2, 3)],
        "blinds": [{"seat": 1, "kind": "sb", "amount": 5}, {"seat": 2, "kind": "bb", "amount": 10}],
        "actions": [
            action("preflop", 1, "post_sb", 5, 5),
            action("preflop", 2, "post_bb", 10, 10),
            action("preflop", 3, "call", 10, 10),
            action("preflop", 1, "fold"),
            action("preflop", 2, "check"),
            *[action(street, seat, "check") for street in ("flop", "turn", "river") for seat in (2, 3)],
            *[action("showdown", int(seat), "show", cards=cards) for seat, cards in shown.items()],
        ],
        "holes": shown,
        "board": ["2c", "3d", "4h", "8s", "9c"],
        "payoffs": payoffs,
        "pot": 25,
        "pots": [{"amount": 25, "eligible": [2, 3], "hi_winners": [2, 3]}],
        "rake": rake,
        "uncalled_returned": None,
        "winners": {"2": [], "3": []},
        "showdown": True,
    }


FIRST_LEFT_OF_BUTTON = {"1": -5, "2": 3, "3": 2}
ELSEWHERE = {"1": -5, "2": 2, "3": 3}


@pytest.mark.parametrize("site", ["stars", "party", "bovada"])
def test_the_odd_chip_goes_to_the_first_winner_left_of_the_button(site: str) -> None:
    """R-P4."""
    assert verdict(split_pot(site, FIRST_LEFT_OF_BUTTON)) == SAME


@pytest.mark.parametrize("site", ["bovada", "ongame", "pkr", "winamax"])
def test_the_odd_chip_elsewhere_is_the_way_of_sites_that_mix(site: str) -> None:
    assert verdict(split_pot(site, ELSEWHERE)) == Verdict(Outcome.SITES_OWN_WAY, ("place of odd chips",))


def test_the_odd_chip_elsewhere_is_a_difference_at_a_site_that_does_not_mix() -> None:
    assert verdict(split_pot("stars", ELSEWHERE)).outcome is Outcome.DIFFERENT


@pytest.mark.parametrize("payoffs", [{"1": -5, "2": 4, "3": 1}, {"1": -4, "2": 2, "3": 2}])
def test_more_than_the_odd_chip_is_a_difference_everywhere(payoffs: Raw) -> None:
    assert verdict(split_pot("bovada", payoffs)).outcome is Outcome.DIFFERENT


def test_rake_from_one_pot_alone_is_no_way_but_where_there_are_several() -> None:
    """R-K5."""
    assert verdict(split_pot("stars", {"1": -5, "2": 2, "3": 2}, rake=1)) == SAME
    assert verdict(split_pot("stars", {"1": -5, "2": 1, "3": 3}, rake=1)).outcome is Outcome.DIFFERENT


def side_pot(payoffs: Raw) -> Raw:
    """Seat 1 wins a main pot of 60, seat 2 a side pot of 160; a rake of 11."""
    shown = {"1": ["As", "Ah"], "2": ["Ks", "Kh"], "3": ["Qs", "Qh"]}
    return {
        "id": "side",
        "site": "stars",
        "variant": "nlhe",
        "sb": 5,
        "bb": 10,
        "min_bet": 10,
        "button": 3,
        "seats": [{"seat": seat, "stack": stack} for seat, stack in ((1, 20), (2, 100), (3, 100))],
        "blinds": [{"seat": 1, "kind": "sb", "amount": 5}, {"seat": 2, "kind": "bb", "amount": 10}],
        "actions": [
            action("preflop", 1, "post_sb", 5, 5),
            action("preflop", 2, "post_bb", 10, 10),
            action("preflop", 3, "raise", 100, 100, all_in=True),
            action("preflop", 1, "call", 15, 20, all_in=True),
            action("preflop", 2, "call", 90, 100, all_in=True),
            *[action("showdown", int(seat), "show", cards=cards) for seat, cards in shown.items()],
        ],
        "holes": shown,
        "board": ["2c", "3d", "4h", "8s", "9c"],
        "payoffs": payoffs,
        "pot": 220,
        "pots": [
            {"amount": 60, "eligible": [1, 2, 3], "hi_winners": [1]},
            {"amount": 160, "eligible": [2, 3], "hi_winners": [2]},
        ],
        "rake": 11,
        "uncalled_returned": None,
        "winners": {"1": [], "2": []},
        "showdown": True,
    }


def test_rake_spread_in_proportion_is_as_the_engine_spreads_it() -> None:
    """R-K5: 3 and 8."""
    assert verdict(side_pot({"1": 37, "2": 52, "3": -100})) == SAME


@pytest.mark.parametrize("payoffs", [{"1": 29, "2": 60, "3": -100}, {"1": 40, "2": 49, "3": -100}])
def test_rake_spread_otherwise_is_a_sites_way(payoffs: Raw) -> None:
    assert verdict(side_pot(payoffs)) == Verdict(Outcome.SITES_OWN_WAY, ("rake spread over pots",))


@pytest.mark.parametrize(
    "payoffs",
    [
        {"1": 41, "2": 48, "3": -100},
        {"1": 37, "2": 51, "3": -99},
        {"1": 37, "2": 53, "3": -100},
        {"1": 37, "2": 52},
    ],
)
def test_what_no_spread_explains_is_a_difference(payoffs: Raw) -> None:
    assert verdict(side_pot(payoffs)).outcome is Outcome.DIFFERENT
