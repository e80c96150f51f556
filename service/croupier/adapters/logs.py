"""How the service logs: one JSON object a line on standard error, or lines for people on a terminal.

Callers log past-tense snake_case events and bind request_id, table_id and hand_id themselves. No card gets
into a line: a value is a number or a text, anything else is named by its type alone, tracebacks show no
variables, and what an exception says is rid of cards.
"""

from __future__ import annotations

import contextlib
import json
import logging
import re
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any, BinaryIO, Final, cast

import orjson
import structlog

_CARDS: Final = re.compile(r"\b(?:[2-9TJQKA][cdhs])+\b|\bb'[^']*'|\bb\"[^\"]*\"")
_PLAIN: Final = frozenset((str, int, float, bool, type(None)))
_LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}

EventDict = MutableMapping[str, Any]


get_logger: Final = structlog.get_logger


def configure(level: str, stream: BinaryIO | None = None, *, terminal: bool | None = None) -> None:
    """Set logging up for the process; what libraries log comes along from `warning` on."""
    stream = stream or sys.stderr.buffer
    if terminal is None:
        terminal = stream.isatty()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            tell_exception,
            only_plain,
            _for_people() if terminal else _json,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=structlog.BytesLoggerFactory(cast(BinaryIO, _Unfailing(stream))),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    root.handlers[:] = [_Libraries()]
    root.setLevel(max(_LEVELS[level], logging.WARNING))


class _Unfailing:
    """A stream whose lines are lost where they cannot be written: a full disk does not end the service by its log."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, line: bytes) -> None:
        with contextlib.suppress(OSError):
            self._stream.write(line)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._stream.flush()


def without_cards(text: str) -> str:
    """The text with every run of cards ("AsKd") and every bytes literal blotted out."""
    return _CARDS.sub("[cards]", text)


def tell_exception(_: Any, __: str, event: EventDict) -> EventDict:
    """Replace `exc_info` by `exception`, the traceback as text."""
    given = event.pop("exc_info", None)
    failure = given if isinstance(given, BaseException) else sys.exc_info()[1] if given else None
    if failure is not None:
        event["exception"] = without_cards("".join(traceback.format_exception(failure)))
    return event


def only_plain(_: Any, __: str, event: EventDict) -> EventDict:
    """Name by its type whatever is neither a number nor a text nor a mapping to such."""
    for key, value in event.items():
        if type(value) not in _PLAIN:
            event[key] = _plain(value)
    return event


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): one if type(one) in _PLAIN else _type_of(one) for key, one in value.items()}
    if isinstance(value, BaseException):
        return without_cards(f"{type(value).__name__}: {value}")
    return _type_of(value)


def _type_of(value: Any) -> str:
    return f"<{type(value).__name__}>"


def _json(_: Any, __: str, event: EventDict) -> bytes:
    try:
        return orjson.dumps(event)
    except orjson.JSONEncodeError:  # a lone surrogate, a number beyond 64 bits
        return json.dumps(event).encode("ascii")


def _for_people() -> structlog.typing.Processor:
    render = structlog.dev.ConsoleRenderer(
        timestamp_key="time", exception_formatter=structlog.dev.plain_traceback
    )

    def encoded(logger: Any, method: str, event: EventDict) -> bytes:
        return render(logger, method, event).encode("utf-8", "backslashreplace")

    return encoded


class _Libraries(logging.Handler):
    """Passes on what libraries log by way of the standard library."""

    def __init__(self) -> None:
        super().__init__()
        self._log = structlog.get_logger()

    def emit(self, record: logging.LogRecord) -> None:
        failure = record.exc_info[1] if record.exc_info else None
        self._log.log(
            max(10, min(record.levelno, 40)) // 10 * 10,
            "library_logged",
            library=record.name,
            message=without_cards(record.getMessage()),
            exc_info=failure,
        )
