"""WatchTable: a snapshot or a point to resume from, then everything that happens, in few large messages."""

from __future__ import annotations

from typing import Final, NamedTuple

from croupier.adapters.rpc import checks, hand_words, messages, private_messages
from croupier.adapters.rpc.event_messages import Telling
from croupier.adapters.rpc.gate import Write
from croupier.adapters.rpc.stream_writer import SlowReader
from croupier.adapters.rpc.table_servicer import viewer_of, visible_table
from croupier.adapters.rpc.wire import field
from croupier.numbers import INT64_MAX, NS_PER_MS
from croupier.room.failures import Refusal
from croupier.room.history import sequence_unavailable
from croupier.room.observer import Observer
from croupier.room.ports import Runtime
from croupier.room.principal import Principal
from croupier.room.room import Room
from croupier.room.subscriptions import Publication, Subscription
from croupier.room.views import DecisionView, TableView
from croupier.room.watched import Watched
from croupier.v1 import table_service_pb2 as pb

DEFAULT_HEARTBEAT_NS: Final = 10_000 * NS_PER_MS
SHARED_NS: Final = 5 * NS_PER_MS
_NOTHING: Final = (0, b"")
_EVENTS: Final = pb.WatchTableResponse.EVENTS_FIELD_NUMBER


class WatchStream:
    """Serves watchers; what several of them may see alike is put into words once."""

    def __init__(self, room: Room, runtime: Runtime, observer: Observer) -> None:
        self._room = room
        self._runtime = runtime
        self._observer = observer

    async def watch(self, principal: Principal, request: pb.WatchTableRequest, write: Write) -> None:
        """Write serialized WatchTableResponse messages until the stream ends.

        Raises Refusal, SLOW_CONSUMER among others, with the sequence that was written last.
        """
        resumed = request.HasField("resume_after_sequence")
        actor = await visible_table(self._room, principal, request.table_id, request.scene, fresh=resumed)
        viewer = viewer_of(principal, request.player_id)
        heartbeat = _heartbeat(request)
        language = hand_words.chosen(request.language)
        private_after = _private_place(request)
        view = None if resumed else actor.view(viewer)
        if resumed:
            await _must_be_resumable(actor, request.resume_after_sequence)
        watchers, subscription = actor.watchers, actor.subscribe(viewer)
        watcher = _Watcher(self._runtime, actor, subscription, viewer, heartbeat, language, write)
        try:
            await actor.barrier()
            if view is not None:
                await watcher.snapshot(view)
            else:
                await watcher.missed(request.resume_after_sequence, private_after)
            await watcher.news()
        except SlowReader:
            subscription.end("SLOW_CONSUMER")
            raise Refusal("SLOW_CONSUMER", resume_after_sequence=watcher.written) from None
        finally:
            watchers.unsubscribe(subscription)
            if subscription.ended == "SLOW_CONSUMER":
                self._observer.watcher_cut_off()


class _Message(NamedTuple):
    """A serialized message, and the sequences up to which its reader has everything once it was taken."""

    data: bytes
    sequence: int
    private_sequence: int


