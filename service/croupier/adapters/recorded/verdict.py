"""What came of replaying one hand, and why."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Outcome(Enum):
    """How a replayed hand came out against its record.

    UP_TO_SHOWDOWN: the same as far as the cards are known; SITES_OWN_WAY: but for what sites do each in
    their own way.
    """

    SAME = "same"
    UP_TO_SHOWDOWN = "to showdown"
    SITES_OWN_WAY = "site's way"
    SKIPPED = "skipped"
    DIFFERENT = "different"


class Verdict(NamedTuple):
    """`reasons` say what differs, what the site's way is, or why the hand was skipped; none for the same."""

    outcome: Outcome
    reasons: tuple[str, ...] = ()


SAME = Verdict(Outcome.SAME)
