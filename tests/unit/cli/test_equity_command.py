"""`croupier equity`: a table of shares, and what to mend where cards are wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier.cli.main import app


def equity(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["equity", *arguments], env={"COLUMNS": "200", "TERM": "dumb"})


def test_shares_of_every_board_are_told() -> None:
    told = equity("AsKs", "QdQc", "--board", "2c7d9h")
    assert told.exit_code == 0, told.output
    rows = [line.split() for line in told.output.splitlines()]
    assert ["AsKs", "23.939", "%", "23.939", "%", "0.000", "%"] in rows
    assert ["QdQc", "76.061", "%", "76.061", "%", "0.000", "%"] in rows
    assert "990 deals, which are all there are." in told.output


def test_lots_come_with_their_standard_error_and_seed() -> None:
    first, again = (equity("AsKs", "????", "--samples", "1000", "--seed", "5") for _ in range(2))
    assert first.exit_code == 0, first.output
    assert first.output == again.output
    assert "standard error" in first.output
    assert "1,000 deals, drawn by lot from seed 5 among 2,097,572,400." in first.output


def test_dead_cards_and_other_games_are_taken() -> None:
    """Eight held, three on the board and two out of play leave 39 cards for turn and river."""
    told = equity("As Ah Kd 7c", "QsQh9d8d", "--game", "omaha", "--board", "2c2dKh", "--dead", "QdQc")
    assert told.exit_code == 0, told.output
    assert "741 deals, which are all there are." in told.output


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["AsKs", "QdQ"], "'QdQ' is not 2 cards, as a hand of holdem is"),
        (["AsKsQs", "QdQc"], "write ?? for each that nobody knows"),
        (["AsKs", "XdQc"], "not a card: 'Xd'"),
        (["AsKs", "AsQc"], "As appears twice"),
        (["AsKs", "QdQc", "--board", "2c2"], "not a card: '2'"),
        (["AsKs", "QdQc", "--board", "Qd"], "Qd appears twice"),
        (["AsKs"], "2 to 10 hands can be compared, not 1"),
        (["AsKs", "QdQc", "--game", "stud"], "there are holdem, omaha"),
        (["AsKsQsJsTs", "2c3c4c5c??", "--game", "five_card_draw"], "hand 2 has 4 cards"),
        (["AsKs", "QdQc", "--samples", "0"], "--samples"),
    ],
)
def test_wrong_cards_are_told_what_to_mend(arguments: list[str], complaint: str) -> None:
    told = equity(*arguments)
    assert told.exit_code == 2
    assert complaint in " ".join(told.output.replace("│", " ").split())


def test_an_evaluator_that_there_is_not_is_told_in_a_line() -> None:
    command = [str(Path(sys.executable).with_name("croupier")), "equity", "AsKs", "QdQc"]
    told = subprocess.run(
        command, env={**os.environ, "CROUPIER_EVALUATOR": "neon"}, capture_output=True, text=True, check=False
    )
    assert told.returncode == 1
    assert told.stderr.splitlines() == [
        "croupier: CROUPIER_EVALUATOR is 'neon'; it may be portable, avx2, avx512 or reference"
    ]
