"""A connection to the HTTP port: how long it may ask nothing, and which gives way where there is room for no more."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

SILENT_S: Final = 7
"""No usual pause between scrapes, at whose end both sides would meet."""


class Connection(H11Protocol):
    """Is closed once it has had no whole request for SILENT_S, or has taken nothing of an answer for as long.

    Beyond the server's limit the one that has asked nothing for the longest is closed for the newcomer. Answers
    that take long, and are taken, stay.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        log: logging.Logger,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.logger = log
        self._silent_since = 0.0
        self._untaken = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def _asks(self) -> bool:
        """Whether a whole request waits for its answer."""
        cycle = self.cycle
        return cycle is not None and not (cycle.more_body or cycle.response_complete)

    @property
    def _may_go(self) -> bool:
        return not self._asks or self.flow.write_paused

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._silent_since = self.loop.time()
        self._timer = self.loop.call_later(SILENT_S, self._look)
        self._make_room()

    def on_response_complete(self) -> None:
        self._silent_since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def _make_room(self) -> None:
        """A request is refused where it makes the connections as many as the limit: keep below it."""
        excess = len(self.connections) + 1 - self.limit_concurrency if self.limit_concurrency else 0
        if excess > 0:
            others = [one for one in self.connections if isinstance(one, Connection) and one is not self]
            silent = sorted((one for one in others if one._may_go), key=lambda one: one._silent_since)
            for one in silent[:excess]:
                one._end()

    def _unsupported_upgrade_warning(self) -> None:
        """Whoever would rather speak another protocol is answered in this one: nothing is wrong."""

    def _look(self) -> None:
        untaken = self.transport.get_write_buffer_size()
        stuck = untaken >= self._untaken > 0
        late = not untaken and self.loop.time() >= self._silent_since + SILENT_S
        if self._may_go and (stuck or late):
            self._end()
            return
        self._untaken = untaken
        begun = self.loop.time() if untaken or self._asks else self._silent_since
        self._timer = self.loop.call_at(begun + SILENT_S, self._look)

    def _end(self) -> None:
        self.connections.discard(self)
        self.transport.abort()
