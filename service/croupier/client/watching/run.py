"""What `croupier watch` does: asks a server for a table's news, and shows them on a terminal or as lines."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final, NamedTuple, Protocol

from grpc import ChannelCredentials
from rich.console import Console
from rich.live import Live

from croupier.client import Croupier, CroupierError
from croupier.client.errors import Unanswered
from croupier.client.retry import Retry
from croupier.client.watch import News
from croupier.client.watching import events, words
from croupier.client.watching.screen import screen, summaries
from croupier.client.watching.state import WatchedTable
from croupier.v1.annotation_pb2 import Annotation
from croupier.v1.hand_pb2 import Decision
from croupier.v1.table_pb2 import Table, TableState, TableSummary
from croupier.v1.table_service_pb2 import EventBatch, PrivateEventBatch

_SOON: Final = Retry(attempts=4)
"""For the first call, so that a wrong target is told at once."""
_PATIENT: Final = Retry(attempts=120)
"""For the watch: some minutes, in which a server may be started again."""
_MOST_LISTED: Final = 1000
_LINE_WIDTH: Final = 1000
_EVENTS_SHOWN: Final = 8
_FRAME_S: Final = 0.25


class CannotWatch(Exception):
    """Raised where there is nothing to watch; says why, and what to do."""


class Wanted(NamedTuple):
    """What was asked for; without a table_id, the open tables."""

    target: str
    table_id: str
    player_id: str
    language: str
    once: bool
    credentials: ChannelCredentials | None = None
    token: Callable[[], str] | None = None

    def client(self, retry: Retry) -> Croupier:
        """A client for it."""
        return Croupier(self.target, credentials=self.credentials, token=self.token, retry=retry)


class View(Protocol):
    """Where the news go."""

    def begin(self, table: Table) -> None:
        """Show a table from here on; also where events could not be had without a gap."""

    def hear(self, news: EventBatch | PrivateEventBatch | Annotation) -> None:
        """Show what happened."""


async def run(wanted: Wanted) -> int:
    """The exit status; raises CannotWatch. SIGINT and SIGTERM end it, with 0."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel if task else int)
    # What a connection meets, gRPC would write across the screen.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    console = Console(highlight=False)
    try:
        if not wanted.table_id:
            return await _list(wanted, console)
        async with wanted.client(_SOON) as client:
            table = await client.get_table(wanted.table_id, wanted.player_id)
        if wanted.once:
            console.print(_still(table))
            return 0
        return await _watch(wanted, console)
    except CroupierError as error:
        raise CannotWatch(_why(wanted, error)) from None
    except asyncio.CancelledError:
        return 0


async def _list(wanted: Wanted, console: Console) -> int:
    tables: list[TableSummary] = []
    token = ""
    async with wanted.client(_SOON) as client:
        while len(tables) < _MOST_LISTED:
            page = await client.list_tables(page_size=_MOST_LISTED, page_token=token)
            tables += page.tables
            token = page.next_page_token
            if not token:
                break
    if not tables:
        console.print("no table is open")
        return 0
    if not console.is_terminal:
        console.width = _LINE_WIDTH  # else it takes 80 columns, and breaks lines there
    console.print(summaries(tables))
    if token:
        console.print(f"and more than these {len(tables)}")
    return 0


def _still(table: Table) -> object:
    left = table.next_decision.time_remaining.ToTimedelta().total_seconds()
    return screen(WatchedTable(table), table.next_decision, left)


async def _watch(wanted: Wanted, console: Console) -> int:
    live = console.is_terminal
    with Screen(console) if live else contextlib.nullcontext(Lines(console)) as view:
        drawing = asyncio.create_task(view.draw()) if isinstance(view, Screen) else None
        try:
            reason, status = await _follow(wanted, view)
        finally:
            if drawing is not None:
                drawing.cancel()
    console.print(reason)
    return status


async def _follow(wanted: Wanted, view: View) -> tuple[str, int]:
    """Why the watch ended, and with which status; raises CroupierError."""
    async with wanted.client(_PATIENT) as client:
        while True:
            news = client.watch(wanted.table_id, wanted.player_id, language=wanted.language)
            try:
                await _tell(news, view)
            except CroupierError as error:
                if error.reason == "TABLE_HALTED":
                    return "The table is halted: nothing happens until an operator has looked at it.", 1
                if error.reason != "SEQUENCE_UNAVAILABLE":
                    raise
            else:
                return "The table is closed.", 0


