"""What a call can fail with, read from the status it came with. Does not decide what is repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode
from grpc.aio import AioRpcError

DOMAIN: Final = "croupier"
_DETAILS: Final = "grpc-status-details-bin"
UNCERTAIN: Final = frozenset(
    {
        StatusCode.UNAVAILABLE,
        StatusCode.DEADLINE_EXCEEDED,
        StatusCode.CANCELLED,
        StatusCode.INTERNAL,
        StatusCode.UNKNOWN,
    }
)


class CroupierError(Exception):
    """Any failed call. `reason` is a croupier.v1.ErrorReason without its prefix, empty where none came."""

    def __init__(self, reason: str, facts: Mapping[str, str], code: StatusCode, message: str = "") -> None:
        told = ", ".join(f"{key}={value}" for key, value in facts.items())
        parts = (
            reason or code.name,
            told and f"({told})",
            "" if reason and message.startswith(reason) else message,
        )
        super().__init__(" ".join(part for part in parts if part))
        self.reason: Final = reason
        self.facts: Final = facts
        self.code: Final = code
        self.message: Final = message


class Refused(CroupierError):
    """Raised when the service says no. Nothing was changed; ErrorReason says what to do next."""


class Unanswered(CroupierError):
    """Raised when no repetition got an answer, and at once after INTERNAL and UNKNOWN, which are not repeated. A change
    may have been made nevertheless: repeat it later with the same request_id, which `request_id` holds, and it is made
    once.
    """

    request_id: str = ""


def denied(error: CroupierError) -> bool:
    """Whether the caller's credential is none, no longer one, or does not allow that."""
    return error.reason == "CALLER_NOT_ALLOWED" or error.reason.startswith("CREDENTIALS_")


def error_of(failure: AioRpcError) -> CroupierError:
    """The typed error for a status other than OK."""
    info = _error_info(failure)
    kind = Unanswered if failure.code() in UNCERTAIN else Refused
    facts = {} if info is None else dict(info.metadata)
    return kind("" if info is None else info.reason, facts, failure.code(), failure.details() or "")


def _error_info(failure: AioRpcError) -> ErrorInfo | None:
    for key, value in failure.trailing_metadata() or ():
        if key == _DETAILS and isinstance(value, bytes):
            for detail in Status.FromString(value).details:
                info = ErrorInfo()
                if detail.Unpack(info) and info.domain == DOMAIN:
                    return info
    return None
