"""Holds the contract to its style and its past, and the generated code to the contract."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROTO = ROOT / "proto"
BASELINE = PROTO / "baseline.binpb"
GENERATED = ROOT / "service" / "croupier" / "v1"


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def buf(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run(Path(sys.executable).with_name("buf"), *arguments)


def python(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, *arguments)


def sources(package: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in package.iterdir() if path.suffix in {".py", ".pyi"}}


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    """A copy of the contract that a test may spoil."""
    return Path(shutil.copytree(PROTO, tmp_path / "proto"))


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_the_contract_is_linted_clean() -> None:
    result = buf("lint", PROTO)
    assert result.returncode == 0, result.stdout


def test_the_contract_is_formatted() -> None:
    result = buf("format", "--diff", "--exit-code", PROTO)
    assert result.returncode == 0, result.stdout


def test_the_contract_breaks_nothing_published() -> None:
    result = buf("breaking", PROTO, "--against", BASELINE)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("int64 amount = 7;", "int64 amount = 99;", 'field "7" with name "amount" on message "ActRequest"'),
        ("int64 amount = 7;", "string amount = 7;", 'Field "7" with name "amount" on message "ActRequest"'),
        ("int64 amount = 7;", "int64 chips = 7;", 'Field "7" with name "chips" on message "ActRequest"'),
    ],
    ids=["renumbered", "retyped", "renamed"],
)
def test_a_changed_field_is_called_breaking(contract: Path, old: str, new: str, complaint: str) -> None:
    replace(contract / "croupier/v1/betting_service.proto", old, new)
    result = buf("breaking", contract, "--against", BASELINE)
    assert result.returncode != 0
    assert complaint in result.stdout


def test_an_element_without_a_comment_is_not_clean(contract: Path) -> None:
    replace(contract / "croupier/v1/betting_service.proto", "  // What was done.\n", "")
    result = buf("lint", contract)
    assert result.returncode != 0
    assert 'Field "result" should have a non-empty comment' in result.stdout


def test_an_added_field_is_not_called_breaking(contract: Path) -> None:
    amount = "int64 amount = 7;"
    replace(contract / "croupier/v1/betting_service.proto", amount, f"{amount} bool new = 99;")
    result = buf("breaking", contract, "--against", BASELINE)
    assert result.returncode == 0, result.stdout


def test_the_generated_code_is_that_of_the_contract(tmp_path: Path) -> None:
    result = python(PROTO / "generate.py", tmp_path)
    assert result.returncode == 0, result.stderr
    assert sources(GENERATED) == sources(tmp_path / "croupier" / "v1"), "stale: run `make proto`"