async def _tell(news: AsyncGenerator[News, None], view: View) -> None:
    async with aclosing(news) as coming:
        async for one in coming:
            if isinstance(one, Table):
                view.begin(one)
            else:
                view.hear(one)


def _why(wanted: Wanted, error: CroupierError) -> str:
    target, table_id = words.plain(wanted.target), words.plain(wanted.table_id)
    if error.reason == "TABLE_UNKNOWN":
        return f"there is no table {table_id}; croupier watch without a table lists those that are open"
    if error.reason.startswith("CREDENTIALS_"):
        return f"{target} takes none without a credential: {_told(error)}; see --token-file, or --cert"
    if error.reason == "CALLER_NOT_ALLOWED":
        return f"this credential does not allow that: {_told(error)}; take another, or leave --player out"
    if isinstance(error, Unanswered) and not error.reason:
        return f"{target} does not answer ({_told(error)}); see --target, and for a server with TLS --ca"
    return _told(error)


def _told(error: CroupierError) -> str:
    return words.plain(str(error))


class Lines:
    """A line for each event, for whatever reads lines."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._watched = WatchedTable(Table())

    def begin(self, table: Table) -> None:
        """Say where the lines begin."""
        self._watched = WatchedTable(table)
        state, taken = (
            words.value(TableState, table.state),
            f"{len(table.seats)} of {table.options.seat_count}",
        )
        name = table.options.name or table.table_id
        game = words.game(table.options)
        self._say(table.sequence, words.plain(f"{name}, {game}: {state}, {taken} seats taken"))

    def hear(self, news: EventBatch | PrivateEventBatch | Annotation) -> None:
        """Say each event."""
        if isinstance(news, EventBatch):
            for event in news.events:
                self._watched.apply(event)
                self._say(event.sequence, events.told(event, self._watched.name))
        elif isinstance(news, PrivateEventBatch):
            for private in news.events:
                self._say(None, events.told_privately(private))
        else:
            self._say(None, events.told_equities(news, self._watched.name))

    def _say(self, sequence: int | None, line: str) -> None:
        number = "" if sequence is None else str(sequence)
        self._console.file.write(f"{number:>6} {line}\n")
        self._console.file.flush()


class Screen:
    """The table, drawn anew as it changes and as the clock runs."""

    def __init__(self, console: Console) -> None:
        self._live = Live(console=console, auto_refresh=False, vertical_overflow="crop")
        self._watched = WatchedTable(Table())
        self._decision: Decision | None = None
        self._until = 0.0
        self._equities: dict[int, list[int]] = {}
        self._lines: deque[str] = deque(maxlen=_EVENTS_SHOWN)

    def __enter__(self) -> Screen:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._draw()
        self._live.stop()

    def begin(self, table: Table) -> None:
        """Show the table."""
        self._watched = WatchedTable(table)
        self._equities.clear()
        self._decide(table.next_decision if table.HasField("next_decision") else None)
        self._draw()

    def hear(self, news: EventBatch | PrivateEventBatch | Annotation) -> None:
        """Show the table after it."""
        if isinstance(news, EventBatch):
            for event in news.events:
                self._watched.apply(event)
                self._lines.append(events.told(event, self._watched.name))
                if event.HasField("hand_started"):
                    self._equities.clear()
            self._decide(news.next_decision if news.HasField("next_decision") else None)
        elif isinstance(news, PrivateEventBatch):
            self._lines.extend(events.told_privately(private) for private in news.events)
        elif news.hand_id == self._watched.table.hand.hand_id:
            self._take(news)
        self._draw()

    async def draw(self) -> None:
        """Keep the clock running, until cancelled."""
        while True:
            await asyncio.sleep(_FRAME_S)
            self._draw()

    def _take(self, news: Annotation) -> None:
        self._equities.clear()
        for street in news.streets:
            for seat in street.seats:
                self._equities.setdefault(seat.seat_number, []).append(seat.equity_bps)

    def _decide(self, decision: Decision | None) -> None:
        self._decision = decision
        if decision is not None:
            self._until = time.monotonic() + decision.time_remaining.ToTimedelta().total_seconds()

    def _draw(self) -> None:
        left = self._until - time.monotonic()
        rows = self._live.console.height
        shown = screen(self._watched, self._decision, left, self._equities, self._lines, rows)
        self._live.update(shown, refresh=True)
