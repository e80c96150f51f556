"""What a run counts. Shared by all its bots, which run on one event loop; decides nothing."""

from __future__ import annotations

import asyncio
from collections import Counter
from time import monotonic, monotonic_ns
from typing import Final

from croupier.client.errors import CroupierError
from croupier.client.load.absence import Absence
from croupier.client.load.timing import Timing
from croupier.client.retry import away

MOST_WRONG: Final = 100
SAMPLE: Final = 64
_RENEWAL_SECONDS: Final = 5.0
"""How long an expired credential may go on being refused before it counts as one that nobody renews."""


class TooManyWrong(Exception):
    """Raised when there have been so many wrong answers that more would tell nothing."""


class Sizes:
    """The mean size of messages in bytes, from one in so many."""

    def __init__(self) -> None:
        self.count = 0
        self.bytes = 0

    @property
    def mean(self) -> float:
        return self.bytes / self.count if self.count else 0.0

    def add(self, size: int) -> None:
        self.count += 1
        self.bytes += size


class Tally:
    """`late` are actions after their time was over, `repeated` tries that were not answered and were made again, for
    `away` of which there was no server. `unanswered` are calls that were given up then, by what came instead of an
    answer; `unchecked` says what could not be read back. Once `denied`, for the reason in `denial`, the credential is
    refused, and nothing more can be found out.
    """

    def __init__(self, patience: float = 0.0) -> None:
        self.timing: Final = Timing()
        self.absence: Final = Absence(patience)
        self.acts = 0
        self.hands = 0
        self.probes = 0
        self.probes_failed = 0
        self.late = 0
        self.other_calls = 0
        self.messages = 0
        self.events = 0
        self.cut_off = 0
        self.repeated = 0
        self.away = 0
        self.unanswered: Final[Counter[str]] = Counter()
        self.unchecked: Final[list[str]] = []
        self.wrong: Final[list[str]] = []
        self.denied: Final = asyncio.Event()
        self.denial = ""
        self._expired = (0.0, 0.0)
        self.request_sizes: Final = Sizes()
        self.response_sizes: Final = Sizes()
        self.message_sizes: Final = Sizes()

    def again(self, error: CroupierError) -> None:
        """A try was not answered, and is repeated."""
        self.repeated += 1
        if away(error):
            self.away += 1
            self.absence.failed(monotonic_ns())
        if error.reason == "CREDENTIALS_EXPIRED":
            first, last = self._expired
            now = monotonic()
            first = first if now - last < _RENEWAL_SECONDS else now
            self._expired = first, now
            if now - first > _RENEWAL_SECONDS:
                self.deny("a call", error)

    def give_up(self, error: CroupierError) -> None:
        """A call was not answered, since there is no server, and is not repeated."""
        self.unanswered[error.reason or error.code.name] += 1

    def deny(self, where: str, error: CroupierError) -> None:
        """The credential is refused: no fault of the server's, and the end of what can be checked."""
        if not self.denied.is_set():
            self.denial = error.reason
            self.unchecked.append(f"{where}: {error}")
        self.denied.set()

    def complain(self, where: str, what: str) -> None:
        """Takes down a wrong answer."""
        self.wrong.append(f"{where}: {what}")
        if len(self.wrong) >= MOST_WRONG:
            raise TooManyWrong(f"{MOST_WRONG} wrong answers")
