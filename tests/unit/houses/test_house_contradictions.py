"""A house file whose keys contradict one another is refused: the file, the key, and what would be right there."""

from __future__ import annotations

import pytest
from tests.support.houses import HOUSES
from tests.support.operator_house import must_say


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "min_seat_count = 2\nmax_seat_count = 10 => min_seat_count = 9\nmax_seat_count = 8",
            "table.max_seat_count must be from table.min_seat_count, 9, to 10",
        ),
        (
            "max_seat_count = 10 => max_seat_count = 7",
            "table.default_seat_count must be from table.min_seat_count, 2, to table.max_seat_count, 7",
        ),
        (
            "action_times_s = [5, 15] => action_times_s = []",
            "table.action_times_s must be one or more times, each longer than the one before",
        ),
        (
            "action_times_s = [5, 15] => action_times_s = [15, 5]",
            "table.action_times_s must be one or more times, each longer than the one before",
        ),
        (
            "default_action_time_s = 15 => default_action_time_s = 10",
            "table.default_action_time_s must be one of table.action_times_s: 5, 15",
        ),
        (
            "shortest_action_time_s = 5 => shortest_action_time_s = 6",
            "table.shortest_action_time_s must be at most 5, the shortest action time",
        ),
        (
            "default_hand_pause_ms = 0 => default_hand_pause_ms = 10001",
            "table.default_hand_pause_ms must be at most table.max_hand_pause_ms, 10000",
        ),
        (
            'structure = "no_limit" => structure = "fixed_limit"',
            "table.all_in_rules must be empty where no offer is no_limit, which alone they hold in",
        ),
        (
            "[games.holdem] => [games.whist]",
            "games.whist must be named as one of five_card_draw, five_card_omaha, holdem, omaha, "
            "omaha_hi_lo, six_card_omaha",
        ),
        (
            "[games.holdem] => [games.omaha]\n[games.holdem]",
            "games.omaha must be named by one of the offers, or left out",
        ),
        (
            "[games.holdem]\n => ",
            "offers#1.games must be among [games]: five_card_omaha, six_card_omaha, five_card_draw; not holdem",
        ),
        (
            "max_seat_count = 8 => max_seat_count = 9",
            "games.five_card_omaha.max_seat_count must be from 2 to 8; the deck is enough for 8 at this game",
        ),
        (
            "max_seat_count = 8\n => ",
            "games.five_card_omaha.max_seat_count must be from 2 to 8; the deck is enough for 8 at this game",
        ),
        (
            "max_seat_count = 7\n => max_seat_count = 8\n",
            "games.six_card_omaha.max_seat_count must be from 2 to 7; the deck is enough for 7 at this game",
        ),
        (
            "max_seat_count = 9 => max_seat_count = 10",
            "games.five_card_draw.max_seat_count must be from 2 to 9; the deck is enough for 9 at this game",
        ),
        (
            "[games.holdem] => [games.holdem]\nmost_drawn = 1",
            "games.holdem.most_drawn must be 0, or left out: nobody draws in this game",
        ),
        (
            '[games.holdem] => [games.holdem]\nlast_round_opener = "second"',
            'games.holdem.last_round_opener must be "first", or left out: nobody draws in this game',
        ),
        (
            'games = ["holdem", "five_card_omaha", "six_card_omaha"] => games = []',
            "games.holdem must be named by one of the offers, or left out",
        ),
        (
            'structure = "pot_limit" => structure = "no_limit"',
            "offers#2.structure must be another: five_card_omaha is offered in no_limit before, put all min_bets there",
        ),
        (
            "min_bets = [2, 10]\n => ",
            "offers#1.min_bets must be one or more bets, or else lowest_min_bet one",
        ),
        (
            "lowest_min_bet = 10 => lowest_min_bet = 10\nmin_bets = [10]",
            "offers#2.min_bets must be one or more bets, or else lowest_min_bet one",
        ),
        (
            "min_bets = [2, 10] => min_bets = [10, 2]",
            "offers#1.min_bets must be each larger than the one before",
        ),
        (
            "min_bets = [2, 10] => min_bets = [2, 5]",
            "offers#1.min_bets must be even and 2 or more, so that the small blind is half of one",
        ),
        (
            "lowest_min_bet = 10 => lowest_min_bet = 1",
            "offers#2.lowest_min_bet must be from 2 up to what max_buy_in leaves within 1000000000000 chips",
        ),
        ("min_buy_in = 20 => min_buy_in = 201", "offers#1.max_buy_in must be at least min_buy_in, 201"),
        (
            "min_bets = [2, 10] => min_bets = [2, 5000000002]",
            "offers#1.max_buy_in must be such that the greatest buy-in is at most 1000000000000 chips",
        ),
        ("max_bet = 5\n => ", "offers#4.max_bet must be there, in minimum bets: spread_limit's greatest"),
        (
            "min_bets = [2, 10] => min_bets = [2, 10]\nmax_bet = 3",
            "offers#1.max_bet must be left out but in spread_limit",
        ),
        ('levels = ["any", "regular"] => levels = ["any", "any"]', "experience.levels must be all different"),
        (
            'level = "regular" => level = "master"',
            "experience.minimums#1.level must be one of experience.levels: any, regular",
        ),
        (
            "from_min_bet = 100 => from_min_bet = 200\nlevel = 'any'\n[[experience.minimums]]\nfrom_min_bet = 200",
            "experience.minimums must be by from_min_bet, each larger than the one before",
        ),
        ('"tuesday" => "monday"', "free_play.days must be all different"),
        (
            'time_zone = "Europe/Berlin" => time_zone = "Europe/Bielefeld"',
            'free_play.time_zone must be a time zone such as "America/Los_Angeles"; left out where free_play.days is',
        ),
        (
            'time_zone = "Europe/Berlin"\n => ',
            'free_play.time_zone must be a time zone such as "America/Los_Angeles"; left out where free_play.days is',
        ),
        ('structures = ["fixed_limit"] => structures = []', "rake.rows#2.structures must be one or more"),
        (
            "basis_points = 100 => step = 1",
            "rake.rows#2.step_of must be 1 or more, or left out together with step",
        ),
        ("basis_points = 100 => step = 3\nstep_of = 2", "rake.rows#2.step must be at most step_of"),
        (
            "basis_points = 100 => basis_points = 100\nstep = 1\nstep_of = 20",
            "rake.rows#2.basis_points must be 0, or left out, beside a step",
        ),
        ("players = 3 => players = 10", "rake.rows#1.caps must be by players, each more than the one before"),
        (
            "players = 10 => players = 9",
            "rake.rows#1.caps must be for up to table.max_seat_count, 10, players, or for none",
        ),
        (
            'structures = ["fixed_limit"] => structures = ["no_limit", "fixed_limit"]',
            "rake.rows must be one at most for no_limit from each from_min_bet",
        ),
        (
            'structures = ["fixed_limit"] => structures = ["fixed_limit"]\nfrom_min_bet = 11',
            "rake.rows must be there for fixed_limit from 10, which offers#3 needs; the lowest begins at 11",
        ),
        (', "spread_limit"] => ]', "rake.rows must be there for spread_limit from 2, which offers#4 needs"),
    ],
)
def test_keys_that_contradict_one_another(change: str, said: str) -> None:
    must_say(said, change)


def test_newcomers_owe_nothing_where_no_game_has_blinds() -> None:
    """R-T10, R-T17."""
    assert HOUSES["five_aces"].file.seat.newcomers == "free"
    without = [
        f"{name} => {name}\nblinds = false"
        for name in (
            "[games.holdem]",
            "[games.five_card_omaha]",
            "[games.six_card_omaha]",
            "[games.five_card_draw]",
        )
    ]
    must_say('seat.newcomers must be "free": no game here has blinds', *without)
