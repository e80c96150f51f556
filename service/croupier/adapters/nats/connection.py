"""One connection to NATS, from its beginning until it is lost; what comes after is another one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, NamedTuple

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from croupier.adapters.nats import strangers
from croupier.adapters.nats.oddities import Oddities
from croupier.adapters.nats.server import Server
from croupier.adapters.runtime import begin

CONNECT_S: Final = 3.0
PING_EVERY_S: Final = 0.5
PONG_S: Final = 1
"""A server that does not answer a ping within so long is given up."""
MOST_WAITING_BYTES: Final = 32 * 1024 * 1024
"""What may wait to be sent; more is not taken."""
MOST_UNHEARD: Final = 65_536
"""Messages of one subject that may wait to be heard; more are dropped, and `on_dropped` told."""
_CLOSE_S: Final = 1.0

_log = structlog.get_logger()


class Sending(NamedTuple):
    """A message on its way out."""

    subject: str
    data: bytes
    reply: str
    headers: dict[str, str] | None


class _Careful(Client):
    """One bad message would stop nats-py's reader: it goes on after that."""

    def __init__(self, oddities: Oddities) -> None:
        super().__init__()
        self._oddities = oddities

    async def _process_msg(self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes) -> None:
        try:
            await super()._process_msg(sid, subject, reply, data, headers)
        except (ValueError, LookupError) as failure:
            of = self._subs.get(sid)
            self._oddities.unreadable(of.subject if of is not None else "", len(data), _framing(failure))


def _framing(failure: Exception) -> str:
    return f"its headers or its reply are none ({type(failure).__name__})"


class Connection:
    """`lost` is done, and says why, once the connection is of no use any more."""

    def __init__(
        self,
        on_dropped: Callable[[Subscription], None],
        on_failed: Callable[[Connection, str], None],
        oddities: Oddities,
    ) -> None:
        """`on_failed` is told of what leaves the connection as it is."""
        self.client: Final[Client] = _Careful(oddities)
        self._oddities: Final = oddities
        self.lost: Final[asyncio.Future[str]] = asyncio.get_running_loop().create_future()
        self.last_failure = ""
        self._on_dropped = on_dropped
        self._on_failed = on_failed
        self._outgoing: asyncio.Queue[Sending] = asyncio.Queue()
        self._waiting_bytes = 0
        self._sender: asyncio.Task[None] | None = None
        self._sent: set[str] = set()
        self._sent_before: set[str] = set()

    async def open(self, server: Server, name: str) -> None:
        """Raises OSError, TimeoutError and nats.errors.Error; `close` it then too."""
        async with asyncio.timeout(CONNECT_S):
            await self.client.connect(
                server.urls,
                name=name,
                error_cb=self._failed,
                closed_cb=self._closed,
                allow_reconnect=False,
                connect_timeout=int(CONNECT_S),
                max_reconnect_attempts=1,
                reconnect_time_wait=0,
                flush_timeout=PONG_S,
                **server.identity(self.client),
            )
        server.must_be_private(self.client)
        self._sender = begin(self._send_on())

    async def why_not(self, server: Server, failure: Exception) -> tuple[str, bool]:
        """Why it could not be opened, and whether it never will: nobody lets this server in, or it is no NATS."""
        if not self.client._server_info:
            try:
                await strangers.must_be_nats(server.urls)
            except strangers.Stranger as stranger:
                return str(stranger), stranger.surely
        why = self.last_failure or str(failure) or "no answer in time"
        # Others of its kind say that there is nobody, or no answer.
        return why, type(failure) is nats.errors.Error

    @property
    def max_payload(self) -> int:
        """Bytes of a message, as the server announced."""
        return self.client.max_payload

    async def subscribe(self, subject: str, heard: Callable[[Msg], Awaitable[None]]) -> Subscription:
        """Raises nats.errors.Error."""
        return await self.client.subscribe(subject, cb=heard, pending_msgs_limit=MOST_UNHEARD)

    def send(self, subject: str, data: bytes, reply: str = "", headers: dict[str, str] | None = None) -> bool:
        """Have a message, no longer than max_payload, sent after those before it; False where it is not taken."""
        if self.lost.done() or self._waiting_bytes > MOST_WAITING_BYTES:
            return False
        self._outgoing.put_nowait(Sending(subject, data, reply, headers))
        self._waiting_bytes += len(data)
        return True

    async def ping(self) -> None:
        """Return once the server has answered. Raises nats.errors.Error, OSError."""
        await self.client.flush(timeout=PONG_S)
        # A ping may overtake what waits in nats-py: what was sent before the ping before this one has got there.
        self._sent_before, self._sent = self._sent, set()

    async def settled(self) -> None:
        """Return once NATS has said of all that was asked of it whether it is denied. Raises as `ping` does."""
        for _ in range(2):  # it says so before it answers a ping, and the first may overtake what was asked
            await self.ping()

    def unproven(self) -> set[str]:
        """The subjects of news that may not have got to the server; who asks something finds out by themselves."""
        waiting = (self._outgoing.get_nowait() for _ in range(self._outgoing.qsize()))
        waiting_news = {one.subject for one in waiting if not one.reply}
        return waiting_news | self._sent | self._sent_before

    def sent_as(self, subject: str) -> set[str]:
        """The subjects of news sent lately that are so in small letters."""
        return {one for one in self._sent | self._sent_before if one.lower() == subject}

    def lose(self, why: str) -> None:
        if not self.lost.done():
            self.lost.set_result(why)

    async def flush(self) -> None:
        """Have what was taken sent, for as long as may be."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._outgoing.join(), _CLOSE_S)

    async def close(self) -> None:
        """End it, whatever state it is in."""
        self.lose("closed")
        if self._sender is not None:
            self._sender.cancel()
        # A server that takes nothing any more would keep it waiting for minutes.
        closing = asyncio.ensure_future(self.client.close())
        await asyncio.wait([closing], timeout=_CLOSE_S)
        if not closing.done():
            closing.cancel()
        elif closing.exception() is not None:
            _log.debug("bus_not_closed", why=_told(closing.exception()))

    async def _send_on(self) -> None:
        """The only task that publishes: it keeps the order, and nats-py swallows cancellation there."""
        while True:
            one = await self._outgoing.get()
            self._waiting_bytes -= len(one.data)
            if not one.reply:
                self._sent.add(one.subject)
            try:
                await self.client.publish(one.subject, one.data, one.reply, one.headers)
            except nats.errors.BadSubjectError:
                self._oddities.unreadable("", len(one.data), "its answer can go nowhere")
            except (nats.errors.Error, OSError) as failure:
                self.lose(_told(failure))
            self._outgoing.task_done()

    async def _failed(self, failure: Exception) -> None:
        self.last_failure = _told(failure)
        if self._sender is None:
            return
        if isinstance(failure, nats.errors.SlowConsumerError):
            self._on_dropped(failure.sub)
        elif isinstance(failure, OSError | nats.errors.StaleConnectionError | nats.errors.FlushTimeoutError):
            self.lose(self.last_failure)
        else:
            self._on_failed(self, self.last_failure)

    async def _closed(self) -> None:
        failure = self.client.last_error
        self.lose("closed by the server" if failure is None else _told(failure))


def _told(failure: BaseException | None) -> str:
    return str(failure) or type(failure).__name__
