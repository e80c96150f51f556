"""What the contract's comments say an RPC may fail with: reasons, their codes, the metadata that comes along."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode, aio

from croupier.adapters.error_codes import CODES, DOMAIN

_CONTRACT: Final = Path(__file__).parents[2] / "proto" / "croupier" / "v1"
_SERVICE: Final = re.compile(r"((?:^//[^\n]*\n)+)service (\w+) \{(.*?)^\}", re.S | re.M)
_RPC: Final = re.compile(r"((?: *//.*\n)+) *rpc (\w+)\(")
_NAME: Final = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b")
_NAMES_STANDING: Final = ("DECISION_UNKNOWN", "DECISION_STALE")
"""Their metadata is left out where no decision stands."""


class Failure(NamedTuple):
    """A status as a caller reads it."""

    code: StatusCode
    reason: str
    metadata: dict[str, str]


def _metadata() -> dict[str, frozenset[str]]:
    text = (_CONTRACT / "error_reason.proto").read_text().partition("enum ErrorReason {")[2]
    keys: dict[str, frozenset[str]] = {}
    for entry in text.split("\n\n"):
        for comment, name in re.findall(r"((?: *//.*\n)+) *ERROR_REASON_(\w+) = [1-9]", entry + "\n"):
            found = re.match(r"\s*// [A-Z_]+(?: \{([a-z_, ]+)\})?:", comment)
            assert found is not None, comment
            keys[name] = frozenset((found[1] or "").replace(" ", "").split(",")) - {""}
    return keys


def _failures(text: str) -> frozenset[str]:
    """The reasons a comment names after "fail with"."""
    words = re.sub(r"\s*\n *// ?", " ", text)
    sentences = re.findall(r"[Ff]ails? with ([^.]*)", words)
    return frozenset(name for sentence in sentences for name in _NAME.findall(sentence))


def _by_method() -> dict[str, frozenset[str]]:
    header = (_CONTRACT / "error_reason.proto").read_text().partition("enum ErrorReason {")[0]
    every, change = (_failures(part) for part in header.split("Every change,"))
    change = frozenset(_NAME.findall(header.partition("Every change,")[2].partition(".")[0]))
    methods: dict[str, frozenset[str]] = {}
    for path in _CONTRACT.glob("*_service.proto"):
        for comment, service, body in _SERVICE.findall(path.read_text()):
            for told, rpc in _RPC.findall(body):
                named = every | _failures(told) | _failures(comment)
                asks = re.search(rf"message {rpc}Request {{(.*?)^}}", path.read_text(), re.S | re.M)
                changes = asks is not None and "string request_id = 1;" in asks[1]
                methods[f"/croupier.v1.{service}/{rpc}"] = named | change if changes else named
    return methods


METADATA: Final = _metadata()
"""By reason: the keys its ErrorInfo has."""
MAY_FAIL_WITH: Final = _by_method()
"""By method: every reason it names, or all do."""


def failure_of(failure: aio.AioRpcError) -> Failure:
    """The failure's parts; no reason where it carries no ErrorInfo."""
    for key, value in failure.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            status = Status.FromString(value)
            info = ErrorInfo()
            assert len(status.details) == 1
            assert status.details[0].Unpack(info)
            assert info.domain == DOMAIN
            return Failure(failure.code(), info.reason, dict(info.metadata))
    return Failure(failure.code(), "", {})


def undocumented(method: str, failure: Failure) -> str:
    """What is wrong with a failure by the contract; empty where nothing is."""
    if failure.reason not in CODES:
        return f"{failure.reason!r} is no reason"
    if failure.code is not CODES[failure.reason]:
        return f"{failure.reason} came with {failure.code}"
    if failure.reason not in MAY_FAIL_WITH[method]:
        return f"{method} does not say that it fails with {failure.reason}"
    keys = METADATA[failure.reason]
    if set(failure.metadata) != keys and (failure.metadata or failure.reason not in _NAMES_STANDING):
        return f"{failure.reason} came with {sorted(failure.metadata)}, not {sorted(keys)}"
    return ""
