"""The composition root: makes every part, ties them together, starts and stops them in order."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from croupier import admission, api
from croupier.adapters.calculator import Calculator
from croupier.adapters.embedded_wallet import EmbeddedWallet
from croupier.adapters.games import GAMES
from croupier.adapters.http import HttpPort, Pages, Readiness
from croupier.adapters.logs import get_logger
from croupier.adapters.metrics import Gauges, LedgerCheck, LoopLag, Metrics, Sources
from croupier.adapters.remote_wallet import RemoteWallet
from croupier.adapters.rpc.annotations import Annotator
from croupier.adapters.rpc.callers import Callers
from croupier.adapters.rpc.pages import PageTokens
from croupier.adapters.rpc.sole import SoleOwner
from croupier.adapters.runtime import AsyncioRuntime, begin
from croupier.adapters.version import Build
from croupier.adapters.wallet_calls import TokenFile, WalletCalls
from croupier.api import Behind
from croupier.config import Settings
from croupier.houses import loader
from croupier.houses.house import House
from croupier.opening import open_store
from croupier.room.room import Room
from croupier.room.seal import Seal
from croupier.room.services import Services

if TYPE_CHECKING:
    from croupier.adapters.console import Console
    from croupier.adapters.traces.spans import Spans
    from croupier.cluster import Cluster

_log = get_logger()

MOST_WAITING: Final = 16
"""Calculations that may wait for the one under way."""
CALLS_GRACE_S: Final = 5.0
"""Seconds that calls under way may take to end, once no more are taken."""
LATE_CALLS_S: Final = 0.5
"""Seconds in which calls come that were sent before it was known that this server leaves; others carry them out."""
_LOOK_EVERY_S: Final = 0.05
MOST_ANNOTATIONS: Final = 4
"""Hands that may wait to be annotated; others go without."""


def _leave_the_garbage_collector_little() -> None:
    """What start-up made stays; what a call makes is freed without it. Full collections took an eighth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _wallet_calls(settings: Settings) -> WalletCalls | None:
    """None where wallets are in the ledger. Raises CredentialsFileError."""
    if not settings.wallet:
        return None
    token = TokenFile(Path(settings.wallet_token_file)) if settings.wallet_token_file else None
    return WalletCalls(settings.wallet_target, settings.wallet_timeout, token)


def _must_name_a_bus(settings: Settings) -> None:
    """Where any is named. Raises BusUnusable."""
    if settings.bus:
        from croupier.adapters import nats_opening

        nats_opening.server(settings.bus, settings.bus_credentials)


