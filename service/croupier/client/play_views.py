"""The views of a Play stream: how far each has come, and what a message of news brings to its reader."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple

from grpc import StatusCode

from croupier.client.errors import CroupierError, Refused, Unanswered
from croupier.client.retry import Retry, asked_to_wait, worth_repeating
from croupier.client.watch import Broken, News, Place
from croupier.v1.error_reason_pb2 import ErrorReason
from croupier.v1.play_service_pb2 import PlayFailure, PlayNews, PlayRefusal
from croupier.v1.table_service_pb2 import StreamEnd, StreamEndReason, WatchTableRequest

ViewName = tuple[str, str]
"""Table and viewer, empty for a watcher's view."""

_CODES: Final = {code.value[0]: code for code in StatusCode}
_CLOSED: Final = StreamEndReason.STREAM_END_REASON_TABLE_CLOSED
_HALTED: Final = StreamEndReason.STREAM_END_REASON_TABLE_HALTED


class TableNews(NamedTuple):
    """News of one view, or why it is over: an error, or a StreamEnd where the table closed."""

    table_id: str
    player_id: str
    news: News | CroupierError | StreamEnd


class _View:
    def __init__(self, request: WatchTableRequest) -> None:
        self._request = request
        after = request.resume_after_sequence if request.HasField("resume_after_sequence") else None
        self.place = Place(after, request.resume_after_private_sequence, request.player_id)

    def request(self) -> WatchTableRequest:
        """What goes on from where the view has come."""
        request = WatchTableRequest()
        request.CopyFrom(self._request)
        request.MergeFrom(
            WatchTableRequest(
                resume_after_sequence=self.place.sequence, resume_after_private_sequence=self.place.private
            )
        )
        return request


class PlayViews:
    """`ask` is called with what is to be sent where a view must be resumed."""

    def __init__(
        self, ask: Callable[[WatchTableRequest], None], retry: Retry, *, all_tables: bool, language: str
    ) -> None:
        self._ask = ask
        self._retry = retry
        self._all_tables = all_tables
        self._language = language
        self._views: dict[ViewName, _View] = {}

    def begin(self, request: WatchTableRequest) -> None:
        """Ask for a view."""
        view = self._views[request.table_id, request.player_id] = _View(request)
        self._ask(view.request())

    def drop(self, name: ViewName) -> bool:
        """Forget a view; whether there was one."""
        return self._views.pop(name, None) is not None

    def requests(self) -> list[WatchTableRequest]:
        """What resumes all views."""
        return [view.request() for view in self._views.values()]

    def hear(self, told: PlayNews) -> TableNews | None:
        """What a message brings that is not seen yet."""
        name = (told.table_id, told.player_id)
        view = self._views.get(name)
        if view is None:
            if not self._all_tables:
                return None
            asked = WatchTableRequest(table_id=name[0], player_id=name[1], language=self._language)
            view = self._views[name] = _View(asked)
        try:
            news = self._news(view.place, told)
        except Broken:
            self._ask(view.request())
            return None
        return None if news is None else TableNews(*name, news)

    def over(self, failure: PlayFailure) -> TableNews | None:
        """A view that ended: it is asked for again where that may help."""
        name = (failure.table_id, failure.player_id)
        error = error_of_refusal(failure.refusal)
        view = self._views.get(name)
        if view is not None and worth_repeating(error):
            wait = max(self._retry.pause(1), asked_to_wait(error))
            asyncio.get_running_loop().call_later(wait, self._ask_again, name)
            return None
        self._views.pop(name, None)
        return TableNews(*name, error)

    def _ask_again(self, name: ViewName) -> None:
        view = self._views.get(name)
        if view is not None:
            self._ask(view.request())

    def _news(self, place: Place, told: PlayNews) -> News | CroupierError | StreamEnd | None:
        """Raises Broken where the view must be resumed."""
        match told.news.WhichOneof("news"):
            case "events":
                return place.new_in(told.news.events)
            case "snapshot":
                place.begin(told.news.snapshot)
                return told.news.snapshot
            case "private_events":
                return place.new_to_player(told.news.private_events)
            case "annotation":
                return told.news.annotation
            case "heartbeat":
                place.check(told.news.heartbeat.sequence)
            case "end":
                return self._ended(told)
        return None

    def _ended(self, told: PlayNews) -> CroupierError | StreamEnd:
        reason = told.news.end.reason
        if reason not in (_CLOSED, _HALTED):
            raise Broken("the view ended")
        self._views.pop((told.table_id, told.player_id), None)
        if reason == _CLOSED:
            return told.news.end
        return Refused("TABLE_HALTED", {"table_id": told.table_id}, StatusCode.FAILED_PRECONDITION)


def error_of_refusal(refusal: PlayRefusal) -> CroupierError:
    """The typed error that a call of its own would have failed with."""
    reason = ErrorReason.Name(refusal.reason).removeprefix("ERROR_REASON_")
    code = _CODES.get(refusal.code, StatusCode.UNKNOWN)
    kind = Unanswered if code in (StatusCode.UNAVAILABLE, StatusCode.INTERNAL) else Refused
    return kind(reason, dict(refusal.metadata), code, refusal.message)
