"""One table's actor: everything that happens to the table happens here, one command at a time.

A command is decided, applied and handed to the store in one step without an await; what is derived from it
(answers, reads, refusals, events) leaves only when its record is durable. It does not know gRPC or money.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.hand import NOBODY
from croupier.engine.rejection import InvariantViolation, Rejected
from croupier.engine.rotation import ready
from croupier.engine.table import Table, evolve
from croupier.engine.table_play import execute, start_hand
from croupier.room import codec
from croupier.room.deck import SEED_BYTES, shuffled
from croupier.room.failures import Refusal, StoreAway, TableHalted
from croupier.room.journal import Chain
from croupier.room.observer import Observer
from croupier.room.ports import (
    Durable,
    Failed,
    Outcome,
    PendingAnswer,
    Record,
    RequestRecord,
    Runtime,
    Store,
    Timer,
    Unit,
)
from croupier.room.postings import Postings
from croupier.room.principal import SERVICE
from croupier.room.seal import NONCE_BYTES, Seal
from croupier.room.subscriptions import Publication, Subscription
from croupier.room.views import DecisionView, TableView, decision_view, table_view

MAILBOX: Final = 256
"""Commands of one table that may wait for the disk before more are refused."""
NS_PER_MS: Final = 1_000_000
RETRY_NS: Final = 500 * NS_PER_MS
_INTERNAL: Final = frozenset(tev.INTERNAL)
_ACTED: Final = frozenset((ev.Folded, ev.Checked, ev.Called, ev.BetMade, ev.Raised))


MakeAnswer = Callable[[list[ev.Event], int], RequestRecord | None]
"""From a record's events and sequence to the lasting answer written with it."""


class Commit:
    """A record on its way to the disk, and who waits for it."""

    __slots__ = ("_runtime", "_waiters", "failure", "publication", "record", "settled")

    def __init__(self, runtime: Runtime, record: Record) -> None:
        self._runtime = runtime
        self.record = record
        self.publication: Publication | None = None
        self.settled = False
        self.failure: Exception | None = None
        self._waiters: list[PendingAnswer] = []

    async def durable(self) -> None:
        """Return once the record is on disk. Raises StoreAway where it did not get there."""
        if not self.settled:
            waiter = self._runtime.future()
            self._waiters.append(waiter)
            await waiter
        if self.failure is not None:
            raise self.failure

    def settle(self, failure: Exception | None) -> None:
        """The store has answered."""
        self.settled = True
        self.failure = failure
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()


class Acted:
    """An accepted action as its answer needs it; kept while a repeated request may ask for it again."""

    __slots__ = ("action", "commit", "decision", "event", "key", "player_id", "sequence")

    def __init__(self, key: tuple[str, str], player_id: str, action: object) -> None:
        self.key = key
        self.player_id = player_id
        self.action = action
        self.sequence = 0
        self.event: Any = None
        self.decision: DecisionView | None = None
        self.commit: Commit | None = None


class Services:
    """What every actor of a room shares."""

    __slots__ = ("observer", "on_closed", "on_transfer", "runtime", "seal", "store")

    def __init__(self, runtime: Runtime, store: Store, seal: Seal, observer: Observer) -> None:
        self.runtime = runtime
        self.store = store
        self.seal = seal
        self.observer = observer
        self.on_transfer: Callable[[TableActor, tev.PendingTransfer], None] = lambda _actor, _transfer: None
        self.on_closed: Callable[[TableActor], None] = lambda _actor: None


