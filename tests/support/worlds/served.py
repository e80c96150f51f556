"""The whole service in simulated time: wired as the app wires it, with nothing between a test and its handlers."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

import structlog
from structlog._config import BoundLoggerLazyProxy
from tests.fakes.memory_store import MemoryStore
from tests.fakes.simulated_runtime import NS, SimulatedRuntime
from tests.support.houses import HOUSES
from tests.support.operator_house import TEXT, spoiled
from tests.support.worlds.console import Everybody

from croupier.adapters import logs
from croupier.adapters.calculator import Calculator
from croupier.adapters.embedded_wallet import EmbeddedWallet
from croupier.adapters.games import GAMES
from croupier.adapters.http import Pages, Readiness
from croupier.adapters.metrics import Gauges, LedgerCheck, Metrics
from croupier.adapters.metrics import ledger_check as ledger_check_module
from croupier.adapters.rpc import annotations as annotations_module
from croupier.adapters.rpc import gate, play_stream
from croupier.adapters.rpc.annotations import Annotator
from croupier.adapters.rpc.callers import Callers
from croupier.adapters.rpc.pages import PageTokens
from croupier.adapters.traces.spans import Spans
from croupier.adapters.version import Build
from croupier.app import App
from croupier.config import Settings
from croupier.handrank.equity import Equity, Question, calculate
from croupier.houses.house import House
from croupier.houses.loader import read
from croupier.room.ports import Record
from croupier.room.room import Room
from croupier.room.seal import Seal
from croupier.room.services import Services

VAULT: Final = spoiled(
    'house_id = "back_room" => house_id = "vault"',
    "[free_play] => "
    '[showdown]\nlosing_hands_mucked = true\nshow_window_s = 5\n\n[seal]\nhand_keys = "destroy"\n\n[free_play]',
)
ALL_HOUSES: Final[Mapping[str, House]] = dict(
    sorted(
        {
            **HOUSES,
            "back_room": read("back.toml", TEXT.encode(), GAMES),
            "vault": read("vault.toml", VAULT, GAMES),
        }.items()
    )
)
"""The bundled ones, one with every game that those leave out, and one that destroys the keys of settled hands."""
MOST_DEALS: Final = 400
"""Deals of an annotation's street: how good it is does not matter here."""


class Handlers:
    """In place of a gRPC server: keeps what is registered."""

    def __init__(self) -> None:
        self._generic: list[Any] = []
        self._found: dict[str, Any] = {}

    def add_generic_rpc_handlers(self, handlers: Sequence[Any]) -> None:
        self._generic += handlers

    def add_registered_method_handlers(self, *_: Any) -> None:
        """The same handlers once more."""

    def of(self, path: str) -> Any:
        """The handler of `/package.Service/Method`; None where there is none."""
        if path not in self._found:
            details = SimpleNamespace(method=path, invocation_metadata=())
            answers = (handlers.service(details) for handlers in self._generic)
            self._found[path] = next((one for one in answers if one is not None), None)
        return self._found[path]


class InlineCalculator(Calculator):
    """Calculates at once: a thread would answer when the machine likes."""

    def __init__(self) -> None:
        super().__init__("inline", 4)

    async def equities(self, questions: Sequence[Question]) -> list[Equity]:
        return [calculate(question, lambda: False) for question in questions]


class InlineExecutor(Executor):
    """Does at once what threads would do sometime."""

    def __init__(self, *_: Any, **__: Any) -> None: ...

    def submit(self, call: Callable[..., Any], /, *told: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(call(*told, **named))
        return done


class Served(App):
    """An app without sockets, disk and threads; everything that it tells passes `handlers`, `pages` or the log."""

    def __init__(self, runtime: SimulatedRuntime, callers: Callers, traces: Spans | None = None) -> None:
        super().__init__(Settings(console=True))
        self._metrics = Metrics()
        self._readiness = Readiness(self._metrics.store_failure)
        self._readiness.reason = ""
        self.pages = Pages(self._metrics.registry, self._readiness, with_console=True)
        self._wallet_calls = None
        self._runtime = runtime
        self._store = self.memory = MemoryStore(runtime.now)
        self._traces = traces
        services = Services(runtime, self._store, Seal(bytes(32)), self._metrics, traces)
        self._calculator = self._annotations = InlineCalculator()
        services.on_run_out = Annotator(runtime, self._annotations).run_out
        self._room = self.room = Room(services, EmbeddedWallet(self._store), GAMES)
        self._build = Build("memory")
        self._ledger = LedgerCheck(self._store)
        self.room.bank.out_of_balance = self._ledger.out_of_balance
        self._make_api(ALL_HOUSES, callers, PageTokens(bytes(32)))
        gauges = Gauges(self._metrics.registry, self._sources()._replace(clock_offset=lambda: 0.0))
        self.pages.metrics.look = gauges.look
        self.handlers: Handlers = self._rpc.server  # type: ignore[assignment]
        assert self._console is not None
        self._console._visitors = Everybody()
        self.pages.console = self.console = self._console

    def journal(self, table_id: str) -> Sequence[Record]:
        """A table's records as they lie."""
        return self.memory._tables[table_id].records

    async def check_ledger(self) -> None:
        """As it is done every half minute."""
        await self._ledger.check()


@contextmanager
def in_simulated_time(runtime: SimulatedRuntime) -> Iterator[None]:
    """What else reads clocks and starts threads does as the simulation does. Journals are read in small pages: what
    a page holds must not show in what is told of it."""
    now = SimpleNamespace(time=lambda: runtime.now() / NS)
    with ExitStack() as stack:
        for one in (
            patch("grpc.aio.server", lambda **_: Handlers()),
            patch.object(gate, "perf_counter", lambda: runtime.now() / NS),
            patch.object(play_stream, "perf_counter", lambda: runtime.now() / NS),
            patch.object(ledger_check_module, "time", now),
            patch("croupier.adapters.rpc.evaluation_servicer.ThreadPoolExecutor", InlineExecutor),
            patch("croupier.room.history.PAGE", 16),
            patch("croupier.room.hand_reading.PAGE", 16),
            patch.object(annotations_module, "_MOST_DEALS", MOST_DEALS),
            patch.object(annotations_module, "_MOST_HOLDEM_DEALS", MOST_DEALS),
        ):
            stack.enter_context(one)
        yield


@contextmanager
def logged() -> Iterator[io.BytesIO]:
    """Everything that the service logs, from debug on, as it would be written."""
    before, root = structlog.get_config(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.BytesIO()
    _forget_loggers()
    logs.configure("debug", stream, terminal=False)
    structlog.configure(cache_logger_on_first_use=False)
    root.handlers[:] = [*handlers, *root.handlers]
    try:
        yield stream
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        structlog.configure(**before)


def _forget_loggers() -> None:
    """A logger remembers the configuration that it was first used under."""
    import sys

    for name, module in list(sys.modules.items()):
        if name.startswith("croupier."):
            for one in vars(module).values():
                if isinstance(one, BoundLoggerLazyProxy):
                    vars(one).pop("bind", None)
