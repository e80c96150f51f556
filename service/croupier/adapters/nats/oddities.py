"""What comes over the bus and should not: counted, and told in the log seldom, however much of it there is.

Nothing that such a message holds gets into the log.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog

from croupier.adapters.seldom import Seldom
from croupier.room.failures import StoreAway
from croupier.room.subjects import ANSWER, kind_of

_log = structlog.get_logger()


class Oddities:
    """`on_unreadable` is told the kind of subject of each message that is none of this version's."""

    def __init__(self, on_unreadable: Callable[[str], None]) -> None:
        self._on_unreadable: Final = on_unreadable
        self._seldom: Final = Seldom()

    def unreadable(self, subject: str, size: int, why: str) -> None:
        """A message of so many bytes makes no sense here; `why` is ours, and holds nothing of it."""
        kind = kind_of(subject)
        self._on_unreadable(kind)
        self._tell("bus_message_unreadable", kind, subject=subject, size=size, why=why)

    def misread(self, subject: str, size: int, why: str) -> None:
        """As `unreadable`, of what was answered to what was asked under the subject."""
        self._on_unreadable(ANSWER)
        self._tell("bus_answer_unreadable", kind_of(subject), subject=subject, size=size, why=why)

    def failed(self, event: str, subject: str, failure: Exception) -> None:
        """What was to be done about a message went wrong."""
        told = {"why": str(failure)} if isinstance(failure, StoreAway) else {"exc_info": failure}
        self._tell(event, kind_of(subject), subject=subject, **told)

    def went_wrong(self, event: str, **facts: object) -> None:
        """The connection has something to complain about."""
        self._tell(event, "", **facts)

    def _tell(self, event: str, kind: str, **facts: object) -> None:
        left_out = self._seldom.left_out((event, kind))
        if left_out is not None:
            _log.error(event, **facts, left_out=left_out)
