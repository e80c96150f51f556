"""Counts what came of the hands of one file; a hand that is skipped or apart is named by its reason."""

from __future__ import annotations

from collections import Counter, defaultdict

from croupier.adapters.recorded.verdict import Outcome, Verdict


class Tally:
    """Verdicts of one file, counted."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.outcomes: Counter[Outcome] = Counter()
        self.reasons: defaultdict[tuple[Outcome, str], list[str]] = defaultdict(list)
        """The hands that were skipped or are apart, by reason."""

    def add(self, name: str, verdict: Verdict) -> None:
        """Count one hand."""
        self.outcomes[verdict.outcome] += 1
        if verdict.outcome in (Outcome.SKIPPED, Outcome.SITES_OWN_WAY):
            for reason in verdict.reasons:
                self.reasons[verdict.outcome, reason].append(name)

    @property
    def hands(self) -> int:
        """How many hands were counted."""
        return self.outcomes.total()
