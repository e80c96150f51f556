"""What an audit found wrong, each with the place it was found at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import msgspec

MOST_KEPT: Final = 1000
"""Findings that are kept; those behind them are counted."""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One defect. `record` is a journal_sequence of the table, `sequence` the public one; 0 where there is none."""

    check: str
    what: str
    table_id: str = ""
    record: int = 0
    sequence: int = 0
    hand_number: int = 0
    account: str = ""
    entry_set_id: str = ""
    entry_id: int = 0
    request: str = ""

    def place(self) -> str:
        """Where it is, in words."""
        parts = (
            ("table", self.table_id),
            ("record", self.record),
            ("sequence", self.sequence),
            ("hand", self.hand_number),
            ("entry set", self.entry_set_id),
            ("entry", self.entry_id),
            ("account", self.account),
            ("request", self.request),
        )
        return ", ".join(f"{name} {value}" for name, value in parts if value)


class Findings:
    """Collects; `told` is called with each that is kept."""

    def __init__(self, told: Callable[[Finding], None] | None = None) -> None:
        self.kept: list[Finding] = []
        self.count = 0
        self.checks: Counter[str] = Counter()
        """How many there are of each check, those included that are not kept."""
        self._told = told

    def add(self, check: str, what: str, **place: Any) -> None:
        self.count += 1
        self.checks[check] += 1
        if len(self.kept) < MOST_KEPT:
            finding = Finding(check, what, **place)
            self.kept.append(finding)
            if self._told is not None:
                self._told(finding)
