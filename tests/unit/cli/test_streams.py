"""Standard output that is full, closed, or read by nobody: a plain line, and the status of the work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CROUPIER = str(Path(sys.executable).with_name("croupier"))
FULL = "croupier: standard output cannot be written: No space left on device\n"

EQUITY = ("equity", "AsKs", "QdQc")
SHUFFLES = ("audit", "--shuffle-stream", "100000")
REPLAY = ("replay", str(Path(__file__).parents[2] / "vectors" / "nlhe.jsonl"))


def ran(command: tuple[str, ...], redirected: str, **environment: str) -> tuple[int, str]:
    """Exit status and what was said on standard error."""
    given = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"} | environment
    done = subprocess.run(
        ["bash", "-c", f'"$@" {redirected}; exit ${{PIPESTATUS[0]}}', "-", CROUPIER, *command],
        env=given,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("command", [("--version",), ("--help",), EQUITY, SHUFFLES, REPLAY])
def test_a_full_output_is_told_in_a_line(command: tuple[str, ...]) -> None:
    assert ran(command, ">/dev/full") == (2, FULL)


@pytest.mark.parametrize("command", [("--version",), ("--help",), EQUITY, SHUFFLES, REPLAY])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_ends_a_command_quietly(command: tuple[str, ...], unbuffered: str) -> None:
    assert ran(command, "| true", PYTHONUNBUFFERED=unbuffered) == (0, "")


@pytest.mark.parametrize("redirected", [">&-", "<&- >&-", "<&-"])
def test_descriptors_that_are_closed_are_of_nothing(redirected: str) -> None:
    assert ran(EQUITY, redirected) == (0, "")


def test_standard_error_that_cannot_be_written_changes_nothing() -> None:
    assert ran(EQUITY, "2>&-")[0] == ran(EQUITY, "2>/dev/full")[0] == 0
    assert ran(("equity", "As"), "2>/dev/full")[0] == 2


@pytest.mark.parametrize("redirected", [">/dev/full", "| true"])
def test_what_was_found_keeps_its_status(redirected: str, tmp_path: Path) -> None:
    (spoilt := tmp_path / "hands.jsonl").write_text("no hand\n")
    assert ran(("replay", str(spoilt)), redirected)[0] == 1
    (tmp_path / "croupier.db").mkdir()
    doctor = ("doctor", "--store", f"sqlite:{tmp_path}/croupier.db", "--port", "0", "--http-port", "0")
    assert ran(doctor, redirected)[0] == 1
