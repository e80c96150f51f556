"""What callers of one server speak to: the gRPC server with its servicers, and the console. It starts nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from croupier.adapters.calculator import Calculator
from croupier.adapters.metrics import Metrics
from croupier.adapters.rpc import messages
from croupier.adapters.rpc.betting_servicer import BettingServicer
from croupier.adapters.rpc.callers import Callers
from croupier.adapters.rpc.evaluation_servicer import EvaluationServicer
from croupier.adapters.rpc.gate import Gate
from croupier.adapters.rpc.hand_servicer import HandServicer
from croupier.adapters.rpc.house_scope import HouseScope
from croupier.adapters.rpc.operator_servicer import OperatorServicer
from croupier.adapters.rpc.pages import PageTokens
from croupier.adapters.rpc.play_stream import PlayStreams
from croupier.adapters.rpc.seat_servicer import SeatServicer
from croupier.adapters.rpc.server import Connections, RpcServer
from croupier.adapters.rpc.settlement_servicer import SettlementServicer
from croupier.adapters.rpc.table_servicer import TableServicer
from croupier.adapters.rpc.watch_stream import WatchStream
from croupier.adapters.version import Build
from croupier.config import Settings
from croupier.houses.house import House
from croupier.room.ports import Runtime, Store
from croupier.room.room import Room
from croupier.room.sight import HandSight

if TYPE_CHECKING:
    from croupier.adapters.console import Console
    from croupier.adapters.traces.spans import Spans


class Behind(NamedTuple):
    """What is behind the API."""

    settings: Settings
    runtime: Runtime
    store: Store
    room: Room
    houses: Mapping[str, House]
    calculator: Calculator
    metrics: Metrics
    traces: Spans | None
    build: Build


class Api(NamedTuple):
    """`console` is None where it is off."""

    rpc: RpcServer
    play: PlayStreams
    console: Console | None


def make(behind: Behind, callers: Callers, tokens: PageTokens) -> Api:
    """The API; its Play streams are told of tables that open."""
    settings, runtime, room, metrics = behind.settings, behind.runtime, behind.room, behind.metrics
    currency_of = {one: house.file.currency for one, house in behind.houses.items()}
    currencies = set(currency_of.values())
    scope = HouseScope(behind.store, currency_of)
    gate = _gate(behind, callers, scope)
    betting = BettingServicer(room, runtime)
    watch = WatchStream(room, runtime, metrics)
    act = gate.on_stream("Play.Act", betting.act, "croupier.v1.BettingService/Act")
    play = PlayStreams(room, act, watch, metrics)
    room.on_opened = lambda actor: play.opened(actor.table_id, actor.table.rules.house_id)
    info = messages.server_info(behind.build, runtime.now())
    tables = TableServicer(room, runtime, behind.houses, info, tokens)
    sight = HandSight(lambda where: room.listing.where(where))
    hands = HandServicer(room.records, room.verification, sight, tokens)
    console = None
    if settings.console:
        # Left out where it is off: its files are kept in memory.
        from croupier.adapters.console import Console, Parts, Visitors

        parts = Parts(room, runtime, metrics.registry, scope, tables, hands, watch)
        console = Console(parts, Visitors(callers, known=settings.with_credentials))
    connections = Connections(
        max_message_bytes=settings.max_message_bytes,
        max_age=settings.max_connection_age,
        min_ping_interval=settings.min_ping_interval,
    )
    rpc = RpcServer(gate, connections)
    rpc.add(
        tables,
        watch,
        SeatServicer(room, runtime),
        betting,
        play,
        SettlementServicer(room, behind.store, currencies, scope, tokens),
        hands,
        EvaluationServicer(behind.calculator),
        OperatorServicer(room, runtime, behind.houses, currencies, tokens),
    )
    return Api(rpc, play, console)


def _gate(behind: Behind, callers: Callers, scope: HouseScope) -> Gate:
    if behind.traces is None:
        return Gate(behind.metrics, callers, scope)
    from croupier.adapters.traces.traced_gate import TracedGate

    return TracedGate(behind.traces, behind.runtime, behind.metrics, callers, scope)
