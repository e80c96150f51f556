"""Counts what came of the hands of one file; a hand that is skipped or apart is counted by its reason."""

from __future__ import annotations

from collections import Counter

from croupier.adapters.recorded.verdict import Outcome, Verdict


class Tally:
    """Verdicts of one file, counted."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.outcomes: Counter[Outcome] = Counter()
        self.reasons: Counter[tuple[Outcome, str]] = Counter()

    def add(self, verdict: Verdict) -> None:
        """Count one hand."""
        self.outcomes[verdict.outcome] += 1
        if verdict.outcome in (Outcome.SKIPPED, Outcome.SITES_OWN_WAY):
            self.reasons.update((verdict.outcome, reason) for reason in verdict.reasons)

    @property
    def hands(self) -> int:
        """How many hands were counted."""
        return self.outcomes.total()
