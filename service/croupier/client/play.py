"""A Play stream that survives its connections: actions sent again under their request_ids, views resumed."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from grpc import StatusCode
from grpc.aio import AioRpcError, StreamStreamMultiCallable

from croupier.client.caller import new_request_id
from croupier.client.errors import CroupierError, Refused, Unanswered, error_of
from croupier.client.retry import Retry, asked_to_wait, worth_repeating
from croupier.client.watch import Broken, News, Place
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.error_reason_pb2 import ErrorReason
from croupier.v1.hand_pb2 import ActionKind, Decision
from croupier.v1.play_service_pb2 import (
    PlayAct,
    PlayFailure,
    PlayNews,
    PlayOpen,
    PlayRefusal,
    PlayRequest,
    PlayResponse,
    PlayResult,
    PlayView,
)
from croupier.v1.table_service_pb2 import StreamEnd, StreamEndReason, WatchTableRequest

Method = StreamStreamMultiCallable[PlayRequest, PlayResponse]
ViewName = tuple[str, str]
"""Table and viewer, empty for a watcher's view."""

MOST_ACTS: Final = 256
MOST_NEWS: Final = 256
"""Messages of news that may wait to be taken here."""
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
        place = WatchTableRequest(
            resume_after_sequence=self.place.sequence, resume_after_private_sequence=self.place.private
        )
        request = WatchTableRequest()
        request.CopyFrom(self._request)
        request.MergeFrom(place)
        return request


