"""How labels are worded and kept few."""

from __future__ import annotations

from typing import Final

_ACTIONS: Final = {
    "Folded": "fold",
    "Checked": "check",
    "Called": "call",
    "BetMade": "bet",
    "Raised": "raise",
    "CardsDrawn": "draw",
}
ACTION_EVENTS: Final = tuple(_ACTIONS)
"""The events that tell of an action."""
_TIERS: Final = ((10, "micro"), (100, "low"), (1_000, "mid"))
"""The minimum bet that ends each tier, in chips of the table's own currency."""


def action_name(event: str) -> str:
    """The action that an event tells of, in the contract's word."""
    return _ACTIONS[event]


def stake_tier(min_bet: int) -> str:
    """One of four: micro below 10 chips of minimum bet, low below 100, mid below 1,000, then high."""
    for end, tier in _TIERS:
        if min_bet < end:
            return tier
    return "high"
