"""What happens to the deal of a coming hand, as fields of croupier.v1.TableEvent."""

from __future__ import annotations

from typing import Any, Protocol

from croupier.engine import table_events as tev
from croupier.room.hand_id import hand_id_of
from croupier.v1 import proof_pb2


class _AtATable(Protocol):
    table_id: str


def committed(telling: _AtATable, event: tev.EntropyCommitted) -> dict[str, Any]:
    return {
        "entropy_committed": proof_pb2.EntropyCommitted(
            hand_id=hand_id_of(telling.table_id, event.hand_number),
            player_id=event.player_id,
            commitment=event.commitment,
        )
    }


def deck_committed(telling: _AtATable, event: tev.DeckCommitted) -> dict[str, Any]:
    return {
        "deck_committed": proof_pb2.DeckCommitted(
            hand_id=hand_id_of(telling.table_id, event.hand_number),
            deck_roots=event.roots,
            rules_digest=event.rules_digest,
        )
    }


def revealed(telling: _AtATable, event: tev.EntropyRevealed) -> dict[str, Any]:
    return {
        "entropy_revealed": proof_pb2.EntropyRevealed(
            hand_id=hand_id_of(telling.table_id, event.hand_number),
            player_id=event.player_id,
            entropy=event.entropy,
        )
    }
