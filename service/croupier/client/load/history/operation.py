"""One request of a client's with what came of it, as a line of the log. Compares nothing."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec


class Outcome(StrEnum):
    """What came of a request; UNKNOWN is no answer: it may have been done or not."""

    ANSWERED = "answered"
    REFUSED = "refused"
    UNKNOWN = "unknown"


class Standing(msgspec.Struct, frozen=True, gc=False):
    """A decision that an answer told of: the `number`th of its hand is the player's."""

    hand_id: str
    number: int
    player_id: str


class SeatSeen(msgspec.Struct, frozen=True, gc=False):
    """A seat as a read told it."""

    seat_number: int
    player_id: str
    stack: int


class Try(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """When a try failed, by the clock of its operation, and what with."""

    failed: int
    reason: str


class Operation(msgspec.Struct, omit_defaults=True):
    """`sent` and `ended` are nanoseconds of one monotonic clock; `ended` is 0 where nothing came. `sequence` and what
    follows it is from the answer, what stands before from the request. `number` is the decision's within its hand.
    `tries` are those that were repeated.
    """

    method: str
    sent: int
    table_id: str = ""
    player_id: str = ""
    request_id: str = ""
    hand_id: str = ""
    number: int = 0
    action: int = 0
    amount: int = 0
    seat_number: int = 0
    cards: tuple[str, ...] = ()
    outcome: Outcome = Outcome.UNKNOWN
    ended: int = 0
    reason: str = ""
    sequence: int = 0
    done: int = 0
    paid: int = 0
    street_bet: int = 0
    all_in: bool = False
    state: int = 0
    standing: Standing | None = None
    seats: tuple[SeatSeen, ...] | None = None
    tries: tuple[Try, ...] = ()

    @property
    def answered(self) -> bool:
        return self.outcome is Outcome.ANSWERED


READS: Final = frozenset({"GetTable", "GetLegalActions"})
"""Methods that change nothing and tell the sequence that they hold at."""
