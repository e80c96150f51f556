"""What must hold after every step, and once everything has ended; it believes the disk and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from tests.simulation.calls import Reply, Request
from tests.simulation.durable import Durable
from tests.simulation.shadow import CONCEALED, Fact, Key, Shadow
from tests.simulation.stream import Message, News, Snapshot, Told
from tests.simulation.world import World
from tests.support.whole_fold import table_state

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.play import action_of
from croupier.room import codec, subscriptions
from croupier.room.actor import TableActor
from croupier.room.answers import PrivateAnswer
from croupier.room.ports import Record, Unit
from croupier.room.records import HandRecord
from croupier.room.subscriptions import Subscription
from croupier.room.views import TableView

if TYPE_CHECKING:
    from tests.simulation.watcher import Watcher

_MONEY: Final = ("Deposit", "Withdraw")
_TRANSFERS: Final = ("BuyIn", "Rebuy")
COMPARED_ONE_IN: Final = 4
"""Of the records in the middle of a hand; after a hand's end the live table is always compared."""


class Checks:
    """Holds what leaves the service against shadows of its tables."""

    snapshots_are_fresh = True
    """Whether nobody gets a snapshot that is older than what was told before."""

    def __init__(self, world: World, disk: Durable) -> None:
        self.shadows: dict[str, Shadow] = {}
        self.hands_ended = 0
        self._world = world
        self._disk = disk
        self._unit_count = 0
        self._effects: dict[tuple[str, str, str], int] = {}
        self._acknowledged: dict[tuple[str, str, str], bytes] = {}
        self._due_for_comparison: dict[str, bool] = {}
        disk.on_durable = self._durable

    def violated(self, what: str) -> None:
        self._world.violated(what)

    def moment(self) -> int:
        """How many units are durable."""
        return self._unit_count

    # the journal and the ledger

    def _durable(self, unit: Unit) -> None:
        self._unit_count += 1
        for record in unit.records:
            self._world.trace("durable", record.table_id, record.hash)
            try:
                self._sees(record, unit.hand_key)
            except AssertionError as broken:
                self.violated(f"{record.table_id} {record.journal_sequence}: {broken}")
        if unit.entry_sets and self._disk.sums():
            self.violated("the ledger does not add up to 0")
        if unit.request is not None:
            key = (unit.request.principal, unit.request.method, unit.request.request_id)
            self._effects.setdefault(key, self._unit_count)
        for record in unit.records:
            chips = self.shadows[record.table_id].table.chips_in_play()
            if unit.entry_sets and self._disk.held(f"stack/{record.table_id}/") != chips:
                self.violated(f"{record.table_id} has {chips} chips in play, and others by the ledger")

    def _sees(self, record: Record, hand_key: bytes | None) -> None:
        shadow = self.shadows.get(record.table_id)
        if shadow is None:
            self.shadows[record.table_id] = Shadow(record)
            return
        ended = len(shadow.ended)
        shadow.sees(record, hand_key)
        over = len(shadow.ended) > ended
        self.hands_ended += over
        self._due_for_comparison[record.table_id] = over or record.journal_sequence % COMPARED_ONE_IN == 0
        if isinstance(shadow.facts[-1].command, cmd.Act):
            self._effects.setdefault((record.principal, "Act", record.request_id), self._unit_count)

    def compare(self, actors: list[TableActor], *, all_of_them: bool = False) -> None:
        """The live tables are what their journals fold to, where nothing is on its way to the disk."""
        for actor in actors:
            shadow = self.shadows.get(actor.table_id)
            if shadow is None or actor.unsettled() or actor.halted:
                continue
            if not (all_of_them or self._due_for_comparison.get(actor.table_id)):
                continue
            self._due_for_comparison[actor.table_id] = False
            if actor.next_record != len(shadow.facts) + 1:
                self.violated(
                    f"{actor.table_id} has {actor.next_record - 1} records, {len(shadow.facts)} on disk"
                )
            elif actor.sequence != shadow.facts[-1].record.sequence:
                self.violated(f"{actor.table_id} lives at another sequence than its journal")
            elif table_state(actor.table) != table_state(shadow.table):
                self.violated(f"{actor.table_id} lives otherwise than its journal has it")

    def new_life(self) -> None:
        """Deadlines told before a crash bind nobody."""
        for shadow in self.shadows.values():
            shadow.deadlines.clear()

    # answers

    def replied(self, request: Request, reply: Reply, arrived: int) -> None:
        """An answer is about to leave; what it says must be durable, and what is done may not be refused."""
        if reply.kind == "away" or request.method == "GetHand":
            if isinstance(reply.answer, HandRecord):
                self._hand_told(request, reply.answer)
            return
        key = (request.principal, request.method, request.request_id)
        since = self._effects.get(key)
        if reply.kind == "refused":
            if since is not None and since <= arrived:
                self.violated(
                    f"{request.method} {request.request_id} is refused ({reply.reason}), and was done"
                )
            return
        if since is None:
            self.violated(f"{request.method} {request.request_id} is acknowledged, and not durable")
            return
        told = self._told(request, reply.answer)
        if self._acknowledged.setdefault(key, told) != told:
            self.violated(f"{request.method} {request.request_id} got two different answers")
        if request.table_id and request.method not in _MONEY:
            self._must_be_the_record(request, reply.answer)

    @staticmethod
    def _told(request: Request, answer: Any) -> bytes:
        if request.method == "Act":
            return msgspec.msgpack.encode((answer.event, answer.sequence))
        return msgspec.msgpack.encode(answer)

    def _must_be_the_record(self, request: Request, answer: Any) -> None:
        shadow = self.shadows[request.table_id]
        name: Key = (request.principal, request.request_id)
        known = shadow.accepted if request.method in _TRANSFERS else shadow.by_request
        fact = known.get(name)
        if fact is None:
            self.violated(f"{request.method} {request.request_id} is acknowledged, and not in the journal")
            return
        if isinstance(answer, PrivateAnswer):
            fits = answer.private_sequence == fact.private[-1].private_sequence
        else:
            fits = answer.sequence == fact.record.sequence
        if request.method == "Act":
            body = codec.decode(fact.record.body, fact.record.format)
            fits = fits and answer.event == action_of(body.events)
        if not fits:
            self.violated(f"{request.method} {request.request_id} is answered otherwise than it was done")

    def _hand_told(self, request: Request, record: HandRecord) -> None:
        facts = {fact.record.sequence: fact for fact in self.shadows[request.table_id].facts if fact.public}
        for one in record.told:
            fact = facts[one.sequence]
            others = [player for player in one.hole_cards if player != request.player_id]
            if others or not all(event in fact.public for event in one.events):
                self.violated(f"{request.player_id} was told another hand {record.place.hand_number}")
        last = facts[record.place.last_sequence]
        for seat in record.seats:
            mine = seat.player_id == request.player_id
            if seat.hole_cards and not mine and seat.hole_cards != last.shown.get(seat.seat):
                late = [
                    one for fact in facts.values() for one in fact.public if isinstance(one, tev.CardsShown)
                ]
                if not any((one.seat, one.hand_number) == (seat.seat, last.hand_number) for one in late):
                    self.violated(f"the record of hand {last.hand_number} tells cards that were not shown")

    # what watchers are told

    def must_be_bounded(self, subscription: Subscription) -> None:
        if subscription.waiting_events > subscriptions.MOST_WAITING:
            self.violated(f"{subscription.waiting_events} events wait for one watcher")

    def written(self, watcher: Watcher, message: Message) -> None:
        """A message is about to leave for a watcher."""
        shadow = self.shadows.get(watcher.table_id)
        if shadow is None:
            self.violated("a table was watched before it was durable")
        elif isinstance(message, Snapshot):
            self._view(watcher, message, shadow)
        elif isinstance(message, News):
            for told in message.told:
                self._news(watcher, told, shadow)
            if (decision := message.decision) is not None:
                key = (decision.hand_number, decision.action_sequence)
                shadow.deadlines.setdefault(key, decision.deadline)

    def _news(self, watcher: Watcher, told: Told, shadow: Shadow) -> None:
        if told.record > len(shadow.facts):
            self.violated(f"{watcher.name} is told of record {told.record} before it is durable")
            return
        fact = shadow.facts[told.record - 1]
        if any(type(event) in CONCEALED for event in told.events):
            self.violated(f"{watcher.name} is told what is private")
        if told.sequence != fact.record.sequence or (told.events and told.events != fact.public):
            self.violated(f"{watcher.name} is told otherwise than it happened: record {told.record}")
        own = fact.own.get(watcher.viewer, b"")
        gone = shadow.table.rules.hand_keys != "keep" and not (told.own and own)
        if told.events and told.own != own and not gone:
            self.violated(f"{watcher.name} is told cards of others, or not the own ones")
        if told.private is not None and told.private.events != fact.private:
            self.violated(f"{watcher.name} is told what is private to others")

    def _view(self, watcher: Watcher, message: Snapshot, shadow: Shadow) -> None:
        view = message.view
        if message.record > len(shadow.facts):
            self.violated(f"{watcher.name} gets a snapshot of what is not durable")
            return
        fact = shadow.facts[message.record - 1]
        if view.sequence != fact.record.sequence:
            self.violated(f"{watcher.name} gets a snapshot of another sequence")
        self._cards_in(view, watcher.viewer, fact)
        if view.own is not None and not any(seat.player_id == watcher.viewer for seat in view.seats):
            self.violated(f"{watcher.name} has no seat, and gets what is private")

    def _cards_in(self, view: TableView, viewer: str, fact: Fact) -> None:
        if view.hand is None:
            return
        if view.hand.hand_number != fact.hand_number or view.hand.board != fact.board:
            self.violated("a snapshot has another hand or board than was dealt")
        for seat in view.hand.seats:
            mine = bool(viewer) and seat.player_id == viewer
            known = fact.held[seat.player_id] if mine else fact.shown.get(seat.seat, b"")
            if seat.hole_cards != known:
                self.violated(f"a snapshot for {viewer or 'anybody'} has cards of seat {seat.seat}")
