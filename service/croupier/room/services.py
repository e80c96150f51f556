"""What every actor of a room shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier.engine.table_events import PendingTransfer
from croupier.room.hand_ports import SettledHand
from croupier.room.observer import Observer
from croupier.room.ports import Runtime, Store
from croupier.room.reach import Reach
from croupier.room.run_outs import RunOut
from croupier.room.seal import Seal
from croupier.room.traces import Tracer

if TYPE_CHECKING:
    from croupier.room.actor import TableActor


class Services:
    """The ports, the seal, this server's place among others, and what is to be heard of: transfers to be driven, hands
    that ended, hands that ran out before watchers, and tables that closed or are another server's."""

    __slots__ = (
        "node_id",
        "observer",
        "on_closed",
        "on_hand_ended",
        "on_moved",
        "on_run_out",
        "on_transfer",
        "reach",
        "runtime",
        "seal",
        "store",
        "tracer",
    )

    def __init__(
        self, runtime: Runtime, store: Store, seal: Seal, observer: Observer, tracer: Tracer | None = None
    ) -> None:
        """Without a tracer nothing is traced, and nothing looks whether it should be."""
        self.runtime = runtime
        self.store = store
        self.seal = seal
        self.observer = observer
        self.tracer = tracer
        self.on_transfer: Callable[[TableActor, PendingTransfer], None] = lambda _actor, _transfer: None
        self.on_hand_ended: Callable[[SettledHand], None] = lambda _hand: None
        self.on_run_out: Callable[[TableActor, RunOut], None] = lambda _actor, _run_out: None
        self.on_closed: Callable[[TableActor], None] = lambda _actor: None
        self.node_id = ""
        """This server's name where several share the store; empty where it has none to share it with."""
        self.reach: Reach | None = None
        """Whether callers get here by way of other servers; None where there are none."""
        self.on_moved: Callable[[TableActor], object] = lambda _actor: None
        """Told of a table that the store says is another server's."""
