"""What the HTTP server logs, seldom: whoever reaches the port could have a line written for each thing sent."""

from __future__ import annotations

import logging
from typing import Final

import structlog

from croupier.adapters.logs import without_cards
from croupier.adapters.seldom import Seldom

_NAME: Final = "uvicorn.error"


class _Handler(logging.Handler):
    """Passes lines on seldom: kinds are the message, and the type of what was raised."""

    def __init__(self) -> None:
        super().__init__()
        self._log = structlog.get_logger()
        self._seldom = Seldom()

    def emit(self, record: logging.LogRecord) -> None:
        failure = record.exc_info[1] if record.exc_info else None
        left_out = self._seldom.left_out((record.msg, type(failure).__name__))
        if left_out is None:
            return
        self._log.log(
            min(record.levelno, logging.ERROR),
            "library_logged",
            library=record.name,
            message=without_cards(record.getMessage()),
            exc_info=failure,
            left_out=left_out,
        )


def seldom() -> logging.Logger:
    """A logger of a server's own, for its connections to log by."""
    log = logging.Logger(_NAME, logging.WARNING)
    log.addHandler(_Handler())
    return log
