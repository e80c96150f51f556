"""For how long a run has had no answer to anything, and how long it waits: once for all its calls, not for each."""

from __future__ import annotations

from time import monotonic_ns
from typing import Final

from croupier.client.errors import CroupierError
from croupier.client.retry import away

_HALF_A_MINUTE: Final = 30.0


class Absence:
    """Begins with the first call that no server answers, and ends with the next answer. `limit` is in seconds, half a
    minute where no patience is asked for; `ended`, when there last was an end, in nanoseconds of the monotonic clock.
    """

    def __init__(self, patience: float = 0.0) -> None:
        self.limit: Final = patience or _HALF_A_MINUTE
        self.ended = 0
        self._answered = 0
        self._since = 0

    @property
    def seconds(self) -> float:
        """How long it has lasted, 0 where there is none."""
        return (monotonic_ns() - self._since) / 1e9 if self._since else 0.0

    @property
    def over(self) -> bool:
        """Whether no server is waited for any more."""
        return self.seconds > self.limit

    def answered(self, moment: int) -> None:
        """A server has answered."""
        self._answered = moment
        if self._since:
            self._since, self.ended = 0, moment

    def failed(self, sent: int) -> None:
        """What was sent then was not answered."""
        if not self._since and sent > self._answered:
            self._since = sent

    def wait(self, error: CroupierError) -> None:
        """A try was not answered, and is to be repeated; raises the error where that is no longer done."""
        if away(error):
            self.failed(monotonic_ns())
            if self.over:
                raise error