class TableActor:
    """Owns one Table. Methods without `async` act at once; the Commit they return says when it lasts."""

    def __init__(self, services: Services, table: Table, chain: Chain, created_time: int) -> None:
        self.table = table
        self.table_id = table.table_id
        self.created_time = created_time
        self.halted = ""
        self._services = services
        self._runtime = services.runtime
        self._chain = chain
        self._postings = Postings(table.table_id, table.rules.house_id, table.rules.currency)
        self._started: ev.HandStarted | None = None
        self._pending: deque[Commit] = deque()
        self._last: Commit | None = None
        self._rebuilding = False
        self._draining = False
        self._acts: dict[tuple[int, int], Acted] = {}
        self._act_keys: dict[tuple[str, str], tuple[int, int]] = {}
        self._subscriptions: list[Subscription] = []
        self._present: dict[str, int] = {}
        self._deadline = 0
        self._deadline_of = (0, 0)
        self._next_hand_at = 0
        self._alarm: Timer | None = None
        self._alarm_at = 0

    # ------------------------------------------------------------------------------------ reading

    @property
    def sequence(self) -> int:
        """The public sequence the table stands at, durable or not."""
        return self._chain.sequence

    @property
    def watcher_count(self) -> int:
        """How many streams follow the table."""
        return len(self._subscriptions)

    def view(self, viewer: str) -> TableView:
        """The table for one viewer as it stands; not to leave before `barrier` has returned."""
        return table_view(
            self.table,
            viewer,
            sequence=self._chain.sequence,
            deadline=self._deadline,
            created_time=self.created_time,
            halted=bool(self.halted),
        )

    def decision(self) -> DecisionView | None:
        """The decision that stands."""
        return decision_view(self.table, self._deadline)

    async def barrier(self) -> None:
        """Return once everything that the table's present state depends on is durable."""
        last = self._last
        if last is not None and not last.settled:
            await last.durable()

    # ------------------------------------------------------------------------------------ commands

    def run(
        self,
        command: cmd.Command,
        principal: str = SERVICE.id,
        request_id: str = "",
        answer: MakeAnswer | None = None,
    ) -> Commit | None:
        """Carry out a command at once; None where it had nothing to do.

        `answer` makes the lasting answer that is written with the record, from the events and the sequence.
        Raises Refusal (the caller awaits `barrier` before telling), StoreAway, TableHalted.
        """
        self._check_open(for_clock=principal == SERVICE.id)
        try:
            decided = execute(self.table, command)
        except InvariantViolation as violation:
            raise self._halt(violation) from violation
        if isinstance(decided, Rejected):
            self._services.observer.rejected(decided.reason)
            raise Refusal(decided.reason, **self._named(decided.facts))
        if not decided:
            return None
        commit = self._commit(command, decided, principal, request_id, answer=answer)
        self._carry_on()
        return commit

    def act(
        self,
        principal: str,
        request_id: str,
        player_id: str,
        hand_number: int,
        action_sequence: int,
        action: Any,
    ) -> Acted:
        """A player's action; the answer may go once `acted.commit` is durable. Raises as `run` does.

        The same request again gets the first answer; the same request_id for something else is refused.
        """
        now = self._runtime.now()
        key = (principal, request_id)
        decision = (hand_number, action_sequence)
        known = self._acts.get(decision)
        if known is not None and known.key == key:
            if known.player_id == player_id and known.action == action:
                return known
            raise Refusal("REQUEST_ID_REUSED", request_id=request_id)
        if key in self._act_keys:
            raise Refusal("REQUEST_ID_REUSED", request_id=request_id)
        acted = Acted(key, player_id, action)
        command = cmd.Act(player_id, hand_number, action_sequence, action, now)
        self._check_open(for_clock=False)
        try:
            decided = execute(self.table, command)
        except InvariantViolation as violation:
            raise self._halt(violation) from violation
        if isinstance(decided, Rejected):
            self._services.observer.rejected(decided.reason)
            raise Refusal(decided.reason, **self._named(decided.facts))
        commit = self._commit(command, decided, principal, request_id)
        acted.event = decided[0]
        acted.sequence = self._chain.sequence
        self._remember(decision, acted)
        self._carry_on()
        acted.commit = self._last
        acted.decision = self.decision()
        self._services.observer.acted(type(acted.event).__name__, "PLAYER")
        if commit is not self._last and self._last is not None:
            acted.commit = self._last
        return acted

    def _remember(self, decision: tuple[int, int], acted: Acted) -> None:
        """Keep the acts of this hand and the one before it."""
        if decision[1] == 1 and self._acts:
            old = [known for known in self._acts if known[0] < decision[0] - 1]
            for known in old:
                self._act_keys.pop(self._acts.pop(known).key, None)
        self._acts[decision] = acted
        self._act_keys[acted.key] = decision

    def _named(self, facts: dict[str, int | str]) -> dict[str, int | str]:
        """A refusal's facts in the contract's terms."""
        if "hand_number" in facts:
            facts = dict(facts)
            facts["hand_id"] = self.hand_id(int(facts.pop("hand_number")))
        return facts

    def hand_id(self, hand_number: int) -> str:
        """The public name of a hand: its table and its number."""
        return f"{self.table_id}/{hand_number}"

    def _check_open(self, *, for_clock: bool) -> None:
        if self.halted:
            raise TableHalted(self.halted)
        if self._rebuilding:
            raise StoreAway("the table is being rebuilt from its journal")
        if not for_clock and len(self._pending) >= MAILBOX:
            raise Refusal("TABLE_BUSY", table_id=self.table_id)

    # ------------------------------------------------------------------------------------ committing

    def create(self, created: tev.TableCreated, unit: Unit, answer: MakeAnswer) -> Commit:
        """Write the table's first record in `unit`, with the lasting answer."""
        record = self._append(
            codec.CreateTable(created.name), [created], SERVICE.id, "", None, checkpoint=False
        )
        unit.records = (record,)
        unit.request = answer([created], self._chain.sequence)
        return self._submit(unit, record, [created], {})

    def _commit(
        self,
        command: cmd.Command,
        events: list[ev.Event],
        principal: str,
        request_id: str,
        *,
        deal_order: bytes | None = None,
        answer: MakeAnswer | None = None,
    ) -> Commit:
        sealed = None
        hole_cards: dict[str, bytes] = {}
        if deal_order is not None:
            sealed = self._seal(deal_order)
            hole_cards = self._deal_out(events, deal_order)
        checkpoint = type(events[-1]) is tev.TableCheckpointed
        record = self._append(command, events, principal, request_id, sealed, checkpoint=checkpoint)
        unit = Unit((record,))
        if checkpoint or type(events[0]) not in _ACTED:
            unit.entry_sets = self._postings.of(
                events, self._started, self.hand_id(self.table.carried.hand_number)
            )
            if self.table.carried.state is tev.TableState.CLOSED:
                unit.closed = self.table_id
        if answer is not None:
            unit.request = answer(events, self._chain.sequence)
        return self._submit(unit, record, events, hole_cards)

    def _append(
        self,
        command: object,
        events: list[ev.Event],
        principal: str,
        request_id: str,
        sealed: bytes | None,
        *,
        checkpoint: bool,
    ) -> Record:
        public = any(type(event) not in _INTERNAL for event in events)
        return self._chain.append(
            codec.encode(command, events),
            format_version=codec.FORMAT,
            public=public,
            recorded_time=self._runtime.now(),
            principal=principal,
            request_id=request_id,
            sealed=sealed,
            checkpoint=checkpoint,
        )

    def _deal_out(self, events: list[ev.Event], deal_order: bytes) -> dict[str, bytes]:
        """At a hand's start: remember what its settlement is measured from; each player's hole cards."""
        started = next(event for event in events if isinstance(event, ev.HandStarted))
        self._started = started
        return self._hole_cards(started, deal_order)

    def _hole_cards(self, started: ev.HandStarted, deal_order: bytes) -> dict[str, bytes]:
        dealt = self.table.hand_rules.game.deal(deal_order, len(started.seats))
        return dict(zip(started.players, dealt, strict=True))

    def _submit(
        self, unit: Unit, record: Record, events: list[ev.Event], hole_cards: dict[str, bytes]
    ) -> Commit:
        commit = Commit(self._runtime, record)
        self._set_clock(record.recorded_time)
        if self._subscriptions:
            public = [event for event in events if type(event) not in _INTERNAL]
            if public:
                commit.publication = Publication(
                    record.sequence, record.recorded_time, public, hole_cards, self.decision()
                )
        self._pending.append(commit)
        self._last = commit

        def done(outcome: Outcome) -> None:
            self._done(commit, outcome, events)

        self._services.store.submit(unit, done)
        return commit

    def _done(self, commit: Commit, outcome: Outcome, events: list[ev.Event]) -> None:
        """The store's answer: publish, then let the answers go."""
        if self._pending and self._pending[0] is commit:
            self._pending.popleft()
        if not isinstance(outcome, Durable):
            self._lost(commit, outcome)
            return
        if commit.publication is not None:
            for subscription in self._subscriptions:
                if subscription.push(commit.publication):
                    self._services.observer.watcher_cut_off()
            self._services.observer.published((self._runtime.now() - commit.record.recorded_time) / 1e9)
        commit.settle(None)
        if len(events) > 1:
            self._observe(events)
        for transfer_id in [
            event.transfer_id
            for event in events
            if isinstance(event, tev.PlayerLeft | tev.RebuyApplied) and event.transfer_id
        ]:
            transfer = self.table.carried.transfers.get(transfer_id)
            if transfer is not None:
                self._services.on_transfer(self, transfer)
        if self.table.carried.state is tev.TableState.CLOSED and not self._pending:
            for subscription in self._subscriptions:
                subscription.end("TABLE_CLOSED")
            self._services.on_closed(self)

    def _observe(self, events: list[ev.Event]) -> None:
        rake = -1
        showdown = False
        for event in events:
            if type(event) is ev.HandEnded:
                rake = event.rake
            elif type(event) is ev.HoleCardsShown:
                showdown = True
        if rake >= 0:
            self._services.observer.hand_ended(self.table.rules, rake, showdown=showdown)

    def _lost(self, commit: Commit, outcome: Outcome) -> None:
        why = outcome.why if isinstance(outcome, Failed) else repr(outcome)
        commit.settle(StoreAway(why))
        if not isinstance(outcome, Failed):
            self._halt(InvariantViolation(f"the ledger refused what the table settled: {why}"))
        elif not self._rebuilding:
            self._rebuilding = True
            self._runtime.spawn(self._rebuild())

    def _halt(self, violation: InvariantViolation) -> TableHalted:
        """Stop the table where its journal stands; nothing that was not yet journaled has happened."""
        if not self.halted:
            self.halted = str(violation)
            self._services.observer.table_halted()
            for subscription in self._subscriptions:
                subscription.end("TABLE_HALTED")
        return TableHalted(self.halted)

    # ------------------------------------------------------------------------------------ recovery

    async def _rebuild(self) -> None:
        """After a failed commit: forget what was not written and stand where the journal stands."""
        while True:
            try:
                journal = await self._services.store.recover(self.table_id)
                break
            except Exception:
                waiter = self._runtime.future()
                self._runtime.call_at(self._runtime.now() + RETRY_NS, partial(waiter.set_result, None))
                await waiter
        if journal is None:
            self._halt(InvariantViolation("the store does not know the table"))
            return
        game = self.table.hand_rules.game
        first = codec.decode(journal.first.body, journal.first.format).events[0]
        if not isinstance(first, tev.TableCreated):
            self._halt(InvariantViolation("the journal does not begin with the table's creation"))
            return
        self.table = Table(first, game)
        self._chain = Chain(self.table_id)
        self._chain.follow(journal.first)
        self._started = None
        self._acts.clear()
        self._act_keys.clear()
        self._last = None
        self.fold(journal.tail)
        self._rebuilding = False
        self.resume()

    def fold(self, records: Any) -> None:
        """Apply stored records, oldest first; decides nothing."""
        for record in records:
            if record.journal_sequence == 1:
                self._chain.follow(record)
                continue
            body = codec.decode(record.body, record.format)
            self._chain.follow(record)
            for event in body.events:
                evolve(self.table, event)
                if isinstance(event, ev.HandStarted):
                    self._started = event
                    if record.sealed is not None and self.table.hand is not None:
                        self.table.hand.hold_deck(
                            self._services.seal.open(self.table_id, event.hand_number, record.sealed)
                        )
            if isinstance(body.command, cmd.Act):
                self._restore_act(record, body)

    def _restore_act(self, record: Record, body: codec.Body) -> None:
        command = body.command
        if not isinstance(command, cmd.Act):
            return
        acted = Acted((record.principal, record.request_id), command.player_id, command.action)
        acted.event = body.events[0]
        acted.sequence = record.sequence
        acted.decision = self.decision()
        self._remember((command.hand_number, command.action_sequence), acted)

    def resume(self) -> None:
        """Go on after recovery: whoever has to act gets the whole decision time again; transfers go on."""
        self._deadline_of = (0, 0)
        self._next_hand_at = 0
        self._set_clock(self._runtime.now())
        for acted in self._acts.values():
            if acted.decision is not None:
                acted.decision = self.decision()
        for transfer in list(self.table.carried.transfers.values()):
            self._services.on_transfer(self, transfer)
        self._carry_on()

    # ------------------------------------------------------------------------------------ the clock

    def _set_clock(self, now: int) -> None:
        """Give a new decision its time (R-T15)."""
        hand = self.table.hand
        if hand is None or hand.actor == NOBODY:
            self._deadline = 0
            return
        decision = (hand.number, hand.action_sequence)
        if decision == self._deadline_of:
            return
        self._deadline_of = decision
        seat = self.table.carried.seats[hand.seats[hand.actor]]
        rules = self.table.rules
        span = rules.action_time_ms
        if seat.time_outs:
            span = max(rules.shortest_action_time_ms, span >> seat.time_outs)
            if self._present.get(seat.player_id) == 0:
                span = 0
        self._deadline = now + span * NS_PER_MS
        self._arm(self._deadline)

    def _carry_on(self) -> None:
        """Start hands that are due now, and wake again when something else is (R-T18)."""
        while self._hand_can_start():
            now = self._runtime.now()
            if not self._next_hand_at:
                self._next_hand_at = now + self.table.rules.hand_pause_ms * NS_PER_MS
            if self._next_hand_at > now or len(self._pending) >= MAILBOX:
                break
            self._next_hand_at = 0
            self._start_hand(now)
        if self.table.hand is None:
            due = self._due()
            if due:
                self._arm(due)

    def _hand_can_start(self) -> bool:
        if self.table.hand is not None or self.halted or self._draining:
            return False
        if self.table.carried.state is not tev.TableState.OPEN or ready(self.table) < 2:
            self._next_hand_at = 0
            return False
        return True

    def _start_hand(self, now: int) -> None:
        deal_order = shuffled(self._runtime.entropy(SEED_BYTES))
        command = cmd.StartHand(now)
        try:
            decided = start_hand(self.table, command, deal_order)
        except InvariantViolation as violation:
            self._halt(violation)
            return
        if isinstance(decided, Rejected):
            raise InvariantViolation(f"a hand was due and refused: {decided}")
        self._commit(command, decided, SERVICE.id, "", deal_order=deal_order)

    def _seal(self, deal_order: bytes) -> bytes:
        nonce = self._runtime.entropy(NONCE_BYTES)
        return self._services.seal.close(self.table_id, self.table.carried.hand_number, deal_order, nonce)

    def _due(self) -> int:
        """When something is next to be done, 0 for never."""
        times = [self._deadline, self._next_hand_at]
        kept = self.table.rules.seat_kept_ms * NS_PER_MS
        for seat in self.table.seats.values():
            times.append(seat.reserved_until)
            if seat.sitting_out:
                times.append(seat.sitting_out_since + kept)
        return min((time for time in times if time), default=0)

    def _arm(self, when: int) -> None:
        if self._alarm is not None:
            if self._alarm_at <= when:
                return
            self._alarm.cancel()
        self._alarm_at = when
        self._alarm = self._runtime.call_at(when, self._ring)

    def _ring(self) -> None:
        """Do what is due, then wake again for the next."""
        self._alarm = None
        if self.halted or self.table.carried.state is tev.TableState.CLOSED:
            return
        now = self._runtime.now()
        if self._rebuilding:
            self._arm(now + RETRY_NS)
            return
        try:
            self._do_due(now)
        except TableHalted:
            return
        due = self._due()
        if due:
            self._arm(max(due, now + NS_PER_MS))

    def _do_due(self, now: int) -> None:
        hand = self.table.hand
        if hand is not None and self._deadline and self._deadline <= now:
            seat = self.table.carried.seats[hand.seats[hand.actor]]
            gone = bool(seat.time_outs) and self._present.get(seat.player_id) == 0
            self.run(cmd.TimeOut(hand.number, hand.action_sequence, now, gone))
            self._services.observer.acted("TimedOut", "DISCONNECTED" if gone else "TIME_OUT")
        for number, seat in list(self.table.seats.items()):
            if seat.reserved_until and seat.reserved_until <= now:
                self.run(cmd.ExpireReservation(number, now))
            elif seat.sitting_out:
                self.run(cmd.ExpireKeptSeat(number, now))
        self._carry_on()

    # ------------------------------------------------------------------------------------ watchers

    def subscribe(self, viewer: str) -> Subscription:
        """A queue for what happens from now on; nothing before `sequence` comes through it."""
        if self.halted:
            raise TableHalted(self.halted)
        subscription = Subscription(self._runtime, viewer, self._chain.sequence)
        self._subscriptions.append(subscription)
        if viewer:
            self._present[viewer] = self._present.get(viewer, 0) + 1
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """Forget a queue; a player's last one gone means disconnected (R-T15)."""
        if subscription in self._subscriptions:
            self._subscriptions.remove(subscription)
            if subscription.viewer:
                self._present[subscription.viewer] -= 1

    async def history(self, viewer: str, after: int, up_to: int) -> list[Publication]:
        """Durable publications after one sequence, as far as `up_to`; to be asked in pages by the caller."""
        records = await self._services.store.records(self.table_id, after, 500)
        publications = []
        for record in records:
            if record.sequence > up_to:
                break
            publication = self._republish(record, viewer)
            if publication.events:
                publications.append(publication)
        return publications

    def _republish(self, record: Record, viewer: str) -> Publication:
        body = codec.decode(record.body, record.format)
        events: list[ev.Event] = [event for event in body.events if type(event) not in _INTERNAL]
        hole_cards: dict[str, bytes] = {}
        if viewer and record.sealed is not None:
            started = next(event for event in events if isinstance(event, ev.HandStarted))
            hole_cards = self._own_cards(record.sealed, started, viewer)
        return Publication(record.sequence, record.recorded_time, events, hole_cards, None)

    def _own_cards(self, sealed: bytes, started: ev.HandStarted, viewer: str) -> dict[str, bytes]:
        if viewer not in started.players:
            return {}
        deal_order = self._services.seal.open(self.table_id, started.hand_number, sealed)
        return {viewer: self._hole_cards(started, deal_order)[viewer]}

    def drain(self, reason: str) -> None:
        """Start no more hands and end every stream; actions are still taken."""
        self._draining = True
        for subscription in self._subscriptions:
            subscription.end(reason)
