"""A refusal as data: why a command was not carried out, with the facts that would make it right."""

from __future__ import annotations

from typing import Final


class Rejected:
    """What `decide` returns for a command that the rules do not allow; the state is untouched.

    `reason` is a name from the contract's ErrorReason without its prefix; `facts` are the numbers and
    names the caller needs to do better (such as `min_raise_to`).
    """

    __slots__ = ("facts", "reason")

    def __init__(self, reason: str, **facts: int | str) -> None:
        self.reason: Final = reason
        self.facts: Final = facts

    def __repr__(self) -> str:
        return f"Rejected({self.reason}, {self.facts})"


class InvariantViolation(Exception):
    """Raised when the state contradicts itself: a bug; the table must halt where its journal stands."""
