"""Play: the actions of many tables up one stream, their results and the tables' news down it, few large messages."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from time import perf_counter
from typing import Final, Protocol

from croupier.adapters.rpc import checks, play_messages
from croupier.adapters.rpc.gate import Line, RpcObserver, told
from croupier.adapters.rpc.play_messages import ViewName
from croupier.adapters.rpc.play_order import Owed, PlayOrder
from croupier.adapters.rpc.play_outbox import PlayOutbox
from croupier.adapters.rpc.refusals import code_of
from croupier.adapters.rpc.stream_writer import SlowReader
from croupier.adapters.rpc.watch_stream import WatchStream
from croupier.room.failures import Refusal
from croupier.room.node_calls import Where
from croupier.room.principal import Principal
from croupier.room.room import Room
from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import play_service_pb2 as pb
from croupier.v1 import table_service_pb2 as table_pb

MOST_ACTS: Final = 256
"""Actions of one stream that may be under way."""
MOST_IN_LIST: Final = 512
"""Elements that a list of one message may have."""

Act = Callable[[Principal, betting.ActRequest], Awaitable[betting.ActResponse]]


class PlayObserver(RpcObserver, Protocol):
    """Told of every action on a stream as of a call of `Play.Act`, and of readers too slow to be kept."""

    def watcher_cut_off(self) -> None: ...


class PlayStreams:
    """All streams that are open, each under its caller's name for it."""

    def __init__(self, room: Room, act: Act, watch: WatchStream, observer: PlayObserver) -> None:
        self._room = room
        self._act = act
        self._watch = watch
        self._observer = observer
        self._open: dict[tuple[str, str], PlayStream] = {}

    def __len__(self) -> int:
        return len(self._open)

    async def play(self, line: Line) -> None:
        """Serve one stream to its end. Raises Refusal."""
        first = await line.read()
        if first is None or not first.HasField("open"):
            raise Refusal("FIELD_REQUIRED", field="open")
        key = (line.caller.principal.id, checks.text("open.stream_id", first.open.stream_id))
        stream = PlayStream(line, self._room, self._act, self._watch, self._observer)
        older = self._open.get(key)
        self._open[key] = stream
        if older is not None:
            older.end(Refusal("STREAM_TAKEN_OVER", stream_id=key[1]))
        try:
            await stream.serve(first)
        except SlowReader:
            self._observer.watcher_cut_off()
            raise Refusal("SLOW_CONSUMER") from None
        finally:
            if self._open.get(key) is stream:
                del self._open[key]

    def drain(self) -> None:
        """End every stream: the server is about to stop."""
        for stream in list(self._open.values()):
            stream.end(Refusal("SERVER_DRAINING"))

    def opened(self, table_id: str, house_id: str) -> None:
        """A table was opened, here or by another server: streams that watch all tables watch it."""
        for stream in list(self._open.values()):
            stream.opened(table_id, house_id)

    def missed(self) -> None:
        """Tables may have been opened by other servers."""
        for stream in list(self._open.values()):
            stream.look_again()