class _Watcher:
    """One stream. `written` is the sequence up to which its reader has taken everything, `written_private` the
    private_sequence."""

    def __init__(
        self,
        runtime: Runtime,
        actor: Watched,
        subscription: Subscription,
        viewer: str,
        heartbeat: int,
        language: str,
        write: Write,
    ) -> None:
        self._runtime = runtime
        self._actor = actor
        self._subscription = subscription
        self._viewer = viewer
        self._heartbeat = heartbeat
        self._write = write
        kept = actor.table.rules.seat_kept_ms * NS_PER_MS
        self._language = language
        words = hand_words.HandWords(actor.table.hand_rules.game, language)
        self._telling = Telling(actor.table_id, kept, words)
        self._start = subscription.begins.sequence
        self.written = 0
        self.written_private = 0

    async def snapshot(self, view: TableView) -> None:
        """The table as it stood when the subscription began."""
        legal = view.decision is not None and view.decision.player_id == self._viewer
        table = messages.table(view, self._runtime.now(), with_legal=legal)
        await self._write(pb.WatchTableResponse(snapshot=table).SerializeToString())
        self.written = self._start
        self.written_private = self._subscription.begins.private_sequence or 0

    async def missed(self, after: int, private_after: int) -> None:
        """What happened after one sequence, and one private_sequence, before the subscription began."""
        self.written, self.written_private = after, private_after
        if after == self._start and (decision := self._standing()) is not None:
            await self._write(_events(b"", self._decision(decision)))
        history = self._actor.watchers.history(self._subscription)
        async for publications in history.pages(after, private_after):
            last = next((one for one in reversed(publications) if one.events), None)
            if last is not None and last.sequence == self._start:
                last.decision = self._standing()
            told = self._in_messages(publications)
            del publications, last  # of what a stalled reader has not taken only the bytes are kept
            for message in told:
                await self._write_message(message)

    def _standing(self) -> DecisionView | None:
        """The decision that stands, where nothing has happened since the subscription began."""
        return self._actor.decision() if self._actor.sequence == self._start else None

    async def news(self) -> None:
        """Whatever happens from the subscription on; a heartbeat where nothing does for a while."""
        subscription = self._subscription
        quiet_until = self._runtime.now() + self._heartbeat
        while True:
            publications = subscription.take()
            annotations = subscription.take_annotations()
            if publications or annotations:
                await self._write_events(publications)
                for annotation in annotations:
                    await self._write(annotation)
            elif subscription.ended:
                await self._write(self._end())
                return
            elif self._runtime.now() >= quiet_until:
                beat = pb.Heartbeat(sequence=subscription.last_sequence)
                await self._write(pb.WatchTableResponse(heartbeat=beat).SerializeToString())
            else:
                await subscription.wait(quiet_until)
                continue
            quiet_until = self._runtime.now() + self._heartbeat

    async def _write_events(self, publications: list[Publication]) -> None:
        if not self._viewer and len(publications) == 1:
            await self._write(self._shared(publications[0]))
            self.written = publications[0].sequence
            return
        for message in self._in_messages(publications):
            await self._write_message(message)

    async def _write_message(self, message: _Message) -> None:
        await self._write(message.data)
        self.written, self.written_private = message.sequence, message.private_sequence

    def _in_messages(self, publications: list[Publication]) -> list[_Message]:
        """In the order in which it happened, with what concerns the viewer alone in messages of its own."""
        told: list[_Message] = []
        waiting: list[Publication] = []
        sequence, private = self.written, self.written_private

        def batch() -> None:
            nonlocal sequence, private
            if waiting:
                sequence = waiting[-1].sequence
                if self._viewer:
                    for publication in waiting:
                        private = publication.private_sequence_after(self._viewer, private)
                told.append(_Message(self._batch(waiting), sequence, private))
                waiting.clear()

        for publication in publications:
            part = publication.private
            if part is not None and part.player_id == self._viewer:
                batch()
                when = messages.timestamp(publication.recorded_time)
                events = private_messages.private_events(part, when)
                news = pb.WatchTableResponse(private_events=pb.PrivateEventBatch(events=events))
                private = part.sequence
                told.append(_Message(news.SerializeToString(), sequence, private))
            if publication.events:
                waiting.append(publication)
        batch()
        return told

    def _batch(self, publications: list[Publication]) -> bytes:
        told = b"".join([self._told(publication) for publication in publications])
        decision = publications[-1].decision
        return _events(told, self._decision(decision) if decision is not None else b"")

    def _shared(self, publication: Publication) -> bytes:
        """The message that all get who are no player; the time left that it tells is SHARED_NS old at most."""
        now = self._runtime.now()
        until, message = publication.messages.get(self._language, _NOTHING)
        if now >= until:
            message = self._batch([publication])
            publication.messages[self._language] = (now + SHARED_NS, message)
        return message

    def _told(self, publication: Publication) -> bytes:
        """The publication's events as EventBatch fields; shared by all who see the same."""
        viewer = self._viewer if self._viewer in publication.hole_cards else ""
        view = f"{self._language} {viewer}" if viewer else self._language
        encoded = publication.encoded.get(view)
        if encoded is None:
            encoded = publication.encoded[view] = self._encode(publication, viewer)
        return encoded

    def _encode(self, publication: Publication, viewer: str) -> bytes:
        events = self._telling.events(publication, viewer)
        return pb.EventBatch(events=events).SerializeToString()

    def _decision(self, decision: DecisionView) -> bytes:
        with_legal = bool(self._viewer) and decision.player_id == self._viewer
        now = self._runtime.now()
        message = messages.decision(self._actor.table_id, decision, now, with_legal=with_legal)
        return pb.EventBatch(next_decision=message).SerializeToString()

    def _end(self) -> bytes:
        reason = pb.StreamEndReason.Value(f"STREAM_END_REASON_{self._subscription.ended}")
        end = pb.StreamEnd(
            reason=reason,
            resume_after_sequence=self._subscription.last_sequence,
            resume_after_private_sequence=self.written_private,
        )
        return pb.WatchTableResponse(end=end).SerializeToString()


def _events(told: bytes, decision: bytes) -> bytes:
    """A WatchTableResponse around EventBatch fields already serialized."""
    return field(_EVENTS, told + decision)


def _heartbeat(request: pb.WatchTableRequest) -> int:
    if not request.HasField("heartbeat_interval"):
        return DEFAULT_HEARTBEAT_NS
    span = checks.milliseconds("heartbeat_interval", request.heartbeat_interval, least=1000, most=300_000)
    return span * NS_PER_MS


def _private_place(request: pb.WatchTableRequest) -> int:
    """The private_sequence to resume after, which is one player's, and goes with the table's sequence."""
    number = request.resume_after_private_sequence
    if number and not (request.player_id and request.HasField("resume_after_sequence")):
        raise Refusal("FIELD_NOT_ALLOWED", field="resume_after_private_sequence")
    return checks.number("resume_after_private_sequence", number, 0, INT64_MAX)


async def _must_be_resumable(actor: Watched, after: int) -> None:
    """Which private_sequence there may be, History looks: how many records others have made must not show here."""
    newest = actor.sequence
    if not 0 <= after <= newest:
        await actor.barrier()
        raise sequence_unavailable(newest)