class App:
    """One server. `start` returns once it is ready; `stop` leaves every table as its journal says."""

    def __init__(self, settings: Settings, before_commit: Callable[[], None] | None = None) -> None:
        """`before_commit` runs in the store's writer before each commit: tests hold commits open with it."""
        self._settings = settings
        self._before_commit = before_commit
        self._tasks: list[asyncio.Task[None]] = []
        self._console: Console | None = None
        self._cluster: Cluster | None = None
        self._traces: Spans | None = None
        self._wal_bytes: Callable[[], int] = int
        self._store_trouble: Callable[[], str] = str
        self._hurried = False
        self.waits_for_another = False
        """Whether `start` waits for another server's lease to run out, and may be cancelled."""
        self.replaced = asyncio.Event()
        """Set when another server has taken the store over: nothing can be done any more but `stop`."""
        self.port = 0
        self.http_port = 0

    async def start(self) -> None:
        """Open the store, bring every table back, then listen; probes are answered from the beginning."""
        settings = self._settings
        self._metrics = Metrics()
        self._readiness = Readiness(
            lambda: self._metrics.store_failure() or self._store_trouble() or self._cut_off()
        )
        self._pages = Pages(self._metrics.registry, self._readiness, with_console=settings.console)
        self._http = HttpPort(self._pages, settings.listen, settings.http_port)
        await self._http.start()
        self.http_port = self._http.port
        try:
            _must_name_a_bus(settings)  # before a store is opened
            await self._start()
        except BaseException:
            await self._http.stop()
            raise

    async def _start(self) -> None:
        settings = self._settings
        credentials, callers = admission.server_credentials(settings), admission.callers(settings)
        self._wallet_calls = _wallet_calls(settings)
        self._runtime = AsyncioRuntime()
        if settings.traces_endpoint:
            # Left out where there are none: what sends them need not be installed.
            from croupier.adapters import traces

            self._traces = traces.opened(settings.traces_endpoint)
        opened = await open_store(
            settings,
            self._metrics,
            self._before_commit,
            waiting=self._wait_for_another,
            replaced=self._replaced,
        )
        self.waits_for_another = False
        self._store, self._wal_bytes, self._store_trouble = opened.store, opened.wal_bytes, opened.trouble
        self._runtime.go_on_from(await self._store.newest_time())
        houses = loader.load(GAMES, settings.house_dir, settings.max_min_bet)
        services = Services(self._runtime, self._store, Seal(opened.master_key), self._metrics, self._traces)
        self._calculator = Calculator("equities", MOST_WAITING)
        self._annotations = Calculator("annotations", MOST_ANNOTATIONS)
        services.on_run_out = Annotator(self._runtime, self._annotations).run_out
        calls = self._wallet_calls
        wallet = EmbeddedWallet(self._store) if calls is None else RemoteWallet(calls, self._store)
        self._room = Room(services, wallet, GAMES)
        if settings.bus:
            # Left out where there is one server: what speaks to the others need not be installed.
            from croupier.cluster import Cluster

            self._cluster = Cluster(settings, self._store, services, self._room, self._metrics)  # type: ignore[arg-type]
        self._build = Build(settings.store_name)
        self._ledger = LedgerCheck(self._store)
        self._room.bank.out_of_balance = self._ledger.out_of_balance
        # Before any call is taken: what a damaged ledger holds must not leave it.
        await self._ledger.check()
        self._lag = LoopLag(self._metrics.registry)
        self._make_api(houses, callers, PageTokens(opened.master_key))
        self._pages.metrics.look = Gauges(self._metrics.registry, self._sources()).look
        if self._cluster is not None:
            await self._cluster.join(self._rpc, self._play)
        elif opened.lapsed is not None:
            self._rpc.gate.router = SoleOwner(self._rpc.gate, opened.lapsed)
        tables = await self._room.recover()
        if self._cluster is not None:
            self.waits_for_another = True
            await self._cluster.meet(self._wait_for_an_answer)
            self.waits_for_another = False
            tables += await self._cluster.begin()
        self.port = await self._rpc.start(settings.address(settings.port), credentials)
        await self._rpc.serving(not self._cut_off())
        self._tasks.append(begin(self._ledger.run()))
        if self._console is not None:
            self._pages.console = self._console
            self._tasks.append(begin(self._console.run()))
        _leave_the_garbage_collector_little()
        if not self.replaced.is_set():
            self._readiness.reason = ""
        admission.tell_what_is_open(settings)
        _log.info(
            "server_started",
            grpc=settings.address(self.port),
            http=settings.address(self.http_port),
            database=settings.store_place,
            wallet=settings.wallet or "ledger",
            tables=tables,
            **self._build.labels(),
        )

    def _make_api(self, houses: Mapping[str, House], callers: Callers, tokens: PageTokens) -> None:
        behind = Behind(
            self._settings,
            self._runtime,
            self._store,
            self._room,
            houses,
            self._calculator,
            self._metrics,
            self._traces,
            self._build,
        )
        self._rpc, self._play, self._console = api.make(behind, callers, tokens)

    def _sources(self) -> Sources:
        """What gauges look at."""
        return Sources(
            room=self._room,
            ledger=self._ledger,
            now=self._runtime.now,
            clock_offset=lambda: self._runtime.clock_offset(),
            wal_bytes=self._wal_bytes,
            failing=lambda: bool(self._metrics.store_failure() or self._store_trouble()),
            ready=lambda: not self._readiness.why_not(),
            play_streams=lambda: len(self._play),
            build=self._build.labels(),
        )

    def _wait_for_another(self, owner: str, seconds: float) -> None:
        self.waits_for_another = True
        self._readiness.reason = f"waiting for the store, which {owner} has"
        _log.warning("store_has_another_owner", owner=owner, lease_seconds=round(seconds, 3))

    def _cut_off(self) -> str:
        """Why callers fare better at other servers, where they do."""
        return "" if self._cluster is None else self._cluster.cut_off

    def _wait_for_an_answer(self, why: str) -> None:
        if self._readiness.reason != why:
            self._readiness.reason = why
            _log.warning("no_other_server_answers", why=why)

    def _replaced(self, why: str) -> None:
        self._readiness.reason = why
        _log.error("server_replaced", why=why)
        self.replaced.set()

    def hurry(self) -> None:
        """Have `stop` wait for no hand any longer."""
        self._hurried = True

    async def stop(self) -> None:
        """Let hands in play end, take no more calls, let those under way end, then close the store."""
        if not self.replaced.is_set():
            self._readiness.reason = "stopping"
        await self._rpc.stop_serving()
        left = self._cluster is not None and await self._cluster.leave()
        if left:
            await asyncio.sleep(LATE_CALLS_S)
        else:
            self._room.drain()
            await self._let_hands_end()
        self._rpc.gate.draining = not left
        self._pages.console = None
        with contextlib.suppress(TimeoutError):  # what is not durable by then nobody hears of
            async with asyncio.timeout(CALLS_GRACE_S):
                await self._room.settled()
        self._room.end_streams()
        self._play.drain()
        await self._rpc.server.stop(CALLS_GRACE_S)
        if left and self._cluster is not None:
            await self._cluster.leave()  # with what was opened meanwhile
        for task in self._tasks:
            task.cancel()
        self._lag.stop()
        self._calculator.close()
        self._annotations.close()
        await self._runtime.stop()
        if self._wallet_calls is not None:
            await self._wallet_calls.close()
        with contextlib.suppress(Exception):  # the next start reads from the journal what is missing
            await self._room.hands.write()
        if self._cluster is not None:
            await self._cluster.close()
        await self._store.close()
        if self._traces is not None:
            await self._traces.close()
        await self._http.stop()
        _log.info("server_stopped")

    async def _let_hands_end(self) -> None:
        """For as long as may be; a hand that goes on then stops between two actions, and resumes after a start."""
        hands = self._room.hands_in_play()
        if not hands or self.replaced.is_set():
            return
        _log.info("drain_began", hands=hands, most_seconds=self._settings.drain_timeout)
        until = time.monotonic() + self._settings.drain_timeout
        while self._room.hands_in_play() and time.monotonic() < until:
            if self._hurried or self.replaced.is_set():
                break
            await asyncio.sleep(_LOOK_EVERY_S)
        _log.info("drain_ended", hands=self._room.hands_in_play())
