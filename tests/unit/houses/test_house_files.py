"""What is said of a house file that cannot be used: the file, the key, and what would be right there."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.operator_house import HOUSE_ID, TEXT, must_say, spoiled

from croupier.adapters.games import GAMES
from croupier.houses.loader import HouseError, load, read


def test_the_file_that_is_spoiled_here_is_a_good_one() -> None:
    assert read("back.toml", TEXT.encode(), GAMES).house_id == HOUSE_ID


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("[seat] => [seats]", "seats is no key of a house; did you mean seat?"),
        (
            "[experience] => [wisdom]",
            "wisdom is no key of a house; there are house_id, name, currency, games, ",
        ),
        ("max_bet = 5 => most = 5", "offers#4.most is no key of a house; there are games, structure, "),
        (
            "most_drawn = 5 => most_draw = 5",
            "games.five_card_draw.most_draw is no key of a house; did you mean most_drawn?",
        ),
        (
            "players = 10 => player = 10",
            "rake.rows#1.caps#2.player is no key of a house; did you mean players?",
        ),
        (
            "reservation_s = 30\n => ",
            "seat.reservation_s is missing; it must be a whole number from 1 to 3600",
        ),
        ('name = "The Back Room"\n => ', "name is missing; it must be 1 to 64 printable characters"),
        ("[table] => [tables]", "tables is no key of a house; did you mean table?"),
        (
            "min_buy_in = 40\n => ",
            "offers#2.min_buy_in is missing; it must be a whole number from 1 to 1000000",
        ),
        (
            'newcomers = "bring_in_or_wait"\n => ',
            "seat.newcomers is missing; it must be one of bring_in, bring_in_or_wait, free",
        ),
    ],
)
def test_keys_that_are_unknown_or_missing(change: str, said: str) -> None:
    with pytest.raises(HouseError) as refused:
        read("back.toml", spoiled(change), GAMES)
    assert str(refused.value).startswith(f"back.toml: {said}")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "min_seat_count = 2 => min_seat_count = '2'",
            "table.min_seat_count is '2'; it must be a whole number from 2 to 10",
        ),
        (
            "min_seat_count = 2 => min_seat_count = 2.0",
            "table.min_seat_count is 2.0; it must be a whole number from 2 to 10",
        ),
        (
            "min_seat_count = 2 => min_seat_count = true",
            "table.min_seat_count is True; it must be a whole number from 2 to 10",
        ),
        (
            "max_seat_count = 10 => max_seat_count = 11",
            "table.max_seat_count is 11; it must be a whole number from 2 to 10",
        ),
        (
            "no_flop_no_drop = true => no_flop_no_drop = 1",
            "rake.rows#1.no_flop_no_drop is 1; it must be true or false",
        ),
        (
            'house_id = "back_room" => house_id = "Back Room"',
            "house_id is 'Back Room'; it must be a text like [a-z0-9][a-z0-9_-]{0,63}",
        ),
        ('currency = "EUR" => currency = ""', "currency is ''; it must be a text like [A-Za-z0-9]{1,16}"),
        ('name = "The Back Room" => name = ""', "name is ''; it must be 1 to 64 printable characters"),
        (
            'name = "The Back Room" => name = "a\\u0007"',
            "name is 'a\\x07'; it must be 1 to 64 printable characters",
        ),
        ("min_bets = [2, 10] => min_bets = 2", "offers#1.min_bets is 2; it must be a list"),
        (
            "min_bets = [2, 10] => min_bets = [2, '10']",
            "offers#1.min_bets#2 is '10'; it must be a whole number from 0 to 1000000000000",
        ),
        (
            'structure = "no_limit" => structure = "nolimit"',
            "offers#1.structure is 'nolimit'; it must be one of no_limit, pot_limit, fixed_limit, spread_limit",
        ),
        ("[games.holdem] => [games]\nholdem = 2", "games.holdem is 2; it must be a table of keys and values"),
        (
            '"monday" => "montag"',
            "free_play.days#1 is 'montag'; it must be one of monday, tuesday, wednesday, thursday, "
            "friday, saturday, sunday",
        ),
        (
            "most_drawn = 5 => most_drawn = 6",
            "games.five_card_draw.most_drawn is 6; it must be a whole number from 0 to 5",
        ),
        (
            "basis_points = 300 => basis_points = 10001",
            "rake.rows#1.basis_points is 10001; it must be a whole number from 0 to 10000",
        ),
        (
            '["all_in_or_fold"] => ["fold"]',
            "table.all_in_rules#1 is 'fold'; it must be one of all_in_or_fold, all_in_or_all_in",
        ),
    ],
)
def test_values_that_are_of_another_kind_or_out_of_bounds(change: str, said: str) -> None:
    must_say(said, change)


@pytest.mark.parametrize("data", [b"house_id = ", b"\xff\xfe"])
def test_a_file_that_is_not_toml_is_told(data: bytes) -> None:
    with pytest.raises(HouseError, match=r"^back\.toml is not TOML: "):
        read("back.toml", data, GAMES)


def test_a_file_nested_without_end_is_told() -> None:
    with pytest.raises(HouseError, match=r"^back\.toml is nested too deeply: "):
        read("back.toml", b"a = " + b"[" * 5000 + b"]" * 5000, GAMES)


def test_adding_a_house_is_adding_a_file(tmp_path: Path) -> None:
    (tmp_path / "back.toml").write_text(TEXT)
    (tmp_path / "notes.txt").write_text("no house")
    houses = load(GAMES, str(tmp_path))
    assert list(houses) == ["back_room", "five_aces", "poker_ocean", "puzzle_pirates"]
    assert houses["back_room"].file.currency == "EUR"


def test_an_id_that_is_taken_is_told_with_whose_it_is(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_bytes(spoiled('"back_room" => "puzzle_pirates"'))
    with pytest.raises(HouseError) as refused:
        load(GAMES, str(tmp_path))
    said = "house_id 'puzzle_pirates' is that of bundled puzzle_pirates.toml; choose another"
    assert str(refused.value) == f"{own}: {said}"
    own.write_text(TEXT)
    (tmp_path / "second.toml").write_text(TEXT)
    with pytest.raises(
        HouseError, match=r"second\.toml: house_id 'back_room' is that of .*own\.toml; choose"
    ):
        load(GAMES, str(tmp_path))


def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(HouseError, match=r"house_dir: .*/none cannot be read: No such file"):
        load(GAMES, str(tmp_path / "none"))
