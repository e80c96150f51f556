"""What the three rooms and an operator's own offer, what a table picked from it is played by, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.houses import HOUSES, table_rules
from tests.support.operator_house import TEXT

from croupier.adapters.games import GAMES
from croupier.engine.rake import rake_of
from croupier.engine.rejection import Rejected
from croupier.engine.rules import AllInRule, Structure
from croupier.houses.house import Choice, House
from croupier.houses.loader import HouseError, load, read

NO_LIMIT, POT_LIMIT, FIXED_LIMIT = Structure.NO_LIMIT, Structure.POT_LIMIT, Structure.FIXED_LIMIT
PARLOUR, OCEAN, ACES = HOUSES["puzzle_pirates"], HOUSES["poker_ocean"], HOUSES["five_aces"]
BACK_ROOM = read("back.toml", TEXT.encode(), GAMES)


def refused(house: House, structure: Structure, min_bet: int, **choice: Any) -> dict[str, Any]:
    """Why a choice is not offered; an AssertionError where it is."""
    answer = house.resolve(Choice(structure=structure, min_bet=min_bet, **choice))
    assert isinstance(answer, Rejected), answer
    assert answer.reason == "OPTION_NOT_OFFERED"
    return dict(answer.facts)


def sizes(house: str, structure: Structure, min_bet: int, **choice: Any) -> tuple[int, ...]:
    """Bets small and big, blinds small and big, buy-ins least and greatest."""
    rules = table_rules(structure, min_bet, house=house, choice=choice)
    blinds, buy_ins = (rules.small_blind, rules.big_blind), (rules.min_buy_in, rules.max_buy_in)
    return (rules.small_bet, rules.big_bet, *blinds, *buy_ins)


@pytest.mark.parametrize("min_bet", [2, 20, 200])
def test_the_parlour_has_blinds_of_half_and_all_and_buy_ins_of_10_to_100(min_bet: int) -> None:
    """R-T2."""
    for structure in (NO_LIMIT, POT_LIMIT, FIXED_LIMIT):
        blinds_and_buy_ins = (min_bet // 2, min_bet, 10 * min_bet, 100 * min_bet)
        assert sizes("puzzle_pirates", structure, min_bet) == (min_bet, 2 * min_bet, *blinds_and_buy_ins)
    assert table_rules(NO_LIMIT, 2000).max_buy_in == 200_000


def test_the_parlour_takes_five_per_cent_without_cap_or_flop() -> None:
    """R-K2, R-K5: 3400 pay 170."""
    rake = table_rules().rake
    for flop_dealt in (True, False):
        assert rake_of(rake, 3400, flop_dealt=flop_dealt, players=4) == 170
        assert rake_of(rake, 39, flop_dealt=flop_dealt, players=2) == 1
        assert rake_of(rake, 10**9, flop_dealt=flop_dealt, players=10) == 5 * 10**7


def test_the_ocean_has_blinds_of_half_and_all_of_the_lower_stake() -> None:
    """R-T3: half is rounded down to the cent; buy-ins of 20 to 100 big blinds, in limit 10 to 100 big bets."""
    for game in ("holdem", "omaha", "omaha_hi_lo"):
        assert sizes("poker_ocean", FIXED_LIMIT, 25, game=game) == (25, 50, 12, 25, 500, 5000)
        assert sizes("poker_ocean", FIXED_LIMIT, 500, game=game) == (500, 1000, 250, 500, 10_000, 100_000)
        assert sizes("poker_ocean", POT_LIMIT, 50, game=game) == (50, 100, 25, 50, 1000, 5000)
        assert sizes("poker_ocean", NO_LIMIT, 2, game=game) == (2, 4, 1, 2, 40, 200)


def test_the_ocean_plays_as_its_rules_say() -> None:
    """R-B3, R-H9, R-T3, R-T10."""
    rules = table_rules(NO_LIMIT, 50, house="poker_ocean", choice={"game": "omaha"})
    assert (rules.game, rules.currency, rules.seat_count) == ("omaha", "USD", 10)
    assert (rules.bets_cap, rules.cap_lifts_heads_up) == (4, False)
    assert (rules.losing_hands_mucked, rules.all_ins_shown_at_once, rules.show_window_ms) == (
        True,
        False,
        5000,
    )
    assert (rules.bring_in, rules.newcomers_may_wait, rules.wait_near_button) == (True, True, False)
    assert (rules.min_experience, rules.experience_levels, rules.free_days) == (0, (), ())


def test_five_aces_plays_draw_with_the_house_limit() -> None:
    """R-B4, R-B10, R-H7, R-K4, R-T4, R-T10, R-T17."""
    assert sizes("five_aces", Structure.SPREAD_LIMIT, 1) == (1, 50, 0, 0, 50, 5000)
    rules = table_rules(Structure.SPREAD_LIMIT, 1, house="five_aces")
    assert (rules.game, rules.currency, rules.seat_count) == ("five_card_draw", "gp", 6)
    assert (rules.opening_checks, rules.most_drawn, rules.last_round_opener) == (False, 3, 1)
    assert (rules.bring_in, rules.newcomers_may_wait, rules.wait_near_button) == (False, False, False)
    assert (rules.losing_hands_mucked, rules.all_ins_shown_at_once) == (False, False)
    assert rake_of(rules.rake, 10**6, flop_dealt=True, players=6) == 0
    too_many = refused(ACES, Structure.SPREAD_LIMIT, 1, seat_count=10)
    assert too_many == {"field": "seat_count", "offered": "2,3,4,5,6,7,8,9"}


def test_the_parlour_asks_for_experience_and_a_pass() -> None:
    """R-T5, R-T7."""
    ladder = PARLOUR.file.experience.levels
    assert [ladder[offer.min_experience] for offer in PARLOUR.offers if offer.structure is NO_LIMIT] == [
        "None",
        "Neophyte",
        "Apprentice",
        "Narrow",
    ]
    assert len(ladder) == 13
    assert (ladder[0], ladder[4], ladder[-1]) == ("None", "Broad", "Transcendent")
    rules = PARLOUR.resolve(Choice(structure=POT_LIMIT, min_bet=200))
    assert not isinstance(rules, Rejected)
    assert (rules.min_experience, rules.experience_levels) == (2, ladder)
    assert (rules.free_days, rules.time_zone) == ((5, 7), "America/Los_Angeles")


def test_seats_are_never_more_than_the_deck_deals() -> None:
    """R-T1, R-H8: five-card Omaha 8, six-card 7, draw up to five 9."""
    for game, structure, most in (
        ("five_card_omaha", POT_LIMIT, 8),
        ("six_card_omaha", POT_LIMIT, 7),
        ("five_card_draw", FIXED_LIMIT, 9),
        ("holdem", NO_LIMIT, 10),
    ):
        for seats in range(2, 11):
            choice = Choice(structure=structure, min_bet=10, game=game, seat_count=seats)
            rules = BACK_ROOM.resolve(choice)
            if seats <= most:
                assert not isinstance(rules, Rejected)
                assert GAMES[game].cards_needed(rules.seat_count, rules.most_drawn) <= 52
            else:
                assert isinstance(rules, Rejected)
        default = BACK_ROOM.resolve(Choice(structure=structure, min_bet=10, game=game))
        assert not isinstance(default, Rejected)
        assert default.seat_count == min(8, most)


@pytest.mark.parametrize(
    ("house", "choice", "field", "offered"),
    [
        (PARLOUR, {"structure": NO_LIMIT, "min_bet": 2, "game": "omaha"}, "game", "HOLDEM"),
        (
            OCEAN,
            {"structure": NO_LIMIT, "min_bet": 2, "game": "five_card_draw"},
            "game",
            "HOLDEM,OMAHA,OMAHA_HI_LO",
        ),
        (
            PARLOUR,
            {"structure": Structure.SPREAD_LIMIT, "min_bet": 2},
            "structure",
            "NO_LIMIT,POT_LIMIT,FIXED_LIMIT",
        ),
        (ACES, {"structure": NO_LIMIT, "min_bet": 1}, "structure", "SPREAD_LIMIT"),
        (PARLOUR, {"structure": POT_LIMIT, "min_bet": 2000}, "min_bet", "2,20,200"),
        (
            OCEAN,
            {"structure": FIXED_LIMIT, "min_bet": 5_000_000_001, "game": "omaha"},
            "min_bet",
            "2 to 5000000000",
        ),
        (
            PARLOUR,
            {"structure": POT_LIMIT, "min_bet": 2, "action_time_ms": 15_000},
            "action_time",
            "10s,20s,30s",
        ),
        (PARLOUR, {"structure": POT_LIMIT, "min_bet": 2, "hand_pause_ms": 60_001}, "hand_pause", "0s to 60s"),
        (
            PARLOUR,
            {"structure": POT_LIMIT, "min_bet": 2, "all_in_rule": AllInRule.ALL_IN_OR_FOLD},
            "all_in_rule",
            "NONE",
        ),
        (
            BACK_ROOM,
            {
                "structure": NO_LIMIT,
                "min_bet": 2,
                "game": "holdem",
                "all_in_rule": AllInRule.ALL_IN_OR_ALL_IN,
            },
            "all_in_rule",
            "NONE,ALL_IN_OR_FOLD",
        ),
        (ACES, {"structure": Structure.SPREAD_LIMIT, "min_bet": 1, "local_scene": "inn"}, "local_scene", ""),
        (
            BACK_ROOM,
            {"structure": NO_LIMIT, "min_bet": 2, "game": "holdem", "forbid_banking": True},
            "forbid_banking",
            "false",
        ),
    ],
)
def test_what_is_not_offered_is_refused_with_what_is(
    house: House, choice: dict[str, Any], field: str, offered: str
) -> None:
    """R-T1, R-T19."""
    assert refused(house, **choice) == {"field": field, "offered": offered}


def test_options_of_the_parlour_are_kept_as_picked() -> None:
    """R-T6, R-T19, R-T20."""
    picked = {"all_in_rule": AllInRule.ALL_IN_OR_FOLD, "local_scene": "inn", "forbid_banking": True}
    rules = table_rules(NO_LIMIT, 20, 4, choice=picked)
    assert (rules.all_in_rule, rules.local_scene, rules.banking_window_ms) == (
        AllInRule.ALL_IN_OR_FOLD,
        "inn",
        120 * 60_000,
    )
    assert table_rules().banking_window_ms == 0


def test_a_house_of_several_games_must_be_told_which() -> None:
    unnamed = OCEAN.resolve(Choice(structure=NO_LIMIT, min_bet=2))
    assert isinstance(unnamed, Rejected)
    assert (unnamed.reason, unnamed.facts) == ("FIELD_REQUIRED", {"field": "game"})


def test_an_ocean_caps_the_minimum_bet() -> None:
    """R-T2: at Obsidian, 200."""
    capped = load(GAMES, max_min_bets={"puzzle_pirates": 200, "poker_ocean": 60})
    offered = {(offer.structure, offer.min_bet) for offer in capped["puzzle_pirates"].offers}
    assert offered == {(one, bet) for one in (NO_LIMIT, POT_LIMIT, FIXED_LIMIT) for bet in (2, 20, 200)}
    assert refused(capped["puzzle_pirates"], NO_LIMIT, 2000) == {"field": "min_bet", "offered": "2,20,200"}
    spans = {(offer.min_bet, offer.max_min_bet) for offer in capped["poker_ocean"].offers}
    assert spans == {(2, 49), (50, 60)}
    assert refused(capped["poker_ocean"], POT_LIMIT, 61, game="omaha")["offered"] == "2 to 60"
    assert capped["five_aces"] == HOUSES["five_aces"]


@pytest.mark.parametrize(
    ("caps", "said"),
    [
        ({"puzzle_pirates": 1}, "max_min_bet puzzle_pirates=1 leaves that house nothing to offer; raise it"),
        (
            {"obsidian": 200},
            "max_min_bet names 'obsidian', which is no house; there are five_aces, poker_ocean, puzzle_pirates",
        ),
    ],
)
def test_a_cap_that_cannot_hold_is_told(caps: dict[str, int], said: str) -> None:
    with pytest.raises(HouseError) as error:
        load(GAMES, max_min_bets=caps)
    assert str(error.value) == said
