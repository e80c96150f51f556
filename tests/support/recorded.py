"""Where recorded hands for tests are, and how tests read them."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.support.require import require

from croupier.adapters.recorded import files
from croupier.adapters.recorded.hand import Malformed, RecordedHand
from croupier.adapters.recorded.setting import VARIANTS

ROOT: Final = Path(__file__).parents[2]
OWN: Final = ROOT / "tests" / "vectors"
GIVEN: Final = Path(os.environ.get("CROUPIER_VECTORS") or ROOT.parent / "shared" / "vectors")
CASES: Final = GIVEN.parent / "cases" / "bugs.jsonl"
PLAYED: Final = tuple(VARIANTS)

GIVEN_NAMES: Final = (
    "acpc.jsonl.gz",
    "fpdb.jsonl.gz",
    "fpdb_biggame.jsonl.gz",
    "hhsmithy.jsonl.gz",
    "misc_mit.jsonl.gz",
    "phh_live.jsonl.gz",
    "phh_pluribus.jsonl.gz",
    "tricky.jsonl",
)


def given(name: str) -> Path:
    """A file of the given vectors; a test that needs one which is absent is skipped by name, or fails."""
    path = GIVEN / name
    if not path.exists():
        require("vectors", f"recorded hands are absent: {name} (CROUPIER_VECTORS names their folder)")
    return path


def own() -> list[Path]:
    """The project's own recorded hands, a file a structure."""
    return sorted(OWN.glob("*.jsonl"))


def hands(path: Path) -> list[RecordedHand]:
    """Every hand of a file, as the reader reads it."""
    with path.open("rb") as stream:
        read = list(files.read(path, stream))
    malformed = [hand for hand in read if isinstance(hand, Malformed)]
    if malformed:
        raise AssertionError(f"{path.name}: {malformed[0]}")
    return [hand for hand in read if isinstance(hand, RecordedHand)]


def raw_hands(path: Path) -> Iterator[dict[str, Any]]:
    """Every hand of a file that is played here, as its line says it."""
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
        for line in stream:
            raw = json.loads(line)
            if raw["variant"] in PLAYED:
                yield raw
