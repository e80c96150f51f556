"""How often a run asks again where no server answers: for its actions what the plan says, for all else enough."""

from __future__ import annotations

import math
from typing import Final

from croupier.client.load.plan import Plan
from croupier.client.retry import Retry

FIRST: Final = Retry(attempts=4, timeout=30.0)
"""Of the calls that tell whether there is a server."""
UPKEEP: Final = Retry(attempts=24)
"""Of all else, unless the plan says otherwise: half a minute, in which a server that was killed is started again."""
_TRY_SECONDS: Final = 2.0
_LONGEST_PAUSE_SECONDS: Final = 0.25


def planned(plan: Plan) -> Retry | None:
    """Short tries, so that one left unanswered is soon made to another server; None where none is asked for."""
    if not plan.patience:
        return None
    attempts = 1 + math.ceil(plan.patience / _LONGEST_PAUSE_SECONDS)
    return Retry(attempts, _TRY_SECONDS, longest_pause=_LONGEST_PAUSE_SECONDS)
