"""What one player alone learned by a record of the journal; no other player's cards leave it."""

from __future__ import annotations

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine.game import Game
from croupier.room import codec
from croupier.room.exchange import exchanged
from croupier.room.ports import Record
from croupier.room.seal import Seal


def hole_cards(game: Game, started: ev.HandStarted, deal_order: bytes) -> dict[str, bytes]:
    """Each player's hole cards in a hand."""
    return dict(zip(started.players, game.deal(deal_order, len(started.seats)), strict=True))


def own_cards(seal: Seal, game: Game, viewer: str, record: Record) -> bytes:
    """The viewer's own: as dealt, or in a draw of the viewer's those discarded and then those drawn; else none."""
    if not viewer or record.sealed is None:
        return b""
    body = codec.decode(record.body, record.format)
    if isinstance(body.command, cmd.Act):
        return exchanged(record, body.command, seal) if viewer == body.command.player_id else b""
    started = next(event for event in body.events if isinstance(event, ev.HandStarted))
    if viewer not in started.players:
        return b""
    opened = seal.open(record.table_id, started.hand_number, record.sealed)
    return hole_cards(game, started, opened)[viewer]
