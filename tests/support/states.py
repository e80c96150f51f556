"""The whole state of a hand as plain values, for comparing before and after."""

from __future__ import annotations

from typing import Any, Final

from croupier.engine.hand import Hand

SEALED: Final = frozenset({"deal_order", "hole_cards", "stub"})
"""What a hand knows that its events do not tell until cards are shown."""

_DERIVED: Final = frozenset({"legal"})


def state(hand: Hand, *, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Every field by name, lists and dicts copied; what is worked out on demand aside."""
    fields = {name: getattr(hand, name) for name in Hand.__slots__ if name not in without | _DERIVED}
    return {name: value.copy() if isinstance(value, list | dict) else value for name, value in fields.items()}
