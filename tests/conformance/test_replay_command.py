"""`croupier replay` on files: what it prints and the status it ends with."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.recorded import OWN, own, raw_hands
from typer.testing import CliRunner, Result

from croupier.cli.main import app


def run(*paths: Path) -> Result:
    return CliRunner().invoke(app, ["replay", *map(str, paths)])


def one_hand(**changes: Any) -> str:
    hand = next(raw_hands(OWN / "nlhe.jsonl"))
    return json.dumps(hand | changes) + "\n"


def test_own_hands_end_with_status_0_and_a_table() -> None:
    result = run(*own())
    assert result.exit_code == 0
    for path in own():
        assert path.name in result.stdout
    assert "different" in result.stdout


def test_a_difference_is_named_and_ends_with_status_1(tmp_path: Path) -> None:
    path = tmp_path / "spoiled.jsonl"
    path.write_text(one_hand() + one_hand(id="own:spoiled", pot=1))
    result = run(path)
    assert result.exit_code == 1
    assert "spoiled.jsonl: own:spoiled: pot: recorded 1, the engine has" in result.stdout


def test_a_line_that_is_no_hand_is_a_difference(tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(one_hand() + "\n{}\n")
    result = run(path)
    assert result.exit_code == 1
    assert "malformed: line 3" in result.stdout


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.jsonl", "\n", "the file holds no hand"),
        ("empty.phhs", "", "the file holds no hand"),
        (
            "short.phh",
            "variant = 'NT'\n",
            "hand 1: antes, blinds_or_straddles, starting_stacks, actions missing",
        ),
    ],
)
def test_a_file_without_a_whole_hand_is_a_difference(
    tmp_path: Path, name: str, content: str, said: str
) -> None:
    path = tmp_path / name
    path.write_text(content)
    result = run(path)
    assert result.exit_code == 1
    assert f"{name}: ?: malformed: {said}" in result.stdout


def test_skipped_hands_are_counted_with_their_reason_and_are_no_difference(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl.gz"
    path.write_bytes(gzip.compress((one_hand(variant="stud") + one_hand()).encode()))
    result = run(path)
    assert result.exit_code == 0
    assert "other.jsonl.gz: 1 skipped: game not in this version: stud" in result.stdout


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_text("")
    result = run(path)
    assert result.exit_code == 2
    assert "hands.txt" in result.output


def test_a_phh_file_is_read_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "one.phh"
    path.write_text(
        "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n"
        "starting_stacks = [9, 9]\nactions = ['p2 f']\nfinishing_stacks = [10, 8]\n"
    )
    assert run(path).exit_code == 0


def test_two_newcomers_alone_are_told_and_not_stumbled_over(tmp_path: Path) -> None:
    hand = json.loads(one_hand())
    hand["seats"] = [{"seat": 1, "stack": 100}, {"seat": 2, "stack": 100}]
    hand |= {"button": 2, "antes": [], "straddles": [], "holes": {}, "actions": []}
    hand["blinds"] = [{"seat": seat, "kind": "late_bb", "amount": 2} for seat in (1, 2)]
    path = tmp_path / "newcomers.jsonl"
    path.write_text(json.dumps(hand))
    result = run(path)
    assert result.exit_code == 1
    assert "the posts among the actions are not those listed" in result.stdout


@pytest.mark.parametrize("change", [{"board": ["As", "As", "2c"]}, {"seats": []}, {"button": "x"}])
def test_a_hand_that_contradicts_itself_is_reported_not_raised(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(one_hand(**change))
    result = run(path)
    assert result.exit_code == 1
    assert "odd.jsonl: " in result.stdout


EVIL = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e[red]x[/red] :heart: \ud800"
TOLD = r"\x1b]0;title\x07\x1b[2J\x9b31m\u202e[red]x[/red] :heart: "


def test_what_files_and_their_names_say_reaches_the_terminal_spelt_out(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[1m[b]\u202e.jsonl"
    path.write_text(
        one_hand(id=EVIL.rstrip("\ud800"), pot=1)
        + one_hand(id="skipped", variant=EVIL.rstrip("\ud800"))
        + json.dumps({EVIL: 1})
        + "\n"
    )
    result = run(path)
    assert result.exit_code == 1
    said = result.stdout
    assert r"a\x1b[1m[b]\u202e.jsonl: " + TOLD in said
    assert "skipped: game not in this version: " + TOLD.rstrip() in said
    assert r"  a\x1b[1m[b]\u202e.jsonl " in said, "in the table too"
    assert all(sign.isprintable() or sign == "\n" for sign in said)


def test_the_name_of_a_file_of_another_kind_is_spelt_out(tmp_path: Path) -> None:
    path = tmp_path / "hands\x1b[2J.txt"
    path.write_text("")
    result = run(path)
    assert result.exit_code == 2
    assert "\x1b[2J" not in result.output


@pytest.mark.parametrize("type_", ["check_or_call", "bet_or_raise"])
def test_actions_that_other_formats_leave_open_are_no_json_lines(tmp_path: Path, type_: str) -> None:
    hand = json.loads(one_hand())
    hand["actions"][2]["type"] = type_
    path = tmp_path / "open.jsonl"
    path.write_text(json.dumps(hand))
    result = run(path)
    assert result.exit_code == 1
    assert f"malformed: line 1: {type_} is no action here" in result.stdout
