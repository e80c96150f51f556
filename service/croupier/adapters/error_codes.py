"""The one table from a refusal's reason to the gRPC status code it is sent with.

Owns that mapping and the error domain; what the reasons mean, croupier.v1.ErrorReason says.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from grpc import StatusCode

DOMAIN: Final = "croupier"
"""google.rpc.ErrorInfo.domain of every error this service sends."""

CODES: Final[Mapping[str, StatusCode]] = MappingProxyType(
    {
        "MESSAGE_MALFORMED": StatusCode.INVALID_ARGUMENT,
        "FIELD_REQUIRED": StatusCode.INVALID_ARGUMENT,
        "FIELD_TOO_LONG": StatusCode.INVALID_ARGUMENT,
        "FIELD_OUT_OF_RANGE": StatusCode.INVALID_ARGUMENT,
        "FIELD_MALFORMED": StatusCode.INVALID_ARGUMENT,
        "FIELD_NOT_ALLOWED": StatusCode.INVALID_ARGUMENT,
        "OPTION_NOT_OFFERED": StatusCode.INVALID_ARGUMENT,
        "REQUEST_ID_REUSED": StatusCode.INVALID_ARGUMENT,
        "TABLE_UNKNOWN": StatusCode.NOT_FOUND,
        "HOUSE_UNKNOWN": StatusCode.NOT_FOUND,
        "CURRENCY_UNKNOWN": StatusCode.NOT_FOUND,
        "DECISION_UNKNOWN": StatusCode.NOT_FOUND,
        "DECISION_STALE": StatusCode.ABORTED,
        "DECISION_NOT_YOURS": StatusCode.PERMISSION_DENIED,
        "OUT_OF_TURN": StatusCode.FAILED_PRECONDITION,
        "CHECK_NOT_ALLOWED": StatusCode.FAILED_PRECONDITION,
        "NOTHING_TO_CALL": StatusCode.FAILED_PRECONDITION,
        "BET_NOT_ALLOWED": StatusCode.FAILED_PRECONDITION,
        "BET_ALREADY_MADE": StatusCode.FAILED_PRECONDITION,
        "BET_OUT_OF_RANGE": StatusCode.FAILED_PRECONDITION,
        "RAISE_NOT_ALLOWED": StatusCode.FAILED_PRECONDITION,
        "NO_BET_TO_RAISE": StatusCode.FAILED_PRECONDITION,
        "RAISE_OUT_OF_RANGE": StatusCode.FAILED_PRECONDITION,
        "ALL_IN_NOT_ALLOWED": StatusCode.FAILED_PRECONDITION,
        "TABLE_PAUSED": StatusCode.FAILED_PRECONDITION,
        "TABLE_NOT_PAUSED": StatusCode.FAILED_PRECONDITION,
        "TABLE_CLOSING": StatusCode.FAILED_PRECONDITION,
        "TABLE_CLOSED": StatusCode.FAILED_PRECONDITION,
        "TABLE_HALTED": StatusCode.FAILED_PRECONDITION,
        "SEAT_TAKEN": StatusCode.FAILED_PRECONDITION,
        "PLAYER_ALREADY_SEATED": StatusCode.FAILED_PRECONDITION,
        "PLAYER_NOT_SEATED": StatusCode.FAILED_PRECONDITION,
        "SEAT_NOT_RESERVED": StatusCode.FAILED_PRECONDITION,
        "SEAT_NOT_BOUGHT_IN": StatusCode.FAILED_PRECONDITION,
        "PLAYER_SITTING_OUT": StatusCode.FAILED_PRECONDITION,
        "PLAYER_NOT_SITTING_OUT": StatusCode.FAILED_PRECONDITION,
        "PLAYER_LEAVING": StatusCode.FAILED_PRECONDITION,
        "TRANSFER_PENDING": StatusCode.FAILED_PRECONDITION,
        "BUY_IN_NOT_LEGAL": StatusCode.FAILED_PRECONDITION,
        "REBUY_NOT_LEGAL": StatusCode.FAILED_PRECONDITION,
        "INSUFFICIENT_FUNDS": StatusCode.FAILED_PRECONDITION,
        "BALANCE_LIMIT_EXCEEDED": StatusCode.FAILED_PRECONDITION,
        "SEQUENCE_UNAVAILABLE": StatusCode.OUT_OF_RANGE,
        "TABLE_FULL": StatusCode.RESOURCE_EXHAUSTED,
        "TABLE_BUSY": StatusCode.RESOURCE_EXHAUSTED,
        "SERVER_DRAINING": StatusCode.UNAVAILABLE,
        "STORE_UNAVAILABLE": StatusCode.UNAVAILABLE,
        "INVARIANT_VIOLATED": StatusCode.INTERNAL,
        "INTERNAL_FAULT": StatusCode.INTERNAL,
        "CALLER_NOT_ALLOWED": StatusCode.PERMISSION_DENIED,
        "SLOW_CONSUMER": StatusCode.RESOURCE_EXHAUSTED,
        "FOLD_NOT_ALLOWED": StatusCode.FAILED_PRECONDITION,
        "CALL_NOT_ALLOWED": StatusCode.FAILED_PRECONDITION,
        "DRAW_NOT_ALLOWED": StatusCode.FAILED_PRECONDITION,
        "DRAW_EXPECTED": StatusCode.FAILED_PRECONDITION,
        "ADVANCE_ACTION_NOT_ALLOWED": StatusCode.FAILED_PRECONDITION,
        "SHOW_NOT_ALLOWED": StatusCode.FAILED_PRECONDITION,
        "EXPERIENCE_TOO_LOW": StatusCode.FAILED_PRECONDITION,
        "PASS_REQUIRED": StatusCode.FAILED_PRECONDITION,
        "PLAYER_ELSEWHERE": StatusCode.FAILED_PRECONDITION,
        "SEAT_AVAILABLE": StatusCode.FAILED_PRECONDITION,
        "PLAYER_ALREADY_WAITING": StatusCode.FAILED_PRECONDITION,
        "PLAYER_NOT_WAITING": StatusCode.FAILED_PRECONDITION,
        "DISCARDS_NOT_LEGAL": StatusCode.INVALID_ARGUMENT,
        "LANGUAGE_UNKNOWN": StatusCode.INVALID_ARGUMENT,
        "WAITING_LIST_FULL": StatusCode.RESOURCE_EXHAUSTED,
        "HAND_UNKNOWN": StatusCode.NOT_FOUND,
    }
)
"""Reason, without the enum's prefix, to code."""
