"""Numbers that all parts count by: nanoseconds, and what 64 bits hold."""

from __future__ import annotations

from typing import Final

NS_PER_MS: Final = 1_000_000
NS_PER_S: Final = 1_000_000_000
INT64_MAX: Final = 2**63 - 1
