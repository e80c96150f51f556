"""What a test needs from outside the project: missing, the test is skipped, or fails when it is required."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def require(name: str, reason: str) -> NoReturn:
    """Give the test up because `name` is missing: a failure where CROUPIER_REQUIRE lists it, else a skip.

    CROUPIER_REQUIRE is a list with commas ("vectors,postgres"). A module may call this as it is imported.
    """
    if name in os.environ.get("CROUPIER_REQUIRE", "").replace(" ", "").split(","):
        pytest.fail(f"{name} is required here: {reason}", pytrace=False)
    pytest.skip(f"{name}: {reason}", allow_module_level=True)
