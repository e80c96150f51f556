"""The bus between the servers of a room over NATS: requests and answers, news, and connections one after another."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from secrets import SystemRandom
from time import monotonic
from typing import Final

import nats.errors
import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from croupier.adapters.nats import headers
from croupier.adapters.nats.connection import PING_EVERY_S, Connection
from croupier.adapters.nats.denied import MOST_AGAIN, Denied
from croupier.adapters.nats.inbox import Inbox
from croupier.adapters.nats.interest import Interest
from croupier.adapters.nats.lost_news import LostNews
from croupier.adapters.nats.oddities import Oddities
from croupier.adapters.nats.server import Server
from croupier.adapters.runtime import begin
from croupier.room.cluster_ports import AnswerFailed, BusAway, TooLong, Unreadable

FIRST_PAUSE_S: Final = 0.02
LONGEST_PAUSE_S: Final = 0.5
ANSWERS_GRACE_S: Final = 1.0
_NO_INBOX: Final = ("croupier.", "$")
"""Answers go nowhere where they would be taken for something else, by servers or by NATS."""

_log = structlog.get_logger()
_chance: Final = SystemRandom()


def _nothing(*_: str) -> None:
    """Nobody counts; a server's callers find out by themselves what was missed."""


class NatsBus:
    """`start` begins to connect; what is served and heard outlives each connection."""

    def __init__(
        self,
        server: Server,
        name: str,
        on_dropped: Callable[[], None],
        on_unreadable: Callable[[str], None] = _nothing,
    ) -> None:
        """`on_dropped` is told of each message that was published and not taken; `on_unreadable`, of each that came
        and is none of this version's, by what its subject is for.
        """
        self._server: Final = server
        self.place: Final = server.place
        """Where it is, without credentials."""
        self._name: Final = name
        self._on_dropped: Final = on_dropped
        self._oddities: Final = Oddities(on_unreadable)
        self.misread: Final = self._oddities.misread
        self._connection: Connection | None = None
        self._inbox: Final = Inbox()
        self._answers: Final = Interest(self, self._inbox.subject, self._inbox.take, _nothing)
        self._interests: dict[Interest, None] = {self._answers: None}
        self._denied: Final = Denied(self._interests, server.place)
        self._lost: Final = LostNews()
        self._tasks: set[asyncio.Task[None]] = set()
        self._keeping: asyncio.Task[None] | None = None
        self._first = asyncio.Event()
        self._proven = 0.0
        self._asked: asyncio.Future[None] | None = None
        self.refused = ""
        """Why NATS, or what it is to be told, did not let this server in when that was tried last."""

    @property
    def connected(self) -> bool:
        return self._connection is not None

    @property
    def silence_s(self) -> float:
        """Seconds since something was sent over it that is known to have arrived."""
        return monotonic() - self._proven

    def prove(self) -> None:
        """Ping soon, to know."""
        if self._asked is not None and not self._asked.done():
            self._asked.set_result(None)

    async def start(self, wait_s: float = 0.0) -> bool:
        """Connect, and go on trying; whether that has come about within `wait_s`."""
        self._keeping = begin(self._keep_connected())
        with suppress(TimeoutError):
            await asyncio.wait_for(self._first.wait(), wait_s)
        return self.connected

    async def close(self) -> None:
        """Serve and hear no more, let answers under way end, send what was published, then leave."""
        for interest in list(self._interests):
            if interest is not self._answers:
                await self.forget(interest)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=ANSWERS_GRACE_S)
        connection = self._connection
        if connection is not None:
            await connection.flush()
        while self._keeping is not None and not self._keeping.done():
            # Again where it was swallowed, as nats-py and wait_for now and then do.
            self._keeping.cancel()
            await asyncio.wait([self._keeping], timeout=0.1)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # What others are asked and told

    async def request(
        self, subject: str, data: bytes, timeout_s: float, told: headers.Headers | None = None
    ) -> bytes:
        """As the port says; a request that was not sent raises BusAway at once, one whose connection is lost then."""
        connection = self._connection
        if connection is None:
            raise BusAway
        size = len(data) + headers.size(told)
        if size > connection.max_payload:
            raise TooLong(size, connection.max_payload)
        message = await self._inbox.answer(
            lambda reply: connection.send(subject, data, reply, told), timeout_s
        )
        if message.headers:
            try:
                headers.must_be_answered(message.headers)
            except Unreadable as unreadable:
                self.misread(subject, len(message.data), str(unreadable))
                raise AnswerFailed(str(unreadable)) from None
        return bytes(message.data)

    def publish(self, subject: str, data: bytes) -> None:
        """As the port says. Whoever listens is told, once that is possible, of what was lost on the way."""
        connection = self._connection
        if connection is not None and len(data) <= connection.max_payload and connection.send(subject, data):
            return
        self._lose((subject,))

    async def serve(self, subject: str, answer: Callable[[bytes], Awaitable[bytes]]) -> Interest:
        """As the port says; requests are answered side by side."""

        def called(message: Msg) -> None:
            if not message.reply or message.reply.startswith(_NO_INBOX):
                self._oddities.unreadable(subject, len(message.data), "it asks for no answer")
            else:
                self._spawn(self._answer(message, answer))

        return await self._begin(Interest(self, subject, called, _nothing))

    async def subscribe(self, subject: str, heard: Callable[[bytes], None]) -> Interest:
        """As the port says; b"" is heard after each time that the connection was lost, here or at the publisher."""

        def tell(data: bytes) -> None:
            try:
                heard(data)
            except Unreadable as unreadable:
                self._oddities.unreadable(subject, len(data), str(unreadable))
            except Exception as failure:
                self._oddities.failed("bus_listener_failed", subject, failure)

        return await self._begin(
            Interest(self, subject, lambda message: tell(message.data), lambda: tell(b""))
        )

    async def forget(self, interest: Interest) -> None:
        """End an interest."""
        self._interests.pop(interest, None)
        await interest.leave()

    async def _begin(self, interest: Interest) -> Interest:
        connection = self._connection
        if connection is not None:
            with suppress(nats.errors.Error):
                await interest.begin(connection)
        self._interests[interest] = None
        if connection is not self._connection and self._connection is not None:
            # Connected anew meanwhile, before it was known.
            with suppress(nats.errors.Error):
                await interest.begin(self._connection)
        return interest

    async def _answer(self, message: Msg, answer: Callable[[bytes], Awaitable[bytes]]) -> None:
        data: bytes = b""
        told: headers.Headers | None = headers.FAILED
        try:
            data, told = await answer(message.data), None
        except Unreadable as unreadable:
            self._oddities.unreadable(message.subject, len(message.data), str(unreadable))
        except Exception as failure:
            self._oddities.failed("bus_answer_failed", message.subject, failure)
        connection = self._connection
        if connection is None:
            return
        if len(data) > connection.max_payload:
            self._oddities.went_wrong("bus_answer_too_long", subject=message.subject, size=len(data))
            data, told = b"", headers.too_long(len(data), connection.max_payload)
        connection.send(message.reply, data, headers=told)

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # The connection

    async def _keep_connected(self) -> None:
        pause = FIRST_PAUSE_S
        told = ""
        while True:
            connection = Connection(self._dropped, self._failed, self._oddities)
            try:
                await connection.open(self._server, self._name)
                await self._bring_in(connection)
                pause, told = FIRST_PAUSE_S, ""
                _log.info("bus_connected", bus=self.place)
                why = await self._use(connection)
                _log.warning("bus_lost", bus=self.place, why=why)
            except (OSError, TimeoutError, nats.errors.Error) as failure:
                why, surely = await connection.why_not(self._server, failure)
                self.refused = why if surely else ""
                if why != told:
                    _log.warning("bus_away", bus=self.place, why=why)
                    told = why
            finally:
                self._part_from(connection)
            await asyncio.sleep(_chance.uniform(pause / 2, pause))
            pause = min(2 * pause, LONGEST_PAUSE_S)

    async def _bring_in(self, connection: Connection) -> None:
        """Take up on a new connection what is served and heard. Raises nats.errors.Error."""
        self._denied.forget()
        begun: set[Interest] = set()
        while missing := [one for one in self._interests if one not in begun]:
            for interest in missing:
                await interest.begin(connection)
                begun.add(interest)
                if interest not in self._interests:
                    await self.forget(interest)
        self._connection = connection
        self._proven = monotonic()
        self._first.set()
        for interest in list(self._interests):
            interest.missed()
        self._lost.tell(connection)

    async def _use(self, connection: Connection) -> str:
        """Until it is lost; why it was."""
        pause = PING_EVERY_S
        while not connection.lost.done():
            self._asked = asyncio.get_running_loop().create_future()
            await asyncio.wait(
                (connection.lost, self._asked), timeout=pause, return_when=asyncio.FIRST_COMPLETED
            )
            if not connection.lost.done():
                try:
                    self._lost.tell(connection, MOST_AGAIN)
                    pause = 0.0 if await self._denied.ask_again(connection) else PING_EVERY_S
                    sent = monotonic()
                    await connection.ping()
                    self._proven = sent
                except (OSError, nats.errors.Error) as failure:
                    connection.lose(str(failure) or type(failure).__name__)
        return connection.lost.result()

    def _part_from(self, connection: Connection) -> None:
        if self._connection is connection:
            self._connection = None
            self._lost.add(subject for subject in connection.unproven() if not subject.startswith("_INBOX."))
        self._inbox.lose()
        self._spawn(connection.close())

    def _dropped(self, subscription: Subscription) -> None:
        """nats-py had to drop what came for a subscription: more than can wait to be heard."""
        self._oddities.went_wrong("bus_overrun", subject=subscription.subject)
        for interest in list(self._interests):
            if interest.subscription is subscription:
                interest.missed()

    def _failed(self, connection: Connection, why: str) -> None:
        """Something that leaves the connection as it is."""
        self._oddities.went_wrong("bus_failed", why=why)
        if subject := self._denied.note(why):
            self._lose(connection.sent_as(subject))

    def _lose(self, subjects: Collection[str]) -> None:
        """A message of each was not taken."""
        for _ in subjects:
            self._on_dropped()
        self._lost.add(subjects)
