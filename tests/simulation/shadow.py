"""What really happened at one table: its durable records, folded as they come. All else is held against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from croupier.adapters.games import GAMES
from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.events import Event
from croupier.engine.hand import Hand
from croupier.engine.table import Table, evolve
from croupier.room import codec
from croupier.room.ports import Record
from croupier.room.proofs import unsealed_order
from croupier.room.seal import KeyGone, Seal

MASTER_KEY = bytes(32)
SEAL = Seal(MASTER_KEY)
CONCEALED: Final = frozenset((*tev.INTERNAL, *tev.PRIVATE))
Key = tuple[str, str]


class Fact(NamedTuple):
    """A record, and what may be known after it: `shown` cards by seat, `held` by player, both of hand `hand_number`."""

    record: Record
    command: cmd.Command | codec.CreateTable
    public: tuple[Event, ...]
    private: tuple[tev.AdvanceActionSet | tev.PreferencesSet, ...]
    own: dict[str, bytes]
    hand_number: int
    board: bytes
    shown: dict[int, bytes]
    held: dict[str, bytes]


class Shadow:
    """Raises AssertionError where a record breaks a law of the table."""

    def __init__(self, first: Record) -> None:
        body = codec.decode(first.body, first.format)
        created = body.events[0]
        assert isinstance(created, tev.TableCreated)
        self.table_id = created.table_id
        self.table = Table(created, GAMES[created.rules.game])
        self.facts = [Fact(first, body.command, (created,), (), {}, 0, b"", {}, {})]
        self.by_request: dict[Key, Fact] = {}
        self.accepted: dict[Key, Fact] = {}
        """Where the chips of a buy-in or rebuy came to the seat, by the request that they came by."""
        self.ended: dict[int, tuple[int, int, ev.HandEnded, ev.HandStarted]] = {}
        self.deadlines: dict[tuple[int, int], int] = {}
        """What was told in this life of the service of when a decision must be made."""
        self._asked: dict[str, Key] = {}
        self._began = 0
        self._hand: Hand | None = None
        self._shown: dict[int, bytes] = {}

    def sees(self, record: Record, hand_key: bytes | None) -> None:
        """The next durable record, and what the store is to keep of the hand's key."""
        if hand_key:
            SEAL.hold(self.table_id, hand_key)
        body = codec.decode(record.body, record.format)
        before = self.facts[-1].record
        assert record.journal_sequence == before.journal_sequence + 1, "records are not numbered one by one"
        public = tuple([event for event in body.events if type(event) not in CONCEALED])
        private = tuple([event for event in body.events if isinstance(event, tev.PRIVATE)])
        assert record.sequence == before.sequence + bool(public), "the public sequence has a gap"
        own: dict[str, bytes] = {}
        for event in body.events:
            self._must_be_lawful(event)
            evolve(self.table, event)
            self._follow(event, record, own)
        if isinstance(body.command, cmd.Act) and record.sealed is not None:
            own = {body.command.player_id: SEAL.open(record, body.command.hand_number)}
        if isinstance(body.command, cmd.TimeOut):
            self._must_be_due(body.command, record)
        hand = self._hand
        held = (
            {}
            if hand is None or not hand.hole_cards
            else dict(zip(hand.started.players, hand.hole_cards, strict=True))
        )
        number = 0 if hand is None else hand.number
        board = b"" if hand is None else bytes(hand.board)
        fact = Fact(record, body.command, public, private, own, number, board, dict(self._shown), held)
        self.facts.append(fact)
        self._name(fact, body.events)

    def _follow(self, event: Event, record: Record, own: dict[str, bytes]) -> None:
        if isinstance(event, ev.HandStarted):
            self._hand, self._began, self._shown = self.table.hand, record.sequence, {}
            assert record.sealed is not None
            assert self._hand is not None
            try:
                opened = SEAL.open(record, event.hand_number)
            except KeyGone:
                assert record.checkpoint, "the key of a hand in progress is gone"
                return  # it ended where it began: nobody can know any more what was not shown
            self._hand.hold_deck(unsealed_order(self.table_id, event, opened))
            own |= zip(event.players, self._hand.hole_cards, strict=True)
        elif isinstance(event, ev.HoleCardsShown):
            self._shown[event.seat] = event.cards
        elif isinstance(event, ev.HandEnded):
            assert self._hand is not None
            self.ended[event.hand_number] = (self._began, record.sequence, event, self._hand.started)

    def _must_be_lawful(self, event: Event) -> None:
        hand = self.table.hand
        if isinstance(event, tev.Rebought):
            assert event.queued or not self.table.in_hand(event.seat), "a rebuy came to a hand (R-T12)"
        elif isinstance(event, ev.HoleCardsShown):
            assert hand is not None
            position = hand.position_of[event.seat]
            assert not hand.folded[position], "cards of a folded hand were shown (R-H9)"
            held = hand.hole_cards[position] if hand.hole_cards else b""
            assert event.cards == (held or event.cards), "other cards were shown than were held"
        elif isinstance(event, ev.HandStarted):
            assert hand is None, "a hand began within another"
            assert event.hand_number == self.table.carried.hand_number + 1, (
                "hands are not numbered one by one"
            )

    def _must_be_due(self, command: cmd.TimeOut, record: Record) -> None:
        """Whoever has timed out before and watches no longer has no time left, whatever deadline was told."""
        deadline = 0
        if not command.disconnected:
            deadline = self.deadlines.get((command.hand_number, command.action_sequence), 0)
        assert record.recorded_time >= deadline, "a decision timed out before its deadline (R-T15)"

    def _name(self, fact: Fact, events: Sequence[Event]) -> None:
        record, command = fact.record, fact.command
        if isinstance(command, cmd.RequestBuyIn | cmd.RequestRebuy):
            self._asked[command.transfer_id] = (record.principal, record.request_id)
            return
        for event in events:
            if isinstance(event, tev.BoughtIn | tev.Rebought):
                key = self._asked[event.transfer_id]
                assert key not in self.accepted, f"the chips of {key} came twice"
                self.accepted[key] = fact
        if record.request_id:
            key = (record.principal, record.request_id)
            assert key not in self.by_request, f"{key} was applied twice"
            self.by_request[key] = fact
