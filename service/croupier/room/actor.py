"""One table's actor: everything that happens to the table happens here, one command at a time.

A command is decided, applied and handed to the store in one step without an await; what is derived from it
(answers, reads, refusals, events) leaves only when its record is durable. It knows neither gRPC nor wallets.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Final

import msgspec

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import seating
from croupier.engine import table_events as tev
from croupier.engine.actions import Action
from croupier.engine.play import action_of
from croupier.engine.rejection import InvariantViolation, Rejected
from croupier.engine.table_play import execute, start_hand
from croupier.room import codec
from croupier.room.acts import Acted
from croupier.room.commit import Commit, MakeAnswer, MakeOperation
from croupier.room.dealer import Dealer
from croupier.room.deck import SEED_BYTES, shuffled
from croupier.room.exchange import Discard, by_places, exchange
from croupier.room.failures import Refusal, TableHalted
from croupier.room.folding import Folded
from croupier.room.hand_id import hand_id_of
from croupier.room.hand_index import settled_hand
from croupier.room.measuring import ACTIONS, measure
from croupier.room.own_cards import hole_cards
from croupier.room.ports import Durable, Outcome, Record, Unit
from croupier.room.postings import Postings
from croupier.room.principal import SERVICE
from croupier.room.proofs import rules_digest
from croupier.room.recovery import Recovery
from croupier.room.run_outs import run_out
from croupier.room.schedule import Schedule
from croupier.room.seal import NONCE_BYTES
from croupier.room.services import Services
from croupier.room.subscriptions import any_public
from croupier.room.watched import Watched
from croupier.room.watchers import Watchers

if TYPE_CHECKING:
    from croupier.room.broadcast import Broadcast

MAILBOX: Final = 256
"""Records of one table that may wait for the disk before further commands are refused."""


class TableActor(Watched):
    """Owns one Table. Methods without `async` act at once; the Commit they return says when it lasts."""

    def __init__(self, services: Services, folded: Folded) -> None:
        super().__init__(services, folded.table, folded.chain, folded.created_time)
        self.broadcast: Broadcast | None = None
        """Tells other servers; None while none of them asks for it."""
        self._services = services
        self._runtime = services.runtime
        self._acts = folded.acts
        self._started, self._began = folded.started, folded.began
        self._dealt_time = 0
        self._dealer = Dealer(services, folded)
        rules = self.table.rules
        self._postings = Postings(self.table_id, rules.house_id, rules.currency)
        self._pending: deque[Commit] = deque()
        self._last: Commit | None = None
        self._asks: Commit | None = None
        """What the decision that stands arose from."""
        self.schedule = Schedule(services, self)
        self.recovery = Recovery(services, self)
        self.recovery.judge(folded)
        if self.table.carried.state is tev.TableState.CLOSED:
            self.watchers.end("TABLE_CLOSED")

    # Reading

    @property
    def waiting_records(self) -> int:
        """Records that wait for the disk."""
        return len(self._pending)

    @property
    def durable_record(self) -> int:
        """The journal_sequence of the last record that is known to be on disk."""
        last = self._pending[0].record if self._pending else None
        return last.journal_sequence - 1 if last is not None else self._chain.journal_sequence

    @property
    def epoch(self) -> int:
        """In which the table is this server's."""
        return self._chain.epoch

    def heard(self) -> bool:
        """Whether anybody is told of what happens, here or elsewhere."""
        return bool(self.watchers) or self.broadcast is not None

    def remembers(self, hand_number: int) -> bool:
        """Whether every action of a hand, or of one after it, is known without asking the store."""
        return hand_number >= self._acts.since

    def refusal_of(self, command: cmd.AcceptTransfer) -> Refusal | None:
        """Why the command would be refused as the table stands; nothing is changed. Raises TableHalted."""
        if self.halted:
            raise TableHalted(self.table_id)
        decided = seating.accept_transfer(self.table, command)
        return (
            Refusal(decided.reason, **self._named(decided.facts)) if isinstance(decided, Rejected) else None
        )

    async def barrier(self) -> None:
        """Return once everything that the table's present state depends on is durable."""
        if self.recovery.rebuilding:
            raise self.recovery.away()
        last = self._last
        if last is not None and not last.settled:
            await last.durable()

    def busy(self) -> bool:
        """Whether as many records wait for the disk as may."""
        return len(self._pending) >= MAILBOX

    def unsettled(self) -> bool:
        """Whether the table may yet turn out to stand elsewhere: records wait, or it is being rebuilt."""
        return self.recovery.rebuilding or bool(self._pending)

    # Commands

    def run(
        self,
        command: cmd.Command,
        principal: str = SERVICE.id,
        request_id: str = "",
        answer: MakeAnswer | None = None,
        operation: MakeOperation | None = None,
    ) -> Commit | None:
        """Carry out a command at once; None where it had nothing to do.

        Raises Refusal (the caller awaits `barrier` before telling), StoreAway, TableHalted.
        """
        commit = self._run(command, principal, request_id, answer, operation)
        if commit is not None:
            self.schedule.carry_on()
        return commit

    def act(
        self,
        principal: str,
        request_id: str,
        player_id: str,
        hand_number: int,
        action_sequence: int,
        action: Action | Discard,
    ) -> Acted:
        """A player's action; the answer may go once `acted.commit` is durable. Raises as `run` does.

        The same request again gets the first answer. Where a hand ends and the next one begins at once, the
        answer's decision is the next hand's.
        """
        request = (principal, request_id)
        decision = (hand_number, action_sequence)
        known = self._acts.repeated(request, decision, player_id, action, self.decision)
        if known is not None:
            return known
        put = by_places(self.table, action)
        command = cmd.Act(player_id, hand_number, action_sequence, put, self._runtime.now())
        commit = self._run(command, principal, request_id, None)
        if commit is None:
            raise InvariantViolation("an action led to nothing")
        acted = Acted(request, player_id, action, action_of(commit.events), commit.record.sequence)
        self._acts.keep(decision, acted)
        if self.table.hand is None:
            self.schedule.carry_on()
        acted.commit = self._last
        acted.asks, acted.decision = self._asks, self.decision()
        return acted

    def _run(
        self,
        command: cmd.Command,
        principal: str,
        request_id: str,
        answer: MakeAnswer | None,
        operation: MakeOperation | None = None,
    ) -> Commit | None:
        if self.halted and type(command) is not cmd.ResolveTable:
            raise TableHalted(self.table_id)
        if self.recovery.rebuilding:
            raise self.recovery.away()
        if self.busy() and principal != SERVICE.id:
            raise Refusal("TABLE_BUSY", table_id=self.table_id)
        draw = exchange(self.table, command)
        try:
            decided = execute(self.table, command)
        except Exception as violation:
            raise self.recovery.halt(violation) from violation
        if isinstance(decided, Rejected):
            self._services.observer.rejected(decided.reason)
            raise Refusal(decided.reason, **self._named(decided.facts))
        if not decided:
            return None
        cards: dict[str, bytes] = {}
        sealed = None
        if draw is not None:
            drawn = draw.cards()
            cards = {draw.player_id: drawn}
            sealed = self._seal(draw.hand.number, drawn)
        return self._commit(
            command, decided, principal, request_id, sealed, cards, answer, operation=operation
        )

    def _named(self, facts: dict[str, int | str]) -> dict[str, int | str]:
        """A refusal's facts in the contract's terms."""
        if "hand_number" not in facts:
            return facts
        named = {key: value for key, value in facts.items() if key != "hand_number"}
        return named | {"hand_id": hand_id_of(self.table_id, int(facts["hand_number"]))}

    def start_hand(self, now: int) -> None:
        """Deal the next hand, which must be due; too many may sit out instead of posting a blind."""
        try:
            dealing = self._dealer.deal(self.table, self._orders)
            command = cmd.StartHand(now, dealing.deck.roots, self._dealer.rules_digest)
            decided = start_hand(self.table, command, dealing.order)
            if isinstance(decided, Rejected):
                raise InvariantViolation(f"a hand was due and refused: {decided}")
            started = next((event for event in decided if isinstance(event, ev.HandStarted)), None)
            sealed = self._seal(started.hand_number, dealing.deck.to_seal()) if started else None
        except Exception as violation:
            self.recovery.halt(violation)
            return
        if started is None:
            self._commit(command, decided, SERVICE.id, "", None, {})
            return
        self._dealer.started()
        self._started = started
        self._began = self._chain.sequence + 1
        cards = hole_cards(self.table.hand_rules.game, started, dealing.order)
        commit = self._commit(command, decided, SERVICE.id, "", sealed, cards, hand_key=dealing.hand_key)
        self._dealt_time = commit.record.recorded_time

    def commit_deck(self) -> None:
        """Commit to the decks of the coming hand where players have committed to entropy for it."""
        coming = self.table.carried.coming
        if coming is None or coming.roots or self.table.hand is not None:
            return
        try:
            deck, hand_key = self._dealer.prepare(self.table, self._orders)
            command = cmd.CommitDeck(deck.roots, self._dealer.rules_digest)
            decided = execute(self.table, command)
            if isinstance(decided, Rejected):
                raise InvariantViolation(f"a deck was due and refused: {decided}")
            sealed = self._seal(self.table.carried.hand_number + 1, deck.to_seal())
        except Exception as violation:
            self.recovery.halt(violation)
            return
        self._commit(command, decided, SERVICE.id, "", sealed, {}, hand_key=hand_key)

    def _orders(self, count: int) -> bytes:
        """So many whole decks, each from fresh entropy. Raises OSError where there is none: nothing is dealt then."""
        return b"".join([shuffled(self._runtime.entropy(SEED_BYTES)) for _ in range(count)])

    def _seal(self, hand_number: int, cards: bytes) -> bytes:
        return self._services.seal.close(
            self.table_id, hand_number, cards, self._runtime.entropy(NONCE_BYTES)
        )

    # Committing

    def create(
        self, created: tev.TableCreated, unit: Unit, key: tev.RequestKey, answer: MakeAnswer
    ) -> Commit:
        """Write the table's first record in `unit`, with the lasting answer to its request."""
        events: list[ev.Event] = [created]
        record = self._append(codec.CreateTable(created.name), events, key.principal, key.request_id, None)
        unit.records = (record,)
        self._dealer.rules_digest = rules_digest(record.body)
        self.created_time = record.recorded_time
        if unit.created is not None:
            unit.created = msgspec.structs.replace(unit.created, created_time=record.recorded_time)
        unit.request = answer(events, record.sequence)
        return self._submit(unit, record, events, {})

    def _commit(
        self,
        command: cmd.Command,
        events: list[ev.Event],
        principal: str,
        request_id: str,
        sealed: bytes | None,
        cards: dict[str, bytes],
        answer: MakeAnswer | None = None,
        hand_key: bytes | None = None,
        operation: MakeOperation | None = None,
    ) -> Commit:
        """`cards` are those that players learn of by the record, each for that player alone."""
        record = self._append(command, events, principal, request_id, sealed)
        self._dealer.follow(events)
        if record.checkpoint and self._dealer.key_goes:
            hand_key = b""
        unit = Unit((record,), hand_key=hand_key)
        if record.checkpoint or type(events[0]) not in ACTIONS:
            hand_id = hand_id_of(self.table_id, self.table.carried.hand_number)
            unit.entry_sets = self._postings.of(events, self._started, hand_id)
            if self.table.carried.state is tev.TableState.CLOSED:
                unit.closed = self.table_id
        if answer is not None:
            unit.request = answer(events, record.sequence)
        if operation is not None:
            unit.operation = operation(events)
        commit = self._submit(unit, record, events, cards)
        if hand_key:
            commit.hand_key = hand_key
        if record.checkpoint and self._started is not None:
            commit.ended = settled_hand(self.table_id, self._started, self._began, record)
            commit.dealt_time = self._dealt_time
            openings = self._dealer.settle(self.table_id)
            if openings:
                self._open_deck(self._started.hand_number, openings)
        return commit

    def _open_deck(self, hand_number: int, openings: bytes) -> None:
        """Keep what proves the cards shown in a hand whose key is gone."""
        command = cmd.OpenDeck(hand_number, openings)
        decided = execute(self.table, command)
        if isinstance(decided, list) and decided:
            self._commit(command, decided, SERVICE.id, "", None, {})

    def _append(
        self,
        command: object,
        events: list[ev.Event],
        principal: str,
        request_id: str,
        sealed: bytes | None,
    ) -> Record:
        return self._chain.append(
            codec.encode(command, events),
            format_version=codec.FORMAT,
            public=any_public(events),
            recorded_time=self._runtime.now(),
            principal=principal,
            request_id=request_id,
            sealed=sealed,
            checkpoint=type(events[-1]) is tev.TableCheckpointed,
        )

    def _submit(self, unit: Unit, record: Record, events: list[ev.Event], cards: dict[str, bytes]) -> Commit:
        commit = Commit(self._runtime, record, events)
        if self.table.hand is not None:
            self._hand = self.table.hand
        if self.clock.follow(self.table, record.recorded_time):
            self.schedule.wake_by(self.clock.deadline)
            self._asks = commit
            commit.deadline = self.clock.deadline
        if self.watchers or self.broadcast is not None:
            commit.publication = self._publication(record, events, cards)
        self._pending.append(commit)
        self._last = commit
        self._services.store.submit(unit, partial(self._done, commit))
        return commit

    def _done(self, commit: Commit, outcome: Outcome) -> None:
        """The store's answer: publish, then let the answers go."""
        self._pending.popleft()
        if type(outcome) is not Durable:
            self.recovery.lost(commit, outcome)
            return
        delay = self._runtime.now() - commit.record.recorded_time
        if commit is self._asks and self.clock.told_late(delay):
            commit.ask_until(self.clock.deadline)
        if self.broadcast is not None:
            self.broadcast.durable(commit)
        if commit.publication is not None:
            self.watchers.publish(commit.publication)
            if commit.publication.events:
                self._services.observer.published(delay / 1e9)
        commit.settle(None)
        if commit.ended is not None:
            self._services.on_hand_ended(commit.ended)
            if commit.publication is not None:
                found = run_out(commit.publication, self.table.hand_rules.game)
                if found is not None:
                    self._services.on_run_out(self, found)
        measure(self._services.observer, self.table.rules, commit, delay)
        if commit.record.checkpoint or type(commit.events[0]) not in ACTIONS:
            self._after(commit.events)

    def _after(self, events: list[ev.Event]) -> None:
        """What a durable record sets going beside its answer."""
        for event in events:
            if isinstance(event, tev.PlayerLeft | tev.RebuyApplied):
                transfer = self.table.carried.transfers.get(event.transfer_id)
                if transfer is not None:
                    self._services.on_transfer(self, transfer)
            elif isinstance(event, tev.TableClosed):
                self.schedule.stop()
                self.watchers.end("TABLE_CLOSED")
                self._services.on_closed(self)

    # Going on

    def stand(self, folded: Folded) -> None:
        """Take the table as its journal leaves it."""
        self.table, self._chain = folded.table, folded.chain
        self._acts, self._started, self._began = folded.acts, folded.started, folded.began
        self._dealt_time = 0
        self._hand = folded.table.hand
        self._dealer = Dealer(self._services, folded)
        self._last = None

    def annotate(self, record: int, annotation: bytes) -> None:
        """Give those who heard of a record as it happened what an adapter has to say of it."""
        self.watchers.annotate(record, annotation)
        if self.broadcast is not None:
            self.broadcast.annotated(record, annotation)

    def tell_standing(self) -> None:
        """Let other servers know what no record tells: whether the table is halted, and the deadline."""
        if self.broadcast is not None:
            self.broadcast.stand()

    def take_watchers(self, watchers: Watchers) -> None:
        """Go on telling those who watched from here a table that others played."""
        self.watchers = watchers
        watchers.move(self.clock)
        watchers.told = self._chain.journal_sequence
        if self.table.carried.state is tev.TableState.CLOSED:
            watchers.end("TABLE_CLOSED")
        elif self.halted:
            watchers.end("TABLE_HALTED")

    def retire(self) -> Watchers:
        """Do and tell nothing any more: the table is another server's. Told are those who watched."""
        self.recovery.retire()
        self.schedule.stop()
        self.broadcast = None
        watchers = self.watchers
        self.watchers = Watchers(self._services, self.table_id, self.table.hand_rules.game, self.clock)
        return watchers

    def state_mark(self) -> bytes:
        """Another one whenever the table stands otherwise, durable or not."""
        return b"%d %d " % (self._chain.journal_sequence, bool(self.halted)) + self._chain.hash

    def go_on(self) -> None:
        """Stand still no longer: the operator has resolved what halted the table."""
        self.halted = ""
        if self.table.carried.state is not tev.TableState.CLOSED:
            self.watchers.begin_again()
            self.resume()
        self.tell_standing()

    def resume(self, *, rest: bool = False) -> None:
        """Go on after recovery: whoever has to act gets the whole time again, transfers are driven on.

        With `rest`, what is due by itself, like the next hand, waits a while.
        """
        self.clock.restart()
        self.schedule.restart()
        if self.halted:
            return
        if self.clock.follow(self.table, self._runtime.now()):
            self.schedule.wake_by(self.clock.deadline)
            self.tell_standing()
        for transfer in list(self.table.carried.transfers.values()):
            self._services.on_transfer(self, transfer)
        if rest:
            self.schedule.rest()
        else:
            self.schedule.carry_on()

    def drain(self) -> None:
        """Start no more hands; all else goes on."""
        self.schedule.drain()
