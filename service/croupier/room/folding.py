"""From stored records back to a table: events are applied, nothing is decided anew."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

import msgspec

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.game import Game
from croupier.engine.play import action_of
from croupier.engine.table import Table, evolve
from croupier.engine.voiding import put_in
from croupier.room import codec
from croupier.room.acts import Acts, acted_of
from croupier.room.failures import JournalDamaged
from croupier.room.hand_id import hand_id_of
from croupier.room.journal import Chain, body_of, created_by
from croupier.room.ports import Record, TableJournal
from croupier.room.proofs import Deck, rules_digest, unsealed_order
from croupier.room.seal import Seal, SealBroken
from croupier.room.views import decision_view


class Folded:
    """A table as its journal leaves it: state, head of the chain, the hand's start, the actions still known."""

    __slots__ = (
        "acts",
        "began",
        "chain",
        "created_time",
        "damage",
        "deck",
        "rules_digest",
        "started",
        "table",
        "told",
        "wrong",
    )

    def __init__(self, table: Table, chain: Chain, created_time: int) -> None:
        self.table = table
        self.chain = chain
        self.created_time = created_time
        self.started: ev.HandStarted | None = None
        self.began = 0
        """The sequence of the record with the hand's start."""
        self.acts = Acts()
        self.rules_digest = b""
        self.deck: Deck | None = None
        """Those of the hand in progress, or of the coming one where they are committed to."""
        self.told: list[ev.Event] = []
        """What happened since the hand in progress began."""
        self.wrong = ""
        """Why the hand in progress does not fold: it has its beginning then, and the chips put in since."""
        self.damage: JournalDamaged | None = None
        """Why nothing is known of what came after this: the journal is not as it was stored."""


def fold_as_far(journal: TableJournal, game: Game, seal: Seal) -> Folded:
    """As `fold`; where only the hand in progress does not fold, the table with that hand as it began.

    That is enough to void it. Where the journal is damaged, the table as far as it is not. Raises what `fold` raises
    where anything else is wrong, JournalDamaged where nothing can be told of the table.
    """
    try:
        return fold(journal, game, seal)
    except JournalDamaged as damage:
        folded = _fold_sound_part(journal, game, seal)
        folded.damage = damage
        return folded
    except (SealBroken, codec.JournalTooNew, msgspec.DecodeError):
        raise
    except Exception as failure:
        try:
            folded = _fold_around_the_hand(journal, game)
        except Exception:
            raise failure from None
        if folded.table.hand is None:
            raise
        folded.wrong = f"the hand in progress does not fold: {failure!r}"
        return folded


def _fold_sound_part(journal: TableJournal, game: Game, seal: Seal) -> Folded:
    """Of what comes before a damaged record."""
    chain = Chain(journal.table_id)
    body_of(journal.first)
    chain.follow(journal.first)
    sound = []
    with suppress(JournalDamaged):
        for record in journal.tail:
            if record.journal_sequence != 1:
                body_of(record)
                chain.follow(record)
            sound.append(record)
    part = msgspec.structs.replace(journal, tail=sound, last=0, last_hash=b"", closed=None)
    try:
        return fold(part, game, seal)
    except Exception:
        return _fold_around_the_hand(part, game)


def _fold_around_the_hand(journal: TableJournal, game: Game) -> Folded:
    """Of a hand's events only its start is applied, and the chips that they move."""
    chain = Chain(journal.table_id)
    chain.follow(journal.first)
    folded = Folded(Table(created_by(journal.first), game), chain, journal.first.recorded_time)
    folded.rules_digest = rules_digest(journal.first.body)
    table = folded.table
    for record in journal.tail:
        if record.journal_sequence == 1:
            continue
        events = body_of(record).events
        chain.follow(record)
        for event in events[-1:] if record.checkpoint else events:
            if isinstance(event, ev.HandEvent) and not isinstance(event, ev.HandStarted):
                if table.hand is not None:
                    put_in(table.hand, event)
                continue
            evolve(table, event)
            if isinstance(event, ev.HandStarted):
                folded.started, folded.began = event, record.sequence
    chain.epoch = journal.epoch or chain.epoch
    folded.acts.since = table.carried.hand_number + 1
    return folded


def fold(journal: TableJournal, game: Game, seal: Seal) -> Folded:
    """The table where its journal stands; a hand in progress gets its sealed deck back. Raises JournalDamaged."""
    chain = Chain(journal.table_id)
    chain.follow(journal.first)
    folded = Folded(Table(created_by(journal.first), game), chain, journal.first.recorded_time)
    folded.rules_digest = rules_digest(journal.first.body)
    if journal.hand_key:
        seal.hold(journal.table_id, journal.hand_key)
    _apply(folded, journal.tail, seal)
    if journal.last and journal.last != chain.journal_sequence:
        what = f"record {journal.last} is the last, and missing: {chain.journal_sequence} is there"
        raise JournalDamaged(journal.table_id, what)
    if journal.last_hash not in (b"", chain.hash):
        raise JournalDamaged(journal.table_id, f"record {journal.last} is not the last that was stored")
    closed = folded.table.carried.state is tev.TableState.CLOSED
    if journal.closed not in (None, closed):
        what = "closed, by the journal open" if journal.closed else "open, by the journal closed"
        raise JournalDamaged(journal.table_id, f"the table is {what}")
    chain.epoch = journal.epoch or chain.epoch
    return folded


def _apply(folded: Folded, records: Iterable[Record], seal: Seal) -> None:
    """A checkpoint's last event is the whole table: what led to it need not be applied, nor known."""
    table = folded.table
    for record in records:
        if record.journal_sequence == 1:
            continue
        body = body_of(record)
        folded.chain.follow(record)
        for event in body.events[-1:] if record.checkpoint else body.events:
            evolve(table, event)
            if isinstance(event, ev.HandStarted):
                folded.started, folded.began = event, record.sequence
                folded.told, folded.deck = [], None
            if isinstance(event, ev.HandStarted | tev.DeckCommitted) and record.sealed is not None:
                _take_deck(folded, event, seal.take_up(record, event.hand_number))
            folded.told.append(event)
        if record.checkpoint:
            folded.acts.since = table.carried.hand_number + 1
        if isinstance(body.command, cmd.Act):
            acted = acted_of(record, body.command, action_of(body.events), seal)
            acted.decision = decision_view(table, 0)
            folded.acts.keep((body.command.hand_number, body.command.action_sequence), acted)


def _take_deck(folded: Folded, event: ev.HandStarted | tev.DeckCommitted, opened: bytes) -> None:
    """The decks of a hand in progress, or of the coming one."""
    table = folded.table
    if isinstance(event, ev.HandStarted) and table.hand is not None:
        table.hand.hold_deck(unsealed_order(table.table_id, event, opened))
    if event.roots:
        folded.deck = Deck.unsealed(hand_id_of(table.table_id, event.hand_number), event.rules_digest, opened)
