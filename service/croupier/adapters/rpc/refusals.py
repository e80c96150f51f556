"""Every failure of a call as the status it is documented with: canonical code, text, google.rpc.ErrorInfo."""

from __future__ import annotations

from typing import Any, Final

import grpc
from google.protobuf import any_pb2
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from croupier.adapters.error_codes import CODES, DOMAIN
from croupier.room.failures import Refusal, ServerSilent, StoreAway, TableHalted
from croupier.room.wallet_ports import WalletAway

_CODE_NUMBERS: Final = {code: code_pb2.Code.Value(code.name) for code in grpc.StatusCode}


def refusal_of(failure: Exception) -> Refusal:
    """A failure as the refusal it is told as; what is no failure of ours is an INTERNAL_FAULT.

    A server that is silent is told as the store is: what it alone knows is not to be had, and the same request may be
    repeated.
    """
    if isinstance(failure, Refusal):
        return failure
    if isinstance(failure, StoreAway | ServerSilent):
        return Refusal("STORE_UNAVAILABLE")
    if isinstance(failure, WalletAway):
        return Refusal("WALLET_UNAVAILABLE")
    if isinstance(failure, TableHalted):
        return Refusal(failure.reason, table_id=failure.table_id)
    return Refusal("INTERNAL_FAULT")


def code_of(refusal: Refusal) -> grpc.StatusCode:
    """The canonical code of a refusal."""
    return CODES.get(refusal.reason, grpc.StatusCode.INTERNAL)


def number_of(refusal: Refusal) -> int:
    """The canonical code of a refusal, as google.rpc.Code numbers it."""
    return int(_CODE_NUMBERS[code_of(refusal)])


def text_of(refusal: Refusal) -> str:
    """A refusal for people."""
    facts = ", ".join(f"{key}={value}" for key, value in refusal.facts.items())
    return refusal.reason + (f" ({facts})" if facts else "")


def status_of(refusal: Refusal) -> Any:
    """The status to abort a call with."""
    info = error_details_pb2.ErrorInfo(
        reason=refusal.reason,
        domain=DOMAIN,
        metadata={key: str(value) for key, value in refusal.facts.items()},
    )
    details = [_packed(info)]
    if "retry_after_ms" in refusal.facts:
        wait = Duration()
        wait.FromMilliseconds(int(refusal.facts["retry_after_ms"]))
        details.append(_packed(error_details_pb2.RetryInfo(retry_delay=wait)))
    status = status_pb2.Status(code=number_of(refusal), message=text_of(refusal), details=details)
    return rpc_status.to_status(status)


def _packed(message: Message) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed
