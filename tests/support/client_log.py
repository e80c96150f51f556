"""What clients were told, kept by their own process line by line, read by the test that kills their server."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec
from google.protobuf.message import Message

from croupier.v1 import betting_service_pb2, seat_service_pb2, settlement_service_pb2, table_service_pb2

_MODULES: Final = (betting_service_pb2, seat_service_pb2, settlement_service_pb2, table_service_pb2)


class Sent(msgspec.Struct, tag=True, frozen=True):
    """A request is about to be sent, perhaps again."""

    request_id: str
    method: str
    request: bytes


class Answered(msgspec.Struct, tag=True, frozen=True):
    """The answer is here."""

    request_id: str
    response: bytes


class Refused(msgspec.Struct, tag=True, frozen=True):
    """The service said no."""

    request_id: str
    reason: str


class Heard(msgspec.Struct, tag=True, frozen=True):
    """A watcher's event: a TableEvent as `player_id` was told it."""

    table_id: str
    player_id: str
    event: bytes


Line = Sent | Answered | Refused | Heard

_decoder = msgspec.json.Decoder(Line)


class LogWriter:
    """Each line is with the operating system before `write` returns, so that it outlives the process."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=0)

    def write(self, line: Line) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")


class Call:
    """A request and all that came of it."""

    def __init__(self, method: str, request: Message) -> None:
        self.method: Final = method
        self.request: Final = request
        self.answers: Final[list[Message]] = []
        self.refusals: Final[list[str]] = []

    @property
    def open(self) -> bool:
        """Whether nothing has come of it yet."""
        return not self.answers and not self.refusals


class ClientLog:
    """Follows the file that a LogWriter writes."""

    def __init__(self, path: Path) -> None:
        self.calls: Final[dict[str, Call]] = {}
        self.heard: Final[list[Heard]] = []
        self._path = path
        self._offset = 0
        path.touch()

    def read(self) -> int:
        """Take in the lines that have come since; how many there were."""
        with self._path.open("rb") as file:
            file.seek(self._offset)
            data = file.read()
        data = data[: data.rfind(b"\n") + 1]
        self._offset += len(data)
        lines = data.splitlines()
        for line in lines:
            self._take(_decoder.decode(line))
        return len(lines)

    def in_flight(self, method: str = "Act") -> dict[str, Call]:
        """Requests of a method that wait for their answer."""
        return {key: call for key, call in self.calls.items() if call.open and call.method == method}

    def acknowledged(self, *methods: str) -> Iterable[tuple[str, Call]]:
        """Requests of these methods that were answered."""
        return [(key, call) for key, call in self.calls.items() if call.answers and call.method in methods]

    def _take(self, line: Line) -> None:
        match line:
            case Sent():
                request = message(f"{line.method}Request", line.request)
                known = self.calls.setdefault(line.request_id, Call(line.method, request))
                assert known.request == request, f"{line.request_id} was sent with other content"
            case Answered():
                call = self.calls[line.request_id]
                call.answers.append(message(f"{call.method}Response", line.response))
            case Refused():
                self.calls[line.request_id].refusals.append(line.reason)
            case Heard():
                self.heard.append(line)


def message(name: str, data: bytes) -> Message:
    """A request or response of the contract by its name."""
    for module in _MODULES:
        if hasattr(module, name):
            parsed: Message = getattr(module, name).FromString(data)
            return parsed
    raise ValueError(f"there is no {name}")