class PlayStream:
    """One stream: reads on, has actions carried out, and writes what is ready, one message at a time."""

    def __init__(self, line: Line, room: Room, act: Act, watch: WatchStream, observer: PlayObserver) -> None:
        self._line = line
        self._observer = observer
        self._principal = line.caller.principal
        self._room = room
        self._act = act
        self._watch = watch
        self._outbox = PlayOutbox()
        self._order = PlayOrder(self._outbox.put)
        self._acting: set[asyncio.Task[None]] = set()
        self._views: dict[ViewName, asyncio.Task[None]] = {}
        self._whole: table_pb.WatchTableRequest | None = None
        """What each table is watched by that opens later; None where they are not."""
        self._looking: set[asyncio.Task[None]] = set()
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def serve(self, first: pb.PlayRequest) -> None:
        """Until both sides have ended. Raises Refusal where the stream is ended before."""
        self._take(first)
        if first.open.all_tables:
            self._watch_all(first.open.language)
        reading = asyncio.ensure_future(self._read_on())
        writing = asyncio.ensure_future(self._write_on())
        work = (reading, writing, self._over)
        try:
            while not writing.done():
                await asyncio.wait(
                    [one for one in work if not one.done()], return_when=asyncio.FIRST_COMPLETED
                )
                for one in work:
                    if one.done():
                        one.result()
        finally:
            tasks = [reading, *self._views.values(), *self._acting, *self._looking]
            for name in list(self._views):
                self._end_view(name)
            for task in tasks:
                task.cancel()
            self._over.cancel()
            # A write that was cancelled would keep the status back.
            self._outbox.close()
            await asyncio.gather(writing, *tasks, return_exceptions=True)

    def end(self, refusal: Refusal) -> None:
        """Have `serve` raise the refusal."""
        if not self._over.done():
            self._over.set_exception(refusal)

    def opened(self, table_id: str, house_id: str) -> None:
        """A table was opened: it is watched where all tables are."""
        if self._whole is not None and self._principal.may_know_house(house_id):
            self._watch_too(table_id, self._whole)

    def look_again(self) -> None:
        """Tables may have been opened: those are watched where all are, and none of them is yet."""
        if self._whole is not None:
            self._look(self._whole)

    async def _read_on(self) -> None:
        """Take messages until the caller has ended its side, then let what is under way end."""
        while (request := await self._line.read()) is not None:
            if request.HasField("open"):
                raise Refusal("FIELD_NOT_ALLOWED", field="open")
            self._take(request)
            await self._outbox.room()
            await self._order.room()
        self._whole = None
        while self._acting:
            await asyncio.wait(self._acting)
        self._outbox.finish()

    async def _write_on(self) -> None:
        outbox = self._outbox
        while await outbox.ready():
            await self._line.write(outbox.take(max(0, MOST_ACTS - self._order.count)))
            outbox.sent()

    def _take(self, request: pb.PlayRequest) -> None:
        """Raises Refusal where a list is longer than one message may have."""
        for field in ("acts", "watch", "unwatch"):
            if len(getattr(request, field)) > MOST_IN_LIST:
                raise Refusal("FIELD_OUT_OF_RANGE", field=field, min=0, max=MOST_IN_LIST)
        if request.news_credits:
            self._outbox.grant(checks.number("news_credits", request.news_credits, 1, 2**31 - 1))
        for view in request.unwatch:
            self._end_view((view.table_id, view.player_id))
        for watch in request.watch:
            self._begin_view(watch, asked=True)
        for part in request.acts:
            self._begin_act(part)

    # Actions

    def _begin_act(self, part: pb.PlayAct) -> None:
        """Tasks run in the order they are made, so that actions are carried out in the order sent.

        Where one may have to wait before it is, those behind it at its table wait until it is done.
        """
        table_id = part.act.table_id
        refused = self._order.count >= MOST_ACTS
        at_once = self._principal.houses is None and self._room.has(table_id)
        owed = self._order.begin(table_id, at_once=at_once)
        if refused:
            refusal = Refusal("TOO_MANY_CALLS", max_calls=MOST_ACTS)
            self._order.end(owed, play_messages.refused(part.correlation_id, refusal))
            return
        before = owed.task if owed.one_by_one else None
        owed.task = asyncio.ensure_future(self._carry_out(part, owed, before))
        self._acting.add(owed.task)

    async def _carry_out(self, part: pb.PlayAct, owed: Owed, before: asyncio.Task[None] | None) -> None:
        correlation_id, request = part.correlation_id, part.act
        started = perf_counter()
        code = "OK"
        try:
            if before is not None:
                await asyncio.wait((before,))
            self._line.caller.usage.begin_request()
            if self._principal.houses is not None:
                await self._line.check_scope(self._principal, request)
            answer = await self._act(self._principal, request)
            result = play_messages.acted(correlation_id, answer)
        except Exception as failure:
            refusal = told("Play", failure)
            code = code_of(refusal).name
            result = play_messages.refused(correlation_id, refusal)
        self._acting.discard(asyncio.current_task())
        self._order.end(owed, result)
        self._observer.rpc("Play.Act", code, perf_counter() - started)

    # Views

    def _watch_all(self, language: str) -> None:
        """Begin a view of every table of the caller's, but where there is one."""
        asked = table_pb.WatchTableRequest(player_id=self._principal.player_id, language=language)
        if not asked.player_id:
            self._whole = asked
        self._look(asked)

    def _look(self, asked: table_pb.WatchTableRequest) -> None:
        task = asyncio.ensure_future(self._find_tables(asked))
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    async def _find_tables(self, asked: table_pb.WatchTableRequest) -> None:
        """Where others do not say what they have, the stream ends: a caller must know of all tables, or of none."""
        listing, houses = self._room.listing, self._principal.houses
        try:
            if asked.player_id:
                table_ids = await listing.where(Where(asked.player_id))
            else:
                table_ids = await listing.ids(None if houses is None else sorted(houses))
        except Exception as failure:
            self.end(told("Play", failure))
            return
        for table_id in table_ids:
            self._watch_too(table_id, asked)

    def _watch_too(self, table_id: str, asked: table_pb.WatchTableRequest) -> None:
        if (table_id, asked.player_id) not in self._views:
            request = table_pb.WatchTableRequest(table_id=table_id)
            request.MergeFrom(asked)
            self._begin_view(request)

    def _begin_view(self, request: table_pb.WatchTableRequest, *, asked: bool = False) -> None:
        """A view counts as a stream of the caller's; one that was asked for, as a request too."""
        name = (request.table_id, request.player_id)
        self._end_view(name)
        usage = self._line.caller.usage
        try:
            usage.begin_stream() if asked else usage.begin_view()
        except Refusal as refusal:
            self._outbox.put(play_messages.failure(name, refusal))
            return
        self._views[name] = asyncio.ensure_future(self._show(name, request))

    def _end_view(self, name: ViewName) -> None:
        """News that wait are dropped with it."""
        task = self._forget_view(name)
        if task is not None:
            task.cancel()

    def _forget_view(self, name: ViewName) -> asyncio.Task[None] | None:
        task = self._views.pop(name, None)
        if task is not None:
            self._line.caller.usage.streams -= 1
        return task

    async def _show(self, name: ViewName, request: table_pb.WatchTableRequest) -> None:
        write = partial(self._outbox.put_news, name)
        try:
            if self._principal.houses is not None:
                await self._line.check_scope(self._principal, request)
            await self._watch.watch(self._principal, request, write)
        except Exception as failure:
            self._outbox.put(play_messages.failure(name, told("Play", failure)))
        if self._views.get(name) is asyncio.current_task():
            self._forget_view(name)
