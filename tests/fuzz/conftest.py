"""Whatever is put in, memory stays bounded."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from typing import Final

import pytest

MOST_MORE_KIB: Final = 300 * 1024
"""By so much may a test, Hypothesis included, need more memory than anything before it."""


@pytest.fixture(autouse=True)
def bounded_memory() -> Iterator[None]:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < MOST_MORE_KIB, f"{(after - before) // 1024} MiB more"
