"""`import croupier.handrank` costs next to nothing, so that others may use it as a library."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import median

import pytest

from croupier import handrank

MOST_MS = 20.0
MOST_MODULES = 20
RUNS = 9
NEW_MODULES = "import sys; old = set(sys.modules); import croupier.handrank; print(*set(sys.modules) - old)"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """In which modules are compiled once, as where they are installed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(tmp_path)}


def processor_ms(program: str, environment: Mapping[str, str]) -> float:
    """What a process of its own takes for it, whatever else the machine does."""
    child = os.posix_spawn(sys.executable, [sys.executable, "-c", program], environment)
    _, status, used = os.wait4(child, 0)
    assert status == 0
    return 1000 * (used.ru_utime + used.ru_stime)


def test_the_import_takes_little_time(environment: dict[str, str]) -> None:
    processor_ms("import croupier.handrank", environment)
    nothing, imported = (
        median(processor_ms(program, environment) for _ in range(RUNS))
        for program in ("pass", "import croupier.handrank")
    )
    assert imported - nothing < MOST_MS


def test_the_import_brings_few_modules_and_none_that_are_slow(environment: dict[str, str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", NEW_MODULES], env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    modules = set(ran.stdout.split())
    assert "croupier.handrank.native" in modules
    assert len(modules) <= MOST_MODULES
    assert not modules & {
        "asyncio",
        "collections",
        "dataclasses",
        "enum",
        "functools",
        "numpy",
        "re",
        "typing",
    }


def test_what_comes_later_is_there_when_asked_for() -> None:
    assert all(getattr(handrank, name) is not None for name in handrank.__all__)
    assert handrank.hand_class(handrank.STRONGEST) is handrank.HandClass.ROYAL_FLUSH
    with pytest.raises(AttributeError, match="no attribute 'rank_everything'"):
        handrank.rank_everything  # type: ignore[attr-defined]  # noqa: B018
