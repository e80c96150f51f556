"""A house of an operator's own, which offers what the bundled ones do not, and ways to spoil its file."""

from __future__ import annotations

from typing import Final

import pytest

from croupier.adapters.games import GAMES
from croupier.houses.loader import HouseError, read

HOUSE_ID: Final = "back_room"
TEXT: Final = """\
house_id = "back_room"
name = "The Back Room"
currency = "EUR"

[games.holdem]

[games.five_card_omaha]
max_seat_count = 8

[games.six_card_omaha]
max_seat_count = 7

[games.five_card_draw]
most_drawn = 5
max_seat_count = 9

[[offers]]
games = ["holdem", "five_card_omaha", "six_card_omaha"]
structure = "no_limit"
min_bets = [2, 10]
min_buy_in = 20
max_buy_in = 200

[[offers]]
games = ["five_card_omaha", "six_card_omaha"]
structure = "pot_limit"
lowest_min_bet = 10
min_buy_in = 40
max_buy_in = 100

[[offers]]
games = ["five_card_draw"]
structure = "fixed_limit"
min_bets = [10]
min_buy_in = 20
max_buy_in = 100

[[offers]]
games = ["five_card_draw"]
structure = "spread_limit"
min_bets = [2]
max_bet = 5
min_buy_in = 20
max_buy_in = 100

[table]
min_seat_count = 2
max_seat_count = 10
default_seat_count = 8
action_times_s = [5, 15]
default_action_time_s = 15
shortest_action_time_s = 5
time_outs_to_sit_out = 3
default_hand_pause_ms = 0
max_hand_pause_ms = 10000
all_in_rules = ["all_in_or_fold"]
banking_window_min = 0

[seat]
reservation_s = 30
seat_kept_s = 300
newcomers = "bring_in_or_wait"

[experience]
levels = ["any", "regular"]

[[experience.minimums]]
from_min_bet = 100
level = "regular"

[free_play]
days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
time_zone = "Europe/Berlin"

[[rake.rows]]
structures = ["no_limit", "pot_limit", "spread_limit"]
basis_points = 300
rounding = "half_even"
no_flop_no_drop = true
caps = [{ players = 3, cap = 50 }, { players = 10, cap = 90 }]

[[rake.rows]]
structures = ["fixed_limit"]
basis_points = 100
"""
"""Every game of it, played without what its players would have to bring."""


def spoiled(*changes: str) -> bytes:
    """The file with `old => new` replaced, each where it first stands; without ` => new` it is left out."""
    text = TEXT
    for change in changes:
        old, _, new = change.partition(" => ")
        assert old in text, f"{old!r} is not in the file"
        text = text.replace(old, new, 1)
    return text.encode()


def must_say(said: str, *changes: str) -> None:
    """Fails unless the spoiled file is refused in these words."""
    with pytest.raises(HouseError) as refused:
        read("back.toml", spoiled(*changes), GAMES)
    assert str(refused.value) == f"back.toml: {said}"
