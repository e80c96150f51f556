"""What the console ships of others' is unchanged, told of with its version, and comes with its licence."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Final

from tests.tidy.sources import PACKAGE

FOLDER: Final = PACKAGE / "adapters" / "console" / "static" / "vendor"


def test_every_file_of_others_is_told_of_and_unchanged() -> None:
    told = json.loads((FOLDER / "vendor.json").read_text())["components"]
    files = {path.name for path in FOLDER.iterdir()} - {"vendor.json"}
    assert {one["file"] for one in told} == {name for name in files if not name.startswith("LICENSE.")}
    for one in told:
        assert sha256((FOLDER / one["file"]).read_bytes()).hexdigest() == one["sha256"], one["file"]
        first = (FOLDER / f"LICENSE.{one['name']}").read_text().split()
        assert (
            first[0] == one["license"].partition("-")[0] or f"({one['license']})" in first or "MIT" in first
        )
