"""A Play stream that survives its connections: actions sent again under their request_ids, views resumed."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator, Sequence
from types import TracebackType
from typing import Any, Final, Self

from grpc import StatusCode
from grpc.aio import AioRpcError, StreamStreamMultiCallable

from croupier.client.caller import new_request_id
from croupier.client.errors import CroupierError, Unanswered, error_of
from croupier.client.play_views import PlayViews, TableNews, error_of_refusal
from croupier.client.retry import Retry, asked_to_wait, worth_repeating
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.hand_pb2 import ActionKind, Decision
from croupier.v1.play_service_pb2 import (
    PlayAct,
    PlayOpen,
    PlayRequest,
    PlayResponse,
    PlayResult,
    PlayView,
)
from croupier.v1.table_service_pb2 import WatchTableRequest

Method = StreamStreamMultiCallable[PlayRequest, PlayResponse]

MOST_ACTS: Final = 256
MOST_IN_LIST: Final = 512
"""Elements that a list of one message may have."""
MOST_NEWS: Final = 256
"""Messages of news that may wait to be taken here."""


class _UnderWay:
    """An action without its answer, and how often it was refused such that it is sent again."""

    def __init__(self, request: ActRequest, answer: asyncio.Future[ActResponse]) -> None:
        self.request = request
        self.answer = answer
        self.failures = 0


class Play:
    """Use it by `async with`. Many may call `act` at once; one takes the `news`."""

    def __init__(
        self,
        method: Method,
        retry: Retry,
        stream_id: str = "",
        *,
        all_tables: bool = False,
        language: str = "",
    ) -> None:
        self._method = method
        self._retry = retry
        self._open = PlayOpen(
            stream_id=stream_id or new_request_id(), all_tables=all_tables, language=language
        )
        self._slots = asyncio.Semaphore(MOST_ACTS)
        self._under_way: dict[int, _UnderWay] = {}
        self._last_id = 0
        self._views = PlayViews(self._ask_for, retry, all_tables=all_tables, language=language)
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
            self._under_way[name] = _UnderWay(request, answer)
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
        self._views.begin(request)

    def unwatch(self, table_id: str, player_id: str = "") -> None:
        """Want a view no longer."""
        if self._views.drop((table_id, player_id)):
            self._next.unwatch.append(PlayView(table_id=table_id, player_id=player_id))
            self._asked.set()

    async def news(self) -> AsyncIterator[TableNews]:
        """What happens, view by view, every event once; a view that is over ends with an error or a StreamEnd.

        Raises what the stream as a whole fails with.
        """
        while True:
            while self._news:
                self._take_credit()
                yield self._news.popleft()
            if self._failure is not None:
                raise self._failure
            self._came.clear()
            await self._came.wait()

    def _ask_for(self, request: WatchTableRequest) -> None:
        self._next.watch.append(request)
        self._asked.set()

    def _take_credit(self) -> None:
        """A message more may come; many are told at once."""
        self._credits += 1
        if self._credits >= MOST_NEWS // 2:
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
            # Writing on a connection that is lost ends a stream with a bare INTERNAL.
            lost = not error.reason and error.code is StatusCode.INTERNAL
            if failures >= self._retry.attempts or not (lost or worth_repeating(error)):
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
        acts = [PlayAct(correlation_id=name, act=one.request) for name, one in self._under_way.items()]
        self._credits = 0
        self._next = PlayRequest(
            open=self._open,
            news_credits=MOST_NEWS - len(self._news),
            watch=self._views.requests(),
            acts=acts,
        )
        self._asked.set()

    async def _write_on(self, call: Any) -> None:
        while True:
            await self._asked.wait()
            self._asked.clear()
            request, self._next = self._next, PlayRequest()
            for message in in_messages(request):
                await call.write(message)

    def _give_up(self, error: CroupierError) -> None:
        self._failure = error
        for one in self._under_way.values():
            if not one.answer.done():
                one.answer.set_exception(error)
        self._came.set()

    def _take(self, response: PlayResponse) -> None:
        for result in response.results:
            self._answer(result)
        for told in response.news:
            news = self._views.hear(told)
            if news is not None:
                self._tell(news)
            else:
                self._take_credit()
        for failure in response.failures:
            over = self._views.over(failure)
            if over is not None:
                self._tell(over)

    def _answer(self, result: PlayResult) -> None:
        under_way = self._under_way.get(result.correlation_id)
        if under_way is None or under_way.answer.done():
            return
        if result.HasField("acted"):
            under_way.answer.set_result(result.acted)
            return
        error = error_of_refusal(result.refused)
        under_way.failures += 1
        if worth_repeating(error) and under_way.failures < self._retry.attempts:
            wait = max(self._retry.pause(under_way.failures), asked_to_wait(error))
            asyncio.get_running_loop().call_later(wait, self._act_again, result.correlation_id)
        else:
            under_way.answer.set_exception(error)

    def _act_again(self, name: int) -> None:
        if name in self._under_way:
            self._next.acts.append(PlayAct(correlation_id=name, act=self._under_way[name].request))
            self._asked.set()

    def _tell(self, news: TableNews) -> None:
        self._news.append(news)
        self._came.set()


def in_messages(request: PlayRequest) -> Iterator[PlayRequest]:
    """The request in as many messages as its lists need."""
    message = PlayRequest(news_credits=request.news_credits)
    if request.HasField("open"):
        message.open.CopyFrom(request.open)
    for first in range(0, max(1, len(request.unwatch), len(request.watch), len(request.acts)), MOST_IN_LIST):
        part = slice(first, first + MOST_IN_LIST)
        message.unwatch.extend(request.unwatch[part])
        message.watch.extend(request.watch[part])
        message.acts.extend(request.acts[part])
        yield message
        message = PlayRequest()
