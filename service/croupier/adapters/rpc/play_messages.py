"""Parts of PlayResponse, serialized one by one, so that whoever sends them puts them together without reading them."""

from __future__ import annotations

from typing import Final

from croupier.adapters.rpc.refusals import number_of, text_of
from croupier.adapters.rpc.wire import field, varint
from croupier.room.failures import Refusal
from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import error_reason_pb2
from croupier.v1 import play_service_pb2 as pb

ViewName = tuple[str, str]
"""A table, and the viewer, empty for none."""

_RESULTS: Final = pb.PlayResponse.RESULTS_FIELD_NUMBER
_NEWS: Final = pb.PlayResponse.NEWS_FIELD_NUMBER
_FAILURES: Final = pb.PlayResponse.FAILURES_FIELD_NUMBER
_ACTED: Final = pb.PlayResult.ACTED_FIELD_NUMBER
_NEWS_OF_VIEW: Final = pb.PlayNews.NEWS_FIELD_NUMBER
_CREDITS: Final = bytes((pb.PlayResponse.ACT_CREDITS_FIELD_NUMBER << 3,))


def acted(correlation_id: int, answer: betting.ActResponse) -> bytes:
    """The result of an action that was done."""
    named = pb.PlayResult(correlation_id=correlation_id).SerializeToString()
    return field(_RESULTS, named + field(_ACTED, answer.SerializeToString()))


def refused(correlation_id: int, refusal: Refusal) -> bytes:
    """The result of an action that was refused."""
    result = pb.PlayResult(correlation_id=correlation_id, refused=_refusal(refusal))
    return field(_RESULTS, result.SerializeToString())


def news(view: ViewName, told: bytes) -> bytes:
    """News of a view; `told` is a WatchTableResponse."""
    table_id, player_id = view
    named = pb.PlayNews(table_id=table_id, player_id=player_id).SerializeToString()
    return field(_NEWS, named + field(_NEWS_OF_VIEW, told))


def failure(view: ViewName, refusal: Refusal) -> bytes:
    """A view that is over."""
    table_id, player_id = view
    over = pb.PlayFailure(table_id=table_id, player_id=player_id, refusal=_refusal(refusal))
    return field(_FAILURES, over.SerializeToString())


def act_credits(count: int) -> bytes:
    """How many actions more may be sent."""
    return _CREDITS + varint(count) if count else b""


def _refusal(refusal: Refusal) -> pb.PlayRefusal:
    return pb.PlayRefusal(
        code=number_of(refusal),
        reason=error_reason_pb2.ErrorReason.Value(f"ERROR_REASON_{refusal.reason}"),
        message=text_of(refusal),
        metadata={key: str(value) for key, value in refusal.facts.items()},
    )