class Play:
    """Use it by `async with`. Many may call `act` at once; one takes the `news`."""

    def __init__(
        self, method: Method, retry: Retry, stream_id: str = "", *, all_tables: bool = False, language: str = ""
    ) -> None:
        self._method = method
        self._retry = retry
        self._open = PlayOpen(
            stream_id=stream_id or new_request_id(), all_tables=all_tables, language=language
        )
        self._slots = asyncio.Semaphore(MOST_ACTS)
        self._under_way: dict[int, tuple[ActRequest, asyncio.Future[ActResponse]]] = {}
        self._last_id = 0
        self._views: dict[ViewName, _View] = {}
        self._next = PlayRequest()
        self._asked = asyncio.Event()
        self._news: deque[TableNews] = deque()
        self._came = asyncio.Event()
        self._credits = 0
        self._failure: CroupierError | None = None
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    async def act(
        self,
        table_id: str,
        decision: Decision,
        action: ActionKind.ValueType,
        amount: int = 0,
        *,
        discards: Sequence[str] = (),
        request_id: str = "",
    ) -> ActResponse:
        """As Croupier.act. Raises Refused; Unanswered where the stream cannot be had again."""
        request = ActRequest(
            request_id=request_id or new_request_id(),
            table_id=table_id,
            player_id=decision.player_id,
            hand_id=decision.hand_id,
            action_sequence=decision.action_sequence,
            action=action,
            amount=amount,
            discards=discards,
        )
        async with self._slots:
            if self._failure is not None:
                raise self._failure
            self._last_id += 1
            name = self._last_id
            answer: asyncio.Future[ActResponse] = asyncio.get_running_loop().create_future()
            self._under_way[name] = (request, answer)
            self._next.acts.append(PlayAct(correlation_id=name, act=request))
            self._asked.set()
            try:
                return await answer
            finally:
                self._under_way.pop(name, None)

    def watch(
        self,
        table_id: str,
        player_id: str = "",
        *,
        resume_after: int | None = None,
        resume_after_private: int = 0,
        language: str = "",
        scene: str = "",
    ) -> None:
        """Ask for a view, as Croupier.watch; what it brings comes among the `news`."""
        request = WatchTableRequest(
            table_id=table_id,
            player_id=player_id,
            resume_after_sequence=resume_after,
            resume_after_private_sequence=resume_after_private,
            language=language,
            scene=scene,
        )
        view = self._views[table_id, player_id] = _View(request)
        self._next.watch.append(view.request())
        self._asked.set()

    def unwatch(self, table_id: str, player_id: str = "") -> None:
        """Want a view no longer."""
        if self._views.pop((table_id, player_id), None) is not None:
            self._next.unwatch.append(PlayView(table_id=table_id, player_id=player_id))
            self._asked.set()

    async def news(self) -> AsyncIterator[TableNews]:
        """What happens, view by view, every event once; a view that is over ends with an error or a StreamEnd.

        Raises what the stream as a whole fails with.
        """
        while True:
            while self._news:
                self._credits += 1
                if self._credits >= MOST_NEWS // 2:
                    self._grant()
                yield self._news.popleft()
            if self._failure is not None:
                raise self._failure
            self._came.clear()
            await self._came.wait()

    def _grant(self) -> None:
        self._next.news_credits += self._credits
        self._credits = 0
        self._asked.set()

    # The stream

    async def _run(self) -> None:
        failures = 0
        while True:
            before = self._last_heard = 0
            try:
                await self._stream()
                error: CroupierError = Unanswered("", {}, StatusCode.UNAVAILABLE, "the stream ended")
            except AioRpcError as failure:
                error = error_of(failure)
            failures = 1 if self._last_heard > before else failures + 1
            if failures >= self._retry.attempts or not worth_repeating(error):
                return self._give_up(error)
            await asyncio.sleep(max(self._retry.pause(failures), asked_to_wait(error)))

    async def _stream(self) -> None:
        call = self._method()
        self._begin_again()
        writing = asyncio.create_task(self._write_on(call))
        try:
            async for response in call:
                self._last_heard += 1
                self._take(response)
        finally:
            writing.cancel()
            call.cancel()
            await asyncio.gather(writing, return_exceptions=True)

    def _begin_again(self) -> None:
        """The first message says all that the server must know: what waits here, and what has no result."""
        acts = [PlayAct(correlation_id=name, act=one[0]) for name, one in self._under_way.items()]
        self._credits = 0
        self._next = PlayRequest(
            open=self._open,
            news_credits=MOST_NEWS - len(self._news),
            watch=[view.request() for view in self._views.values()],
            acts=acts,
        )
        self._asked.set()

    async def _write_on(self, call: Any) -> None:
        while True:
            await self._asked.wait()
            self._asked.clear()
            request, self._next = self._next, PlayRequest()
            await call.write(request)

    def _give_up(self, error: CroupierError) -> None:
        self._failure = error
        for _, answer in self._under_way.values():
            if not answer.done():
                answer.set_exception(error)
        self._came.set()

    def _take(self, response: PlayResponse) -> None:
        for result in response.results:
            self._answer(result)
        for news in response.news:
            self._hear(news)
        for failure in response.failures:
            self._over(failure)

    def _answer(self, result: PlayResult) -> None:
        under_way = self._under_way.get(result.correlation_id)
        if under_way is None or under_way[1].done():
            return
        request, answer = under_way
        if result.HasField("acted"):
            answer.set_result(result.acted)
            return
        error = _error(result.refused)
        if worth_repeating(error):
            wait = max(self._retry.pause(1), asked_to_wait(error))
            asyncio.get_running_loop().call_later(wait, self._act_again, result.correlation_id)
        else:
            answer.set_exception(error)

    def _act_again(self, name: int) -> None:
        if name in self._under_way:
            self._next.acts.append(PlayAct(correlation_id=name, act=self._under_way[name][0]))
            self._asked.set()

    def _hear(self, told: PlayNews) -> None:
        name = (told.table_id, told.player_id)
        view = self._views.get(name)
        if view is None:
            if not self._open.all_tables:
                return self._drop()
            view = self._views[name] = _View(
                WatchTableRequest(table_id=name[0], player_id=name[1], language=self._open.language)
            )
        try:
            news = self._news_of(view.place, told)
        except Broken:
            self._next.watch.append(view.request())
            self._asked.set()
            news = None
        if news is None:
            self._drop()
        else:
            self._tell(TableNews(*name, news))

    def _news_of(self, place: Place, told: PlayNews) -> News | CroupierError | StreamEnd | None:
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

    def _ended(self, told: PlayNews) -> CroupierError | StreamEnd | None:
        reason = told.news.end.reason
        if reason in (_CLOSED, _HALTED):
            self._views.pop((told.table_id, told.player_id), None)
            if reason == _CLOSED:
                return told.news.end
            return Refused("TABLE_HALTED", {"table_id": told.table_id}, StatusCode.FAILED_PRECONDITION)
        raise Broken("the view ended")

    def _over(self, failure: PlayFailure) -> None:
        name = (failure.table_id, failure.player_id)
        error = _error(failure.refusal)
        view = self._views.get(name)
        if view is not None and worth_repeating(error):
            self._next.watch.append(view.request())
            self._asked.set()
        else:
            self._views.pop(name, None)
            self._tell(TableNews(*name, error))

    def _tell(self, news: TableNews) -> None:
        self._news.append(news)
        self._came.set()

    def _drop(self) -> None:
        """A message that nobody takes gives its credit back."""
        self._credits += 1
        if self._credits >= MOST_NEWS // 2:
            self._grant()


def _error(refusal: PlayRefusal) -> CroupierError:
    reason = ErrorReason.Name(refusal.reason).removeprefix("ERROR_REASON_")
    code = _CODES.get(refusal.code, StatusCode.UNKNOWN)
    kind = Unanswered if code in (StatusCode.UNAVAILABLE, StatusCode.INTERNAL) else Refused
    return kind(reason, dict(refusal.metadata), code, refusal.message)
