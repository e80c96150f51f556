"""What one table's records come to: entry sets, settled hands, answered requests, and the chips at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.game import Game
from croupier.engine.table import Table, evolve
from croupier.room import accounts, codec
from croupier.room.hand_id import hand_id_of
from croupier.room.hand_index import settled_hand
from croupier.room.hand_ports import SettledHand
from croupier.room.ports import EntrySet, Record
from croupier.room.postings import Postings
from croupier.room.seal import has_key_apart
from croupier.room.subscriptions import any_public, private_part

_UNANSWERED: Final = (cmd.Act, cmd.RequestBuyIn, cmd.RequestRebuy)
"""Commands of requests whose lasting answer is the record itself, or comes with a later one."""

_OPERATORS: Final = (cmd.ResolveTable, cmd.RemovePlayer)


class Answered(NamedTuple):
    """A request that a record has answered for good."""

    principal: str
    method: str
    request_id: str


class Means(NamedTuple):
    """What one record comes to beside the table's state; `wrong` is what contradicts the records before it."""

    entry_sets: tuple[EntrySet, ...] = ()
    settled: SettledHand | None = None
    answered: Answered | None = None
    answer: dict[str, Any] = {}  # noqa: RUF012
    """What the answer must say, as far as the record proves it."""
    digest: bytes | None = None
    """Of what was asked, where the journal has it."""
    logged: bool = False
    """Whether the operator log has the request."""
    taken_back: tuple[str, ...] = ()
    """Transfers that the wallet has taken back, as it was told to."""
    wrong: str = ""


class Chips(NamedTuple):
    """What the table has of each player, by stack account, and transfers under way, by reserved account."""

    stacks: dict[str, int]
    transfers: dict[str, int]
    hand_number: int
    """Of the hand in play; 0 between hands."""


NOTHING: Final = Means()


