"""Every recorded command decided once more, by the pure engine and with the same cards: the same must come of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.game import Game
from croupier.engine.rejection import Rejected
from croupier.engine.table import Table, evolve
from croupier.engine.table_play import Decided, execute, start_hand
from croupier.room import codec
from croupier.room.exchange import exchange, exchanged
from croupier.room.hand_id import hand_id_of
from croupier.room.ports import Record
from croupier.room.proofs import Deck, unsealed_order
from croupier.room.seal import KeyGone, Seal, SealBroken


class Redeciding:
    """One table's records, decided in order. After a difference it goes on behind the next checkpoint.

    So it does where a settled hand's key is gone: nobody can decide that hand again, nor which cards of it are shown.
    """

    def __init__(self, games: Mapping[str, Game], seal: Seal) -> None:
        self._games = games
        self._seal = seal
        self._table: Table | None = None
        self._lost = False
        self._undecided = 0
        """The last hand that was not decided anew."""

    def read(self, record: Record, body: codec.Body) -> str:
        """Decide the next record's command; what differs, or nothing."""
        first = body.events[0]
        if isinstance(first, tev.TableCreated):
            return self._begin(first)
        table = self._table
        if table is None:
            return ""
        wrong = "" if self._lost else self._differs(table, record, body)
        self._lost = self._lost or bool(wrong)
        if self._lost and record.checkpoint:
            evolve(table, body.events[-1])
            self._lost = False
            self._undecided = table.carried.hand_number
        return wrong

    def lose(self) -> None:
        """A record could not be read."""
        self._lost = True

    def _begin(self, created: tev.TableCreated) -> str:
        game = self._games.get(created.rules.game)
        if game is None:
            return f"no game {created.rules.game} is played here"
        self._table = Table(created, game)
        return ""

    def _differs(self, table: Table, record: Record, body: codec.Body) -> str:
        if isinstance(body.command, cmd.ShowCards) and body.command.hand_number == self._undecided:
            return ""
        try:
            decided, sealed = self._decide(table, record, body)
        except KeyGone:
            self.lose()
            return ""
        except SealBroken as failure:
            return f"cannot be decided anew: {failure}"
        except Exception as failure:
            return f"cannot be decided anew: {failure!r}"
        name = type(body.command).__name__
        if isinstance(decided, Rejected):
            return f"{name} would be refused: {decided.reason}"
        if not sealed:
            return f"{name} draws other cards than those that are sealed"
        made = codec.encode(body.command, decided)
        if made == record.body:
            return ""
        again = codec.decode(made, codec.FORMAT).events
        return "" if again == body.events else _first_difference(name, again, body.events)

    def _decide(self, table: Table, record: Record, body: codec.Body) -> tuple[Decided, bool]:
        """What comes of the command, and whether the cards it moves are those sealed in its record."""
        command, coming = body.command, table.carried.hand_number + 1
        if isinstance(command, cmd.StartHand):
            dealt = any(isinstance(event, ev.HandStarted) for event in body.events)
            if not dealt:
                return start_hand(table, command, b""), record.sealed is None
            started = next(event for event in body.events if isinstance(event, ev.HandStarted))
            opened = self._seal.open(record, coming)
            deal_order = unsealed_order(table.table_id, started, opened)
            return start_hand(table, command, deal_order), _of(
                hand_id_of(table.table_id, coming), command, opened
            )
        if isinstance(command, cmd.CommitDeck):
            opened = self._seal.open(record, coming)
            return execute(table, command), _of(hand_id_of(table.table_id, coming), command, opened)
        if isinstance(command, codec.CreateTable):
            raise TypeError("a table is created once")
        draw = exchange(table, command)
        decided = execute(table, command)
        if draw is None or isinstance(decided, Rejected) or not isinstance(command, cmd.Act):
            return decided, True
        return decided, draw.cards() == exchanged(record, command, self._seal)


def _of(hand_id: str, command: cmd.StartHand | cmd.CommitDeck, opened: bytes) -> bool:
    """Whether the decks of the hand that the command commits to are those sealed."""
    if not command.roots:
        return True
    return Deck.unsealed(hand_id, command.rules_digest, opened).roots == command.roots


def _first_difference(name: str, again: Sequence[ev.Event], recorded: Sequence[ev.Event]) -> str:
    for made, kept in zip(again, recorded, strict=False):
        if made != kept:
            return f"{name} comes to {_told(made)}, recorded is {_told(kept)}"
    return f"{name} comes to {len(again)} events, recorded are {len(recorded)}"


def _told(event: ev.Event) -> str:
    """An event in a line; checkpoints are long."""
    text = repr(event)
    return text if len(text) <= 300 else f"{text[:300]}…"
