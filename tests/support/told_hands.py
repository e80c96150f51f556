"""Recorded hands as tests tell them, line by line, and what a replay says of them."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.adapters.games import GAMES
from croupier.adapters.recorded.hand import RecordedHand
from croupier.adapters.recorded.replay import replay
from croupier.adapters.recorded.verdict import Verdict

Raw = dict[str, Any]


def verdict(raw: Raw) -> Verdict:
    """What comes of replaying the hand."""
    return replay(msgspec.convert(raw, RecordedHand, strict=False), GAMES)


def action(street: str, seat: int, type_: str, amount: int = 0, to: int = 0, **more: Any) -> Raw:
    """One action as a record has it."""
    chips = {"amount": amount, "to": to} if amount else {}
    return {"street": street, "seat": seat, "type": type_, **chips, **more}


def cards(text: str) -> list[str]:
    """Card by card."""
    return [text[at : at + 2] for at in range(0, len(text), 2)]
