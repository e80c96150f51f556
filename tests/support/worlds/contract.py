"""The RPCs of the contract, as its published files have them, and what is asked by each."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Final

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

_FILES: Final = Path(__file__).parents[3] / "proto" / "croupier" / "v1"


def _methods() -> dict[str, Any]:
    found = {}
    for file in sorted(_FILES.glob("*_service.proto")):
        descriptor = import_module(f"croupier.v1.{file.stem}_pb2").DESCRIPTOR
        for service in descriptor.services_by_name.values():
            for method in service.methods:
                found[f"{service.name}.{method.name}"] = method
    return found


METHODS: Final = _methods()
"""By `Service.Method`."""


def request(rpc: str, **fields: Any) -> Message:
    """A request of the RPC."""
    message: Message = GetMessageClass(METHODS[rpc].input_type)(**fields)
    return message


NOT_ASKED: Final = {
    "WalletService": "Croupier is its client, and asks an operator's own wallet",
}
"""Services of the contract that nobody can ask Croupier, and why."""
