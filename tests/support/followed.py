"""A table in simulated time that one server plays and others follow, over a bus within the process."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from random import Random
from typing import Any, cast

import msgspec
from tests.fakes.memory_store import Done
from tests.fakes.simulated_runtime import SimulatedRuntime
from tests.fakes.simulated_table import CURRENCY, SimulatedTable
from tests.fakes.unobserved import Unobserved
from tests.support.buses import LocalBus, Wires
from tests.support.houses import table_rules

from croupier.adapters.games import GAMES
from croupier.adapters.rpc.watch_stream import WatchStream
from croupier.engine import actions
from croupier.engine import commands as cmd
from croupier.engine.rules import Structure
from croupier.engine.table_events import AdvanceAction, AdvanceKind, Preferences
from croupier.room.exchange import Discard
from croupier.room.failures import Refusal, StoreAway
from croupier.room.follower import Follower
from croupier.room.link import Link
from croupier.room.ports import Failed, Record, Store, Unit
from croupier.room.principal import LOCAL
from croupier.room.room import Room
from croupier.room.seal import Seal
from croupier.room.services import Services
from croupier.room.subjects import Subjects
from croupier.room.watched import Watched
from croupier.v1 import table_service_pb2 as pb

PLAYERS = ("anna", "bert", "cleo", "dora", "emil", "fred")
SUBJECTS = Subjects("room")
TABLES: Mapping[str, tuple[str, Structure, int, int, str | None]] = {
    "holdem": ("puzzle_pirates", Structure.NO_LIMIT, 2, 6, None),
    "omaha": ("poker_ocean", Structure.POT_LIMIT, 10, 4, "omaha"),
    "omaha_hi_lo": ("poker_ocean", Structure.POT_LIMIT, 10, 4, "omaha_hi_lo"),
    "five_card_omaha": ("poker_ocean", Structure.NO_LIMIT, 10, 4, "omaha"),
    "six_card_omaha": ("poker_ocean", Structure.POT_LIMIT, 10, 4, "omaha"),
    "five_card_draw": ("five_aces", Structure.SPREAD_LIMIT, 1, 6, "five_card_draw"),
}
"""A table for every game: house, structure, minimum bet, seats, and the game of the house that is nearest to it."""


class Strict(Unobserved):
    """What cannot be followed fails the test."""

    def follower_failed(self, table_id: str, failure: Exception) -> None:
        raise AssertionError(f"{table_id} cannot be followed") from failure

    def table_halted(self, table_id: str, violation: Exception) -> None:
        raise AssertionError(f"{table_id} halted") from violation


class Reached:
    """A store as one server reaches it: what it submits may be stalled, and has no effect then."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self._stalled: list[Done] | None = None
        self.away = False

    async def records(self, *asked: Any, **more: Any) -> list[Record]:
        if self.away:
            raise StoreAway("the store cannot be reached")
        return await self._store.records(*asked, **more)  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def submit(self, unit: Unit, done: Done) -> None:
        if self._stalled is None:
            self._store.submit(unit, done)
        else:
            self._stalled.append(done)

    def stall(self) -> None:
        self._stalled = []

    def fail(self) -> None:
        """What was stalled has failed."""
        stalled, self._stalled = self._stalled or [], None
        for done in stalled:
            done(Failed("another owner has the table"))


class Server:
    """One server of the room: what it watches, and its end of the bus."""

    def __init__(self, room: Room, services: Services, wires: Wires, node_id: str) -> None:
        self.room = room
        self.node_id = node_id
        self.store = Reached(services.store)
        services.store = cast("Store", self.store)
        self.bus = LocalBus(wires)
        self.services = services
        self.watch_stream = WatchStream(room, services.runtime, services.observer)
        room.join(Link(services, self.bus, SUBJECTS, node_id))

    async def follower(self, table_id: str) -> Follower:
        watched = await self.room.watched(table_id)
        assert isinstance(watched, Follower), "the table is played here"
        return watched

    def watch(self, table_id: str, viewer: str = "", **fields: Any) -> Watching:
        """Begin a stream of WatchTable."""
        request = pb.WatchTableRequest(table_id=table_id, player_id=viewer, **fields)
        return Watching(self, request)


class Watching:
    """A stream of WatchTable; `messages` are those that came."""

    def __init__(self, server: Server, request: pb.WatchTableRequest) -> None:
        self.messages: list[bytes] = []
        self.failure: Exception | None = None
        self.over = False
        self._task = server.services.runtime.loop.create_task(self._run(server, request))  # type: ignore[attr-defined]

    async def _run(self, server: Server, request: pb.WatchTableRequest) -> None:
        try:
            await server.watch_stream.watch(LOCAL, request, self._write)
        except Exception as failure:
            self.failure = failure
        self.over = True

    async def _write(self, message: bytes) -> None:
        self.messages.append(message)

    def leave(self) -> None:
        self._task.cancel()

    def told(self) -> list[pb.WatchTableResponse]:
        return [pb.WatchTableResponse.FromString(message) for message in self.messages]

    def but_heartbeats(self) -> list[bytes]:
        """The bytes of all other messages."""
        told = zip(self.messages, self.told(), strict=True)
        return [data for data, message in told if not message.HasField("heartbeat")]

    def position(self, place: int) -> tuple[int, int]:
        """The sequence and the private_sequence that whoever took so many messages may resume after."""
        after = private = 0
        for message in self.told()[:place]:
            if message.HasField("snapshot"):
                after, private = message.snapshot.sequence, message.snapshot.own.private_sequence
            for event in message.events.events:
                after = event.sequence
            for own in message.private_events.events:
                private = own.private_sequence
        return after, private

    def events(self, since: int = 0) -> list[bytes]:
        """Every event, whatever messages they came in, but for the first of those."""
        return [
            event.SerializeToString(deterministic=True)
            for message in self.told()[since:]
            for event in (*message.events.events, *message.private_events.events)
        ]

    def sequences(self) -> list[int]:
        """Those of the events, each once for those that share one."""
        found: list[int] = []
        for message in self.told():
            for event in message.events.events:
                if not found or found[-1] != event.sequence:
                    found.append(event.sequence)
        return found

    def end(self) -> str:
        """Why the stream ended."""
        last = self.told()[-1]
        return pb.StreamEndReason.Name(last.end.reason).removeprefix("STREAM_END_REASON_")


