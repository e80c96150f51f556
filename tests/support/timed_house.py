"""A house file as a bundled one, with decisions that take as long as a test needs."""

from __future__ import annotations

import re
from pathlib import Path

from tests.tidy.sources import ROOT


def write_timed_house(directory: Path, house_id: str, decision_s: int) -> None:
    """Into a directory of its own, for --house-dir."""
    directory.mkdir()
    house = (ROOT / "service/croupier/houses/puzzle_pirates.toml").read_text()
    for name, value in (
        ("house_id", f'"{house_id}"'),
        ("action_times_s", f"[{decision_s}]"),
        ("default_action_time_s", f"{decision_s}"),
    ):
        house, count = re.subn(f"^{name} = .*", f"{name} = {value}", house, flags=re.M)
        assert count == 1, name
    (directory / f"{house_id}.toml").write_text(house)
