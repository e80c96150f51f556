"""Recorded hands of five-card draw: cards that are told come where they came, and others are made up for them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.told_hands import Raw, action, cards, verdict

from croupier.adapters.recorded.verdict import SAME, Outcome, Verdict

FINAL = {"1": "AsKsQsJsTs", "2": "2d3d4d5d7h", "3": "9c9d9h8h8s"}
BLINDS = [action("predraw", 1, "post_sb", 5, 5), action("predraw", 2, "post_bb", 10, 10)]
BEFORE = [
    *BLINDS,
    action("predraw", 3, "call", 10, 10),
    action("predraw", 1, "call", 5, 10),
    action("predraw", 2, "check"),
]
DRAWS = [
    action("draw", 1, "draw", discard=1, discarded=["2c"], drawn=["Ts"]),
    action("draw", 2, "draw", discard=0),
    action("draw", 3, "draw", discard=3),
]
CHECKS = [action("postdraw", seat, "check") for seat in (1, 2, 3)]
SHOWN = [action("showdown", int(seat), "show", cards=cards(held)) for seat, held in FINAL.items()]


def draw_hand(draws: list[Raw] = DRAWS, checks: list[Raw] = CHECKS, **changes: Any) -> Raw:
    """Blinds 5/10: three come in for 10, draw, check and show; seat 1, whose cards are all told, wins 30."""
    hand = {
        "id": "draw",
        "site": "stars",
        "variant": "fl5cd",
        "sb": 5,
        "bb": 10,
        "small_bet": 10,
        "big_bet": 20,
        "button": 3,
        "seats": [{"seat": seat, "stack": 100} for seat in (1, 2, 3)],
        "blinds": [{"seat": 1, "kind": "sb", "amount": 5}, {"seat": 2, "kind": "bb", "amount": 10}],
        "actions": [*BEFORE, *draws, *checks, *SHOWN],
        "holes": {"1": cards("AsKsQsJs2c")},
        "final_hands": {seat: cards(held) for seat, held in FINAL.items()},
        "payoffs": {"1": 20, "2": -10, "3": -10},
        "pot": 30,
        "pots": [{"amount": 30, "eligible": [1, 2, 3], "hi_winners": [1]}],
        "uncalled_returned": None,
        "winners": {"1": [30]},
        "showdown": True,
    }
    return hand | changes


def test_a_draw_of_which_some_cards_are_told_replays() -> None:
    """R-C7, R-H7."""
    assert verdict(draw_hand()) == SAME


def told_draw(**changes: Any) -> list[Raw]:
    """The draws, that of seat 1 told otherwise."""
    return [DRAWS[0] | changes, *DRAWS[1:]]


@pytest.mark.parametrize(
    "changes",
    [
        {"draws": told_draw(discard=2)},
        {"draws": told_draw(discarded=["Js"])},
        {"draws": told_draw(drawn=["Tc"])},
        {"draws": told_draw(discard=6)},
        {"draws": told_draw(seat=2)},
        {"draws": DRAWS[1:]},
        {"draws": [*DRAWS[:2], action("draw", 3, "draw")]},
        {"draws": [*DRAWS[:2], action("draw", 3, "draw", discard=3, drawn=["9c"])]},
        {"draws": [*DRAWS[:2], action("draw", 3, "draw", discard=3, discarded=["As", "4c", "5c"])]},
        {"holes": {"1": cards("AsKsQsJsTs")}},
        {"holes": {"1": cards("AsKsQsJs")}},
        {"final_hands": {seat: cards(held) for seat, held in FINAL.items() if seat != "3"}},
        {"final_hands": {**{seat: cards(held) for seat, held in FINAL.items()}, "2": cards("Ts3d4d5d7h")}},
    ],
)
def test_a_draw_that_its_cards_contradict_is_a_difference(changes: dict[str, Any]) -> None:
    """R-H7."""
    assert verdict(draw_hand(**changes)).outcome is Outcome.DIFFERENT


def test_the_second_round_is_opened_as_the_record_says() -> None:
    """R-H7: at the sites by the first player left of the dealer, where the record says so by the second."""
    rules = {"bets_cap": 4, "cap_lifts_heads_up": False, "opening_checks": True, "most_drawn": 3}
    second: Any = {"own_rules": rules | {"last_round_opener": 1}}
    later = [action("postdraw", seat, "check") for seat in (2, 3, 1)]
    assert verdict(draw_hand(checks=later, **second)) == SAME
    assert verdict(draw_hand(**second)).outcome is Outcome.DIFFERENT
    assert verdict(draw_hand(checks=later)).outcome is Outcome.DIFFERENT
    assert verdict(draw_hand()) == SAME


def test_a_draw_left_out_is_a_sites_way_where_both_hands_tell_it() -> None:
    unsaid = draw_hand(site="ongame", draws=DRAWS[1:])
    assert verdict(unsaid) == Verdict(Outcome.SITES_OWN_WAY, ("draw left out",))
    assert verdict(unsaid | {"holes": {}}).outcome is Outcome.DIFFERENT


def six_handed(last_drawn: str) -> Raw:
    """Seat 2 folds four kings; the last of 5, 5, 5, 4 and 4 cards come after the stub of 22 fell short."""
    order = (1, 3, 4, 5, 6)
    final = {"1": cards("QcQdQh6c6d"), "6": cards(f"Ah{last_drawn}")}
    return draw_hand(
        button=6,
        seats=[{"seat": seat, "stack": 100} for seat in range(1, 7)],
        actions=[
            *BLINDS,
            *[action("predraw", seat, "call", 10, 10) for seat in (3, 4, 5, 6)],
            action("predraw", 1, "call", 5, 10),
            action("predraw", 2, "fold"),
            *[
                action("draw", seat, "draw", discard=count)
                for seat, count in zip(order, (5, 5, 5, 4, 4), strict=True)
            ],
            *[action("postdraw", seat, "check") for seat in order],
            *[action("showdown", seat, "muck") for seat in order],
        ],
        holes={"1": cards("2c3c4c5c7d"), "2": cards("KcKdKhKs2s"), "6": cards("AhAd9s8s7s")},
        final_hands=final,
        payoffs=None,
        pots=None,
        winners=None,
        checkable=False,
    )


@pytest.mark.parametrize("last_drawn", ["KcKdKhKs", "2c3cJcJd", "JcJdJhJs"])
def test_a_stub_that_falls_short_is_shuffled_from_what_others_left(last_drawn: str) -> None:
    """R-H8: folded cards and the discards of others may come."""
    assert verdict(six_handed(last_drawn)) == Verdict(Outcome.UP_TO_SHOWDOWN)


@pytest.mark.parametrize("last_drawn", ["QcKdKhKs", "AdKdKhKs"])
def test_what_somebody_still_in_holds_or_discards_now_is_not_in_it(last_drawn: str) -> None:
    """R-H8."""
    assert verdict(six_handed(last_drawn)).outcome is Outcome.DIFFERENT


def test_more_players_than_a_deck_serves_are_skipped_with_the_reason() -> None:
    """R-H8: ten hands of five leave two cards."""
    seats = [{"seat": seat, "stack": 100} for seat in range(1, 11)]
    assert verdict(draw_hand(seats=seats)) == Verdict(
        Outcome.SKIPPED, ("more players than a deck serves at five_card_draw",)
    )


def board_hand(board: str, **changes: Any) -> Raw:
    """Heads-up, checked down over a board of five; seat 1 wins with aces."""
    streets = [action(street, seat, "check") for street in ("flop", "turn", "river") for seat in (1, 2)]
    shown = {"1": cards("AsAh"), "2": cards("KsKh")}
    hand = {
        "id": "board",
        "site": "stars",
        "variant": "nlhe",
        "sb": 5,
        "bb": 10,
        "min_bet": 10,
        "button": 2,
        "seats": [{"seat": seat, "stack": 100} for seat in (1, 2)],
        "blinds": [{"seat": 2, "kind": "sb", "amount": 5}, {"seat": 1, "kind": "bb", "amount": 10}],
        "actions": [
            action("preflop", 2, "post_sb", 5, 5),
            action("preflop", 1, "post_bb", 10, 10),
            action("preflop", 2, "call", 5, 10),
            action("preflop", 1, "check"),
            *streets,
            *[action("showdown", int(seat), "show", cards=held) for seat, held in shown.items()],
        ],
        "holes": shown,
        "board": cards(board),
        "payoffs": {"1": 10, "2": -10},
        "showdown": True,
    }
    return hand | changes


def test_a_board_cut_short_is_a_difference() -> None:
    """R-H6: what was not told is not made up."""
    assert verdict(board_hand("2c3d4h8s9c")) == SAME
    cut = verdict(board_hand("2c3d4h8s"))
    assert cut == Verdict(Outcome.DIFFERENT, ("board: cut short at 4 cards, the engine deals 5",))
    assert verdict(board_hand("2c3d4h8s", checkable=False)).outcome is Outcome.DIFFERENT


def test_a_board_that_goes_on_after_the_hand_is_none() -> None:
    """R-H5: one alone is left before the flop, and the site shows what would have come."""
    raw = board_hand("2c3d4h8s9c")
    folded = [*raw["actions"][:2], action("preflop", 2, "fold")]
    payoffs = {"1": 5, "2": -5}
    assert verdict(raw | {"actions": folded, "payoffs": payoffs, "showdown": False}) == SAME


def test_cards_that_decide_a_hand_must_be_told() -> None:
    raw = board_hand("2c3d4h8s9c")
    mucked = [*raw["actions"][:-1], action("showdown", 2, "muck")]
    untold = raw | {"actions": mucked, "holes": {"1": cards("AsAh")}}
    assert verdict(untold).outcome is Outcome.DIFFERENT
    assert verdict(untold | {"checkable": False}).outcome is Outcome.UP_TO_SHOWDOWN
