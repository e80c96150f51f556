"""One JetStream stream: made where it is missing, and told messages that it has kept once it says so."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import structlog

from croupier.adapters.nats.bus import NatsBus
from croupier.room.cluster_ports import AnswerFailed, BusAway, NobodyThere, TooLong
from croupier.room.outbox_ports import FeedAway

ACK_S: Final = 5.0
"""How long JetStream may take to keep a message."""
MAX_AGE_S: Final = 30 * 86400
DUPLICATE_WINDOW_S: Final = 600
"""How long JetStream remembers a message's name: longer than a takeover and most outages take."""
_NS: Final = 1_000_000_000
_UNKNOWN: Final = 10059
"""JetStream's error code for a stream that is not there."""
_KNOWN: Final = 10058
"""That of a stream which another server has just made otherwise."""

_log = structlog.get_logger()


class _Error(msgspec.Struct):
    code: int = 0
    err_code: int = 0
    description: str = ""


class _Config(msgspec.Struct):
    subjects: list[str] = []


class _Answer(msgspec.Struct):
    """What of JetStream's answers matters."""

    error: _Error | None = None
    stream: str = ""
    config: _Config | None = None


_decode: Final = msgspec.json.Decoder(_Answer).decode


class Stream:
    """A stream by its name, for messages under `subjects`."""

    def __init__(self, bus: NatsBus, name: str, subjects: str) -> None:
        self._bus = bus
        self._name = name
        self._subjects = subjects

    async def prepare(self, *, begun: bool) -> None:
        """See that it is there. Raises FeedAway.

        One that is there stays as its operator has it: how many copies, how much, how long. One that is missing is
        made, unless it was `begun`: made anew it would go on in the middle, and what it had held could come only after.
        """
        answer = await self._ask("INFO", {})
        if answer.error is None:
            self._must_take_ours(answer)
        elif answer.error.err_code != _UNKNOWN:
            raise _refused(answer.error)
        elif begun:
            raise FeedAway(
                f"the stream {self._name} is gone: croupier audit --rebuild-feed {self._name} has it made and told anew"
            )
        else:
            await self._make()

    async def _make(self) -> None:
        answer = await self._ask("CREATE", self._wanted())
        if answer.error is None:
            _log.info("feed_stream_made", stream=self._name, subjects=self._subjects)
        elif answer.error.err_code != _KNOWN:
            raise _refused(answer.error)

    async def put(self, subject: str, message_id: str, data: bytes) -> None:
        """Return once it is kept; a message whose name it remembers is not kept twice. Raises FeedAway."""
        headers = {"Nats-Msg-Id": message_id, "Nats-Expected-Stream": self._name}
        answer = await self._request(subject, data, headers)
        if answer.error is not None:
            raise _refused(answer.error)
        if not answer.stream:
            raise FeedAway(f"whoever answers under {subject} is no JetStream")

    def _wanted(self) -> dict[str, Any]:
        return {
            "name": self._name,
            "subjects": [self._subjects],
            "retention": "limits",
            "storage": "file",
            "discard": "old",
            "max_age": MAX_AGE_S * _NS,
            "duplicate_window": DUPLICATE_WINDOW_S * _NS,
            "num_replicas": 1,
        }

    def _must_take_ours(self, answer: _Answer) -> None:
        subjects = answer.config.subjects if answer.config is not None else []
        if not any(_covers(pattern, self._subjects) for pattern in subjects):
            raise FeedAway(
                f"the stream {self._name} does not take {self._subjects}: add that to its subjects, or name another"
            )

    async def _ask(self, verb: str, content: dict[str, Any]) -> _Answer:
        data = msgspec.json.encode(content) if content else b""
        return await self._request(f"$JS.API.STREAM.{verb}.{self._name}", data, None)

    async def _request(self, subject: str, data: bytes, headers: dict[str, str] | None) -> _Answer:
        try:
            return _decode(await self._bus.request(subject, data, ACK_S, headers))
        except BusAway as away:
            raise FeedAway("the bus is away") from away
        except NobodyThere as nobody:
            raise FeedAway(f"no JetStream takes {subject}") from nobody
        except TimeoutError as late:
            raise FeedAway(f"JetStream does not answer: {subject}") from late
        except (AnswerFailed, TooLong, msgspec.DecodeError) as failure:
            raise FeedAway(f"{subject}: {failure}") from failure


def _refused(error: _Error) -> FeedAway:
    return FeedAway(f"JetStream refuses: {error.description} ({error.err_code})")


def _covers(pattern: str, subjects: str) -> bool:
    """Whether a stream's subject takes in all that end in `.>`."""
    parts, wanted = pattern.split("."), subjects.split(".")
    for number, part in enumerate(parts):
        if part == ">":
            return number < len(wanted)
        if number >= len(wanted) or wanted[number] == ">" or part not in ("*", wanted[number]):
            return False
    return False
