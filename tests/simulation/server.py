"""What stands between callers and the room in one life of the service, as the servicers do."""

from __future__ import annotations

from tests.fakes.unobserved import Unobserved
from tests.simulation.calls import AWAY, Receive, Reply, Request
from tests.simulation.checks import Checks
from tests.simulation.disk import Disk
from tests.simulation.life import Life
from tests.simulation.methods import Methods
from tests.simulation.shadow import MASTER_KEY
from tests.simulation.stream import Stream
from tests.simulation.world import World

from croupier.adapters.games import GAMES
from croupier.room.failures import Refusal, StoreAway, TableHalted
from croupier.room.room import Room
from croupier.room.seal import Seal
from croupier.room.services import Services
from croupier.room.wallet_ports import Wallet, WalletAway


class Alarms(Unobserved):
    """Tells the checks of what may never happen."""

    def __init__(self, world: World) -> None:
        self._world = world

    def table_halted(self, table_id: str, violation: Exception) -> None:
        self._world.violated(f"table {table_id} halted: {violation!r}")


class Server:
    """Answers nothing until every table is back."""

    def __init__(self, world: World, life: Life, disk: Disk, wallet: Wallet, checks: Checks) -> None:
        self.life = life
        self.ready = False
        self.world = world
        self.checks = checks
        self.room = Room(Services(life, disk, Seal(MASTER_KEY), Alarms(world)), wallet, GAMES)
        self._methods = Methods(self.room, life)
        life.spawn(self._start())

    async def _start(self) -> None:
        await self.room.recover()
        self.ready = True

    def take(self, request: Request, receive: Receive) -> None:
        """A request has arrived."""
        if self.life.alive and self.ready:
            self.life.spawn(self._serve(request, receive))
        else:
            receive(AWAY)

    async def _serve(self, request: Request, receive: Receive) -> None:
        arrived = self.checks.moment()
        try:
            reply = Reply("done", await self._methods.answer(request))
        except Refusal as refusal:
            reply = Reply("refused", reason=refusal.reason)
        except (StoreAway, WalletAway):
            reply = AWAY
        except TableHalted as halted:
            reply = Reply("refused", reason=halted.reason)
        self.checks.replied(request, reply, arrived)
        receive(reply)

    def watch(self, stream: Stream) -> None:
        """A watcher's request has arrived."""
        if self.life.alive and self.ready:
            self.life.spawn(stream.serve(self.room, self.life))
        else:
            stream.broken()
