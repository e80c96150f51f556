"""What servers say in the headers of an answer that is none; NATS itself says there that nobody is asked."""

from __future__ import annotations

from typing import Final

from croupier.room.cluster_ports import AnswerFailed, NobodyThere, TooLong, Unreadable

Headers = dict[str, str]

FAILED: Final[Headers] = {"Croupier-Failed": "1"}
_NOBODY: Final = "503"
_TOO_LONG: Final = "Croupier-Too-Long"


def size(headers: Headers | None) -> int:
    """Bytes of a message that its headers take."""
    if headers is None:
        return 0
    return len("NATS/1.0\r\n\r\n") + sum(
        len(f"{name}: {value}\r\n".encode()) for name, value in headers.items()
    )


def too_long(bytes_: int, most: int) -> Headers:
    """For an answer of so many bytes, where the bus takes so many."""
    return {_TOO_LONG: f"{bytes_} {most}"}


def must_be_answered(headers: Headers) -> None:
    """Raises what stands in an answer's headers; Unreadable."""
    if headers.get("Status") == _NOBODY:
        raise NobodyThere
    if _TOO_LONG in headers:
        told, _, most = headers[_TOO_LONG].partition(" ")
        if not (told.isdecimal() and most.isdecimal()):
            raise Unreadable("it is too long, by what is no number")
        raise TooLong(int(told), int(most))
    if FAILED.keys() & headers.keys():
        raise AnswerFailed
