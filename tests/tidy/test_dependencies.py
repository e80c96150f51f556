"""What is installed is locked with hashes, told in the bill of materials, and looked up for advisories."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from runpy import run_path
from typing import Final, NamedTuple

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[2]
DEV: Final = "deploy/dev.lock"
RUNTIME: Final = "deploy/requirements.lock"
BUILD: Final = "deploy/build.lock"
_ENTRY: Final = re.compile(
    r"^([\w.-]+)==(\S+)(?: ; ([^\\\n]+?))? \\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.M
)


class Locked(NamedTuple):
    version: str
    marker: str
    hashes: frozenset[str]


def lock(name: str) -> dict[str, Locked]:
    """Packages by name; every line of the file that is no comment must be of one."""
    text = (ROOT / name).read_text()
    left = _ENTRY.sub("", text)
    assert all(line.startswith("#") for line in left.splitlines()), left
    return {
        canonicalize_name(found[1]): Locked(
            found[2], found[3] or "", frozenset(re.findall("[0-9a-f]{64}", found[4]))
        )
        for found in _ENTRY.finditer(text)
    }


def asked_for(*extras: str) -> list[Requirement]:
    """What pyproject.toml asks for, with the extras, and what builds the package."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = told["project"]
    lines = [
        *project["dependencies"],
        *(one for extra in extras for one in project["optional-dependencies"][extra]),
    ]
    return [one for one in map(Requirement, lines) if one.name != project["name"]]


@pytest.mark.parametrize("name", [DEV, RUNTIME, BUILD])
def test_a_lock_names_no_index(name: str) -> None:
    assert "://" not in (ROOT / name).read_text()


def test_everything_asked_for_is_locked_at_a_version_that_fits() -> None:
    every = tomllib.loads((ROOT / "pyproject.toml").read_text())
    for name, asked in (
        (DEV, asked_for(*every["project"]["optional-dependencies"])),
        (DEV, list(map(Requirement, every["build-system"]["requires"]))),
        (BUILD, list(map(Requirement, every["build-system"]["requires"]))),
        (RUNTIME, asked_for("postgres", "nats", "otel")),
    ):
        locked = lock(name)
        for one in asked:
            assert one.specifier.contains(locked[canonicalize_name(one.name)].version), (name, str(one))


def test_what_runs_is_what_was_tested() -> None:
    dev, runtime, build = lock(DEV), lock(RUNTIME), lock(BUILD)
    assert len(runtime) > 20
    assert runtime.items() <= dev.items()
    assert build.items() <= dev.items()


def test_what_is_installed_here_is_what_is_locked() -> None:
    wrong = {}
    for name, locked in lock(DEV).items():
        if locked.marker and not Marker(locked.marker).evaluate():
            continue
        try:
            found = version(name)
        except PackageNotFoundError:
            found = "none"
        if found != locked.version:
            wrong[name] = (locked.version, found)
    assert not wrong, "make setup"


def test_the_bill_of_materials_names_every_locked_package_and_is_the_same_each_time(tmp_path: Path) -> None:
    made = []
    for name in ("one.json", "two.json"):
        command = ["make", "--silent", "--assume-old=.venv/installed", "sbom", f"BILL={tmp_path / name}"]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
    bill = json.loads(made[0])
    assert bill["bomFormat"] == "CycloneDX"
    assert bill["metadata"]["component"]["name"] == "croupier"
    told = {
        canonicalize_name(one["name"]): (
            one["version"],
            frozenset(each["content"] for place in one["externalReferences"] for each in place["hashes"]),
        )
        for one in bill["components"]
    }
    assert told == {name: (one.version, one.hashes) for name, one in lock(RUNTIME).items()}


KNOWN = {"name": "known", "version": "1.0", "vulns": []}
UNKNOWN = {"name": "unknown", "skip_reason": "Dependency not found"}
BAD = {"name": "bad", "version": "2.0", "vulns": [{"id": "CVE-1", "fix_versions": ["2.1"]}]}


@pytest.mark.parametrize(
    ("output", "errors", "fine", "said"),
    [
        ({"dependencies": [KNOWN]}, "", True, "1 packages looked up, 0 advisories"),
        ({"dependencies": [KNOWN, UNKNOWN]}, "", True, "SKIPPED 1 that are not known there: unknown"),
        ({"dependencies": [UNKNOWN]}, "", True, "SKIPPED, this index has no advisories"),
        ({"dependencies": [KNOWN, BAD, UNKNOWN]}, "", False, "bad 2.0: CVE-1, fixed in 2.1"),
        (None, "requests.exceptions.ConnectionError: no way there", True, "SKIPPED, nobody answers"),
        (None, "ERROR: deploy/dev.lock:3: not a requirement", False, "pip-audit failed"),
    ],
)
def test_advisories_fail_and_silence_is_told(output: object, errors: str, fine: bool, said: str) -> None:
    judge = run_path(str(ROOT / "deploy" / "audit.py"))["judge"]
    judged, lines = judge("" if output is None else json.dumps(output), errors)
    assert judged is fine
    assert any(said in line for line in lines), lines