class Servers:
    """The table's owner, and others beside it."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table
        self.wires = Wires()
        table.store.belongs_to(table.table_id, "owner")
        self.owner = Server(table.room, table.services, self.wires, "owner")

    async def move(self, to: Server) -> None:
        """Another server becomes the table's owner, after everything that was submitted."""
        if self.owner is not to:
            await self.table.runtime.idle()
            self.owner.room.release(self.table.table_id)
            await self.take(to)

    async def take(self, to: Server) -> None:
        """The new owner goes on from the store."""
        table = self.table
        await to.room.take(table.store.claim(table.table_id, to.node_id))
        self.owner, table.room = to, to.room
        table.actor = await to.room.table(table.table_id)

    def beside(self, node_id: str) -> Server:
        """One more, on the same store and with the same master key."""
        table = self.table
        services = Services(table.runtime, table.store, Seal(bytes(32)), table.observer)
        return Server(Room(services, table.wallet, GAMES), services, self.wires, node_id)


def rules_of(game: str, **changed: Any) -> dict[str, Any]:
    """The rules of the game's table, by name."""
    house, structure, min_bet, seats, picked = TABLES[game]
    choice = {"game": picked} if picked is not None else {}
    rules = table_rules(structure, min_bet, seats, house=house, choice=choice, hand_pause_ms=0)
    return {**msgspec.structs.asdict(rules), "game": game, "currency": CURRENCY, **changed}


async def seated(runtime: SimulatedRuntime, game: str, players: int, **changed: Any) -> SimulatedTable:
    """A table of a game with its first hand dealt."""
    rules = rules_of(game, **changed)
    table = await SimulatedTable.open(runtime, observer=Strict(), **rules)
    await table.change_state(cmd.PauseTable())
    for seat in range(1, players + 1):
        await table.sit(PLAYERS[seat - 1], seat, rules["min_buy_in"])
    await table.change_state(cmd.ResumeTable())
    await runtime.idle()
    return table


async def play_on(table: SimulatedTable, random: Random) -> None:
    """One thing happens at the table, mostly an action; those who are broke come back."""
    luck = random.random()
    decision = table.actor.decision()
    if decision is None:
        await _bring_back(table)
        await table.sleep(1)
    elif luck < 0.03:
        await table.time_out()
    elif luck < 0.09:
        await table.prefer(decision.player_id, Preferences(luck < 0.06))
    elif luck < 0.15 and not decision.legal.can_draw:
        others = [
            seat.player_id
            for seat in table.actor.table.seats.values()
            if seat.player_id != decision.player_id
        ]
        await _say(table, random.choice(others))
    else:
        await table.act(_choice(table, random))
    await table.runtime.idle()


async def _say(table: SimulatedTable, player_id: str) -> None:
    with contextlib.suppress(Refusal):  # those who have folded, or are all in, have nothing to say
        await table.say(player_id, AdvanceAction(AdvanceKind.CHECK_FOLD))


async def _bring_back(table: SimulatedTable) -> None:
    """Those who have lost all, or sit out."""
    least = table.actor.table.rules.min_buy_in
    for player_id in PLAYERS[:4]:
        number = table.actor.table.seat_of(player_id)
        with contextlib.suppress(Refusal):
            if not number:
                await table.sit(player_id, PLAYERS.index(player_id) + 1, least)
            elif table.actor.table.seats[number].sitting_out:
                await table.change_seat(player_id, cmd.SitIn(player_id, wait_for_big_blind=False))


def _choice(table: SimulatedTable, random: Random) -> actions.Action | Discard:
    legal, luck = table.decision.legal, random.random()
    if legal.can_draw:
        hand = table.actor.table.hand
        assert hand is not None
        return Discard(hand.hole_cards[hand.actor][: min(random.choice((0, 1, 3, 3)), legal.max_discards)])
    quiet = actions.CHECK if legal.can_check else actions.CALL if legal.call_amount else None
    if luck < 0.15 and legal.can_fold:
        return actions.FOLD
    most = legal.max_raise_to or legal.max_bet_to
    if quiet is None or (luck < 0.3 and most):
        least = legal.min_raise_to or legal.min_bet_to
        to = random.choice((least, least, most))
        return actions.RaiseTo(to) if legal.max_raise_to else actions.BetTo(to)
    return quiet


def viewers(watched: Watched) -> list[str]:
    """Nobody, everybody at the table, and a stranger."""
    return ["", "stranger", *(seat.player_id for seat in watched.table.seats.values())]