class TableMeaning:
    """Reads one table's records in order. Its memory is that of the records since the last checkpoint."""

    __slots__ = (
        "_answers",
        "_began",
        "_created",
        "_decision",
        "_number",
        "_postings",
        "_sequence",
        "_started",
        "_tail",
        "closed",
        "gap",
        "key_apart",
        "known",
        "last_hand",
        "voids",
    )

    def __init__(self) -> None:
        self.known = False
        """Whether the state at the end can be told: not where a record could not be read, until a checkpoint."""
        self.closed = False
        self.gap = False
        """Whether a record is missing."""
        self.last_hand = 0
        self.key_apart = False
        """Whether the last hand's key is kept in a row of its own."""
        self.voids: dict[str, Record] = {}
        """Transfers that the wallet is told to take back, with the records that say so."""
        self._created: tev.TableCreated | None = None
        self._postings: Postings | None = None
        self._tail: list[tuple[bytes, int]] = []
        self._started: ev.HandStarted | None = None
        self._began = 0
        self._number = 0
        self._sequence = 0
        self._decision = (0, 0)
        self._answers: dict[str, tev.RequestKey] = {}

    @property
    def created(self) -> tev.TableCreated | None:
        """The table's first event, once it was read."""
        return self._created

    def read(self, record: Record, body: codec.Body) -> Means:
        """Take in the next record; without the first one, none comes to anything.

        Raises ValueError where its events cannot follow the ones before.
        """
        events: list[ev.Event] = list(body.events)
        if self._created is None:
            if record.journal_sequence > 1:
                return NOTHING
            self._begin(events[0])
        public = record.sequence - self._sequence
        if record.journal_sequence != self._number + 1:
            public = any_public(events)
            self.gap = True
            self.lose()
        self._number, self._sequence = record.journal_sequence, record.sequence
        if record.checkpoint:
            self._tail = []
            self.known = True
        self._tail.append((record.body, record.format))
        settled = self._hands(record, events)
        sets = self._sets(events)
        wrong = self._wrong(record, body, public)
        answered, digest = self._answered(record, body)
        answer = {} if answered is None else _answer(record, body, events)
        logged = answered is not None and isinstance(body.command, _OPERATORS)
        return Means(sets, settled, answered, answer, digest, logged, self._taken_back(record, events), wrong)

    def lose(self) -> None:
        """A record could not be read."""
        self.known = False
        self._tail = []

    def chips(self, games: Mapping[str, Game]) -> Chips | None:
        """At the end; None where that cannot be told. Raises what folding raises."""
        if not self.known or self._created is None:
            return None
        table = Table(self._created, games[self._created.rules.game])
        for place, (body, format_version) in enumerate(self._tail):
            events = codec.decode(body, format_version).events
            checkpoint = place == 0 and isinstance(events[-1], tev.TableCheckpointed)
            for event in events[-1:] if checkpoint else events:
                if not isinstance(event, tev.TableCreated):
                    evolve(table, event)
        stacks = {
            accounts.stack(table.table_id, seat.player_id): _chips_of(table, number) + seat.queued_rebuy
            for number, seat in table.seats.items()
        }
        transfers = {accounts.reserved(name): one.amount for name, one in table.carried.transfers.items()}
        return Chips(stacks, transfers, table.hand.number if table.hand is not None else 0)

    def _begin(self, event: ev.Event) -> None:
        if not isinstance(event, tev.TableCreated):
            raise ValueError("the journal does not begin with the table's creation")
        self._created = event
        self._postings = Postings(event.table_id, event.rules.house_id, event.rules.currency)
        self.known = True

    def _sets(self, events: list[ev.Event]) -> tuple[EntrySet, ...]:
        if self._postings is None or self._created is None:
            return ()
        return self._postings.of(events, self._started, hand_id_of(self._created.table_id, self.last_hand))

    def _hands(self, record: Record, events: list[ev.Event]) -> SettledHand | None:
        settled = None
        for event in events:
            kind = type(event)
            if kind is ev.HandStarted:
                self._started, self._began = event, record.sequence  # type: ignore[assignment]
                self.last_hand = event.hand_number  # type: ignore[attr-defined]
                self.key_apart = has_key_apart(record)
            elif kind is ev.HandEnded and self._started is not None:
                settled = settled_hand(record.table_id, self._started, self._began, record)
            elif kind is tev.TableClosed:
                self.closed = True
            elif kind is tev.TransferRequested:
                transfer = event.transfer  # type: ignore[attr-defined]
                if transfer.answers is not None:
                    self._answers[transfer.transfer_id] = transfer.answers
            elif kind is tev.TransferRefused:
                self._answers.pop(event.transfer_id, None)  # type: ignore[attr-defined]
        return settled

    def _wrong(self, record: Record, body: codec.Body, public: int) -> str:
        events, command = body.events, body.command
        if record.checkpoint != (type(events[-1]) is tev.TableCheckpointed):
            return "is marked as a checkpoint and is none, or the other way round"
        if public != any_public(events):
            return "counts its public sequence as its events do not"
        if isinstance(command, cmd.Act | cmd.TimeOut):
            decision = (command.hand_number, command.action_sequence)
            if decision <= self._decision:
                return f"answers decision {decision[1]} of hand {decision[0]} once more, or too late"
            self._decision = decision
        return ""

    def _taken_back(self, record: Record, events: list[ev.Event]) -> tuple[str, ...]:
        over: list[str] = []
        for event in events:
            if isinstance(event, tev.VoidRequested):
                self.voids[event.transfer.transfer_id] = record
            elif (
                isinstance(event, tev.TransferRefused) and self.voids.pop(event.transfer_id, None) is not None
            ):
                over.append(event.transfer_id)
        return tuple(over)

    def _answered(self, record: Record, body: codec.Body) -> tuple[Answered | None, bytes | None]:
        """The request, and the digest of what it asked for where that is known."""
        command = body.command
        if isinstance(command, cmd.AcceptTransfer):
            key = self._answers.pop(command.transfer_id, None)
            if key is None:
                return None, None
            return Answered(key.principal, key.method, key.request_id), key.digest
        if not record.request_id or isinstance(command, _UNANSWERED):
            return None, None
        return Answered(record.principal, type(command).__name__, record.request_id), None


def _answer(record: Record, body: codec.Body, events: list[ev.Event]) -> dict[str, Any]:
    """What the answer to the record's request must say."""
    command = body.command
    if isinstance(command, codec.CreateTable):
        return {"table.table_id": record.table_id, "table.name": command.name}
    if isinstance(command, cmd.SetAdvanceAction | cmd.SetPreferences):
        part = private_part(events)
        return {"private_sequence": part.sequence if part is not None else 0}
    player_id = getattr(command, "player_id", None)
    left = [event for event in events if isinstance(event, tev.PlayerLeft)]
    returned = sum(event.amount for event in left if event.player_id == player_id)
    return {"sequence": record.sequence, "returned": returned}


def _chips_of(table: Table, number: int) -> int:
    """What the player at a seat has: the stack, and in a hand the bets of that hand."""
    hand = table.hand
    if hand is None or number not in hand.position_of:
        return table.seats[number].stack
    position = hand.position_of[number]
    return hand.stack[position] + hand.contribution[position] + hand.dead_paid[position]
