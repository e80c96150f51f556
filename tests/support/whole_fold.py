"""A table folded from every event of its journal, with no checkpoint to help: what recovery must come to as well."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
from tests.support.states import state

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.game import Game
from croupier.engine.table import Table, evolve
from croupier.room import codec
from croupier.room.journal import GENESIS, record_hash
from croupier.room.ports import Record
from croupier.room.proofs import unsealed_order
from croupier.room.seal import Seal


def table_state(table: Table) -> dict[str, Any]:
    """Everything that a table is, as plain values."""
    hand = table.hand
    return {
        "table_id": table.table_id,
        "name": table.name,
        "rules": table.rules,
        "carried": msgspec.structs.asdict(
            msgspec.convert(msgspec.to_builtins(table.carried), tev.TableCarried)
        ),
        "hand": None if hand is None else state(hand),
    }


def folded_from_all(records: Sequence[Record], game: Game, seal: Seal) -> Table:
    """The table after its last record.

    Raises AssertionError where the chain is broken, or a checkpoint says something else than the events before it.
    """
    must_be_a_chain(records)
    first = codec.decode(records[0].body, records[0].format).events[0]
    assert isinstance(first, tev.TableCreated)
    table = Table(first, game)
    for record in records[1:]:
        for event in codec.decode(record.body, record.format).events:
            if isinstance(event, tev.TableCheckpointed):
                assert event.carried == table.carried
                continue
            evolve(table, event)
            if isinstance(event, ev.HandStarted):
                assert record.sealed is not None
                assert table.hand is not None
                opened = seal.open(record, event.hand_number)
                table.hand.hold_deck(unsealed_order(table.table_id, event, opened))
    return table


def must_be_a_chain(records: Sequence[Record]) -> None:
    """Every record is what its hash says, and follows the one before it."""
    assert records[0].prev_hash == GENESIS
    for number, record in enumerate(records, start=1):
        assert (record.journal_sequence, record.hash) == (number, record_hash(record))
    for before, after in pairwise(records):
        assert after.prev_hash == before.hash
        assert after.sequence in (before.sequence, before.sequence + 1)
