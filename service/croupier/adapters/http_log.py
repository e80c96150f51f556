"""What the HTTP server logs, seldom: whoever reaches the port could have a line written for each thing sent."""

from __future__ import annotations

import logging
from time import monotonic
from typing import Final

import structlog

from croupier.adapters.logs import without_cards

EVERY_S: Final = 60.0
"""A line of a kind is written once in so long at most; the next one tells how many were left out."""
_NAME: Final = "uvicorn.error"


class _Seldom(logging.Handler):
    """Passes on a line of each kind once in EVERY_S: kinds are the message, and the type of what was raised."""

    def __init__(self) -> None:
        super().__init__()
        self._log = structlog.get_logger()
        self._written: dict[tuple[str, str], float] = {}
        self._left_out: dict[tuple[str, str], int] = {}

    def emit(self, record: logging.LogRecord) -> None:
        failure = record.exc_info[1] if record.exc_info else None
        kind = record.msg, type(failure).__name__
        now = monotonic()
        if now - self._written.get(kind, -EVERY_S) < EVERY_S:
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return
        self._written[kind] = now
        self._log.log(
            min(record.levelno, logging.ERROR),
            "library_logged",
            library=record.name,
            message=without_cards(record.getMessage()),
            exc_info=failure,
            left_out=self._left_out.pop(kind, 0),
        )


def seldom() -> logging.Logger:
    """A logger of a server's own, for its connections to log by."""
    log = logging.Logger(_NAME, logging.WARNING)
    log.addHandler(_Seldom())
    return log
