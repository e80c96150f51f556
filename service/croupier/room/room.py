"""The room: every open table by its id, and what callers may do with them. It does not know gRPC."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.events import Event
from croupier.engine.game import Game
from croupier.engine.table import Table
from croupier.engine.table_events import RequestKey
from croupier.engine.table_rules import TableRules
from croupier.room import past_acts
from croupier.room.actor import TableActor
from croupier.room.acts import Acted
from croupier.room.answers import StateAnswer, TableAnswer
from croupier.room.bank import Bank
from croupier.room.blocks import Blocks
from croupier.room.broadcasts import Broadcasts
from croupier.room.cashier import Cashier
from croupier.room.cluster_ports import Fleet
from croupier.room.everyone import Everyone
from croupier.room.failures import JournalDamaged, Refusal, StoreAway, TableHalted, moving
from croupier.room.folding import Folded, fold_as_far
from croupier.room.followers import Followers
from croupier.room.hand_index import HandIndex
from croupier.room.journal import Chain, created_by
from croupier.room.link import Link
from croupier.room.listing import Listing, Tables
from croupier.room.log_following import LogFollowing
from croupier.room.operating import Operating
from croupier.room.ports import RequestRecord, TableJournal, TableRow, Unit
from croupier.room.records import Records
from croupier.room.requests import Requests, lasting
from croupier.room.resolving import Resolving
from croupier.room.seats import Seats, carry_out
from croupier.room.services import Services
from croupier.room.shared_listing import SharedListing
from croupier.room.sharing import Sharing
from croupier.room.traced_actor import actor_of
from croupier.room.verification import Verification
from croupier.room.wallet_ports import Wallet
from croupier.room.watched import Watched
from croupier.room.wishes import Wishes

MOST_CLOSED: Final = 256
_ID_BYTES: Final = 10


class Room:
    """All tables of one process. Every method that changes something answers only once it is durable."""

    def __init__(self, services: Services, wallet: Wallet, games: Mapping[str, Game]) -> None:
        self._services = services
        self._games = games
        self._tables: dict[str, TableActor] = {}
        self._closed: dict[str, TableActor] = {}
        self._damaged: dict[str, str] = {}
        """Tables of which nothing is known but that they are this server's, and why not."""
        self._draining = False
        self._requests = Requests(services.runtime, services.store)
        cashier = Cashier(services.runtime, wallet)
        self._blocks = Blocks(services.runtime)
        self.seats = Seats(services.runtime, self._requests, cashier, self._blocks, self.table)
        self.operating = Operating(services, self._requests, self._blocks, self.table, self.tables)
        self.local = Listing(self.tables)
        self.listing: Tables = self.local
        """The open tables of all servers."""
        self.resolving = Resolving(services, self._requests, self._goes_on, self.table)
        self.wishes = Wishes(self._requests, self.table)
        self.bank = Bank(services.runtime, services.store, wallet, self._requests)
        self.hands = HandIndex(services.runtime, services.store, services.observer)
        self.records = Records(services, games, self.hands)
        self.verification = Verification(services, games, self.records)
        self.sharing = Sharing(self._requests, self.table)
        self.on_opened: Callable[[TableActor], None] = lambda _: None
        """Told of each table that is opened."""
        self.on_gone: Callable[[str], None] = lambda _: None
        """Told of each table that is closed, or another server's now."""
        self.followers: Followers | None = None
        """Tables of other servers that are watched here; None where this server has no others."""
        self._broadcasts: Broadcasts | None = None
        services.on_transfer = self.seats.see_through
        services.on_hand_ended = self.hands.remember
        services.on_closed = self._forget
        services.on_moved = lambda actor: self.release(actor.table_id)

    # Tables

    async def recover(self) -> int:
        """Bring every open table back to where its journal stands; how many there are."""
        for journal in await self._services.store.open_tables():
            actor = self._brought_back(journal)
            if actor is not None:
                self._tables[actor.table_id] = actor
        await self.hands.catch_up(self._tables if self._services.node_id else None)
        await self._blocks.read(self._services.store)
        for actor in self.tables():
            actor.resume()
            self.operating.enforce_at(actor)
        return len(self._tables)

    def _brought_back(self, journal: TableJournal) -> TableActor | None:
        """The table as its journal leaves it; None where not even its rules are known."""
        try:
            return self._restore(journal)
        except JournalDamaged as damage:
            self._services.observer.table_halted(journal.table_id, damage)
            self._damaged[journal.table_id] = repr(damage)
            return None

    def _restore(self, journal: TableJournal) -> TableActor:
        """Raises JournalDamaged where not even its rules are known."""
        game = self._games[created_by(journal.first).rules.game]
        return actor_of(self._services, fold_as_far(journal, game, self._services.seal))

    def join(self, link: Link) -> None:
        """Have tables of other servers watched here, and tables of this one elsewhere."""
        self._services.node_id = link.node_id
        self.followers = Followers(link, self._games)
        self._broadcasts = Broadcasts(link)
        self._requests.shared = self.hands.shared = True
        for actor in self.tables():
            self._broadcasts.open(actor)
        self._services.runtime.spawn(self.followers.run())

    def share(self, fleet: Fleet, everyone: Everyone) -> LogFollowing:
        """Know the tables of other servers, and keep whom they keep from playing: by what is read of the log."""
        blocks, operating = self._blocks, self.operating
        self.listing = operating.listing = SharedListing(self._services.runtime, fleet, everyone, self.local)
        log = LogFollowing(self._services, fleet, everyone, blocks, operating.enforce)
        operating.others, blocks.be_fresh = log, log.be_fresh
        return log

    async def take(self, journal: TableJournal) -> None:
        """Go on with a table that is this server's now, by one call at a time."""
        if self.has(journal.table_id):
            return
        actor = self._brought_back(journal)
        if actor is None:
            return
        await self.adopt(actor)
        actor.resume()
        self.operating.enforce_at(actor)

    async def adopt(self, actor: TableActor) -> None:
        """Serve a table that is this server's now. Whoever watched it here goes on without a gap.

        The actor was folded from the journal that came with the table, and goes on (`resume`) after this.
        """
        if self.followers is not None:
            await self.followers.give_to(actor)
        self._tables[actor.table_id] = actor
        if self._draining:
            actor.drain()
        if self._broadcasts is not None:
            self._broadcasts.open(actor, moved=True)

    def release(self, table_id: str) -> int:
        """A table is another server's now: nothing more is done with it here. Whoever watches it here goes on.

        The epoch that it was played in here; 0 where it was not.
        """
        self._damaged.pop(table_id, None)
        actor = self._tables.pop(table_id, None)
        if actor is None:
            return 0
        self.on_gone(table_id)
        if self._broadcasts is not None:
            self._broadcasts.close(table_id)
        if self.followers is not None:
            self.followers.take_from(actor)
        else:
            actor.retire().end("SERVER_DRAINING")
        return actor.epoch

    def drain(self) -> None:
        """Start no more hands, at tables opened from now on neither: the server is about to stop."""
        self._draining = True
        for actor in self.tables():
            actor.drain()

    def hands_in_play(self) -> int:
        """Hands that may yet end by themselves: those of halted tables do not."""
        return sum(1 for actor in self.tables() if actor.table.hand is not None and not actor.halted)

    async def settled(self) -> None:
        """Return once what every table's state depends on is durable, or its store is known to be away."""
        for actor in self.tables():
            with suppress(Refusal, StoreAway):
                await actor.barrier()

    def end_streams(self) -> None:
        """End every watcher's stream after what it was told so far."""
        for actor in self.tables():
            actor.watchers.end("SERVER_DRAINING")
        if self.followers is not None:
            self.followers.end_streams()

    async def create_table(
        self, key: RequestKey, name: str, rules: TableRules, house_digest: str
    ) -> TableAnswer:
        """Open a table by rules already resolved and checked against its house."""

        async def run() -> TableAnswer:
            table_id = self._services.runtime.entropy(_ID_BYTES).hex()
            event = tev.TableCreated(table_id, name, rules, house_digest)
            now = self._services.runtime.now()
            table = Table(event, self._games[rules.game])
            actor = actor_of(self._services, Folded(table, Chain(table_id), now))
            self._tables[table_id] = actor
            if self._draining:
                actor.drain()
            row = TableRow(table_id, rules.house_id, name, rules.currency, now)
            answers: list[TableAnswer] = []

            def answer(_: list[Event], __: int) -> RequestRecord:
                answers.append(TableAnswer(actor.view("")))
                return lasting(key, answers[0])

            try:
                await actor.create(event, Unit(created=row), key, answer).durable()
            except BaseException:
                self._tables.pop(table_id, None)
                raise
            if table_id in self._tables:
                if self._broadcasts is not None:
                    self._broadcasts.open(actor)
                self.on_opened(actor)
            return answers[0]

        return await self._requests.once(key, TableAnswer, run)

    async def table(self, table_id: str) -> TableActor:
        """The actor of a table; a closed one is read from the store. Raises Refusal TABLE_UNKNOWN, TABLE_MOVING."""
        actor = self._tables.get(table_id) or self._closed.get(table_id)
        if actor is None:
            journal = await self._services.store.recover(table_id)
            if journal is None:
                raise Refusal("TABLE_UNKNOWN", table_id=table_id)
            actor = self._tables.get(table_id) or self._closed.get(table_id) or await self._found(journal)
            if not self._may_tell_of(actor):
                raise moving(table_id)
        return actor

    async def _found(self, journal: TableJournal) -> TableActor:
        """A table that was not brought back: closed, another server's, or damaged.

        One of this server's that is sound by now stands still until an operator resolves it. Raises JournalDamaged.
        """
        actor, node_id = self._restore(journal), self._services.node_id
        known = self._damaged.get(journal.table_id, "")
        if not known and not journal.owner and actor.table.carried.state is not tev.TableState.CLOSED:
            known = "" if actor.halted else "its row in the store said that it was closed"
        if not known or (node_id and journal.owner != node_id):
            return actor
        self._damaged.pop(journal.table_id, None)
        if not actor.halted:
            actor.recovery.remain_still(known)
        self._tables[journal.table_id] = actor
        await self.adopt(actor)
        return actor

    def _goes_on(self, actor: TableActor) -> None:
        """A table stands still no longer; its last hands may not be in the index."""
        self.hands.expect((actor.table_id,))
        self.operating.enforce_at(actor)

    def _may_tell_of(self, actor: TableActor) -> bool:
        """Whether nobody else goes on with the table."""
        alone = not self._services.node_id or actor.table.carried.state is tev.TableState.CLOSED
        return alone or self._tables.get(actor.table_id) is actor

    async def watched(self, table_id: str, *, fresh: bool = False) -> Watched:
        """A table to be looked at, which another server may play. Raises Refusal TABLE_UNKNOWN, StoreAway.

        `fresh`: as far at least as anybody was told before this. What it is may change with the next await.
        """
        known = self._tables.get(table_id) or self._closed.get(table_id)
        if known is not None or self.followers is None:
            return known or await self.table(table_id)
        follower = await self.followers.follower(table_id)
        if follower is not None and fresh and not follower.closed:
            await follower.fill()
        watched = self._tables.get(table_id) or follower
        if watched is None:
            raise Refusal("TABLE_UNKNOWN", table_id=table_id)
        return watched

    def has(self, table_id: str) -> bool:
        """Whether an open table is played here."""
        return table_id in self._tables or table_id in self._damaged

    def hosted(self) -> list[str]:
        """The ids of all that are played here, or cannot be played because nothing is known of them."""
        return [*self._tables, *self._damaged]

    def tables(self) -> list[TableActor]:
        """Every open table, in order of creation."""
        return list(self._tables.values())

    def _forget(self, actor: TableActor) -> None:
        """Move a closed table out of the list; a few are kept at hand for those who still ask."""
        self._tables.pop(actor.table_id, None)
        self.on_gone(actor.table_id)
        if self._broadcasts is not None:
            self._broadcasts.close(actor.table_id)
        self._closed[actor.table_id] = actor
        while len(self._closed) > MOST_CLOSED:
            del self._closed[next(iter(self._closed))]

    # Betting

    async def act(
        self,
        principal: str,
        request_id: str,
        table_id: str,
        player_id: str,
        hand_number: int,
        action_sequence: int,
        action: Any,
    ) -> Acted:
        """A player's action, answered once it is durable."""
        runtime = self._services.runtime
        started = runtime.now()
        actor = self._tables.get(table_id) or await self.table(table_id)
        try:
            acted = actor.act(principal, request_id, player_id, hand_number, action_sequence, action)
        except (Refusal, TableHalted) as refused:
            if isinstance(refused, Refusal):
                await actor.barrier()
            request, decision = (principal, request_id), (hand_number, action_sequence)
            past = await past_acts.acted_before(self._services, actor, refused, request, decision)
            if past is None:
                raise
            acted = past.again(player_id, action, None)
        if acted.commit is not None:
            await acted.commit.durable()
            acted.durable()
        self._services.observer.answered((runtime.now() - started) / 1e9)
        return acted

    # Table state

    async def change_state(self, key: RequestKey, table_id: str, command: cmd.Command) -> StateAnswer:
        """Pause, resume or close a table."""
        actor = await self.table(table_id)

        async def run() -> StateAnswer:
            answers: list[StateAnswer] = []

            def answer(_: list[Event], sequence: int) -> RequestRecord:
                answers.append(StateAnswer(sequence, actor.table.carried.state.name))
                return lasting(key, answers[0])

            await carry_out(actor, command, key, answer)
            return answers[0]

        return await self._requests.once(key, StateAnswer, run)
