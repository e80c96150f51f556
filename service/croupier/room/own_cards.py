"""What one player alone learned by a record of the journal; no other player's cards leave it."""

from __future__ import annotations

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine.game import Game
from croupier.room import codec
from croupier.room.exchange import exchanged
from croupier.room.ports import Record
from croupier.room.proofs import unsealed_order
from croupier.room.seal import KeyGone, Seal


def hole_cards(game: Game, started: ev.HandStarted, deal_order: bytes) -> dict[str, bytes]:
    """Each player's hole cards in a hand."""
    return dict(zip(started.players, game.deal(deal_order, len(started.seats)), strict=True))


def exchanged_in(event: ev.CardsDrawn, own: bytes) -> tuple[bytes, bytes]:
    """The cards discarded and those drawn, out of a viewer's own of the record; empty where the event moved none.

    One draw of a record exchanges cards at most; others in it stand pat, for players dismissed (R-T11, R-T15).
    """
    count = len(event.places)
    if not count or not own:
        return b"", b""
    if len(own) != 2 * count:
        raise ValueError(f"a draw of {count} moved {len(own)} cards")
    return own[:count], own[count:]


def own_cards(seal: Seal, game: Game, viewer: str, record: Record, body: codec.Body) -> bytes:
    """The viewer's own: as dealt, or in a draw of the viewer's those discarded and then those drawn; else none.

    `body` is the record's. None either where the hand has settled and its key is gone.
    """
    if not viewer or record.sealed is None:
        return b""
    try:
        return _opened(seal, game, viewer, record, body)
    except KeyGone:
        return b""


def _opened(seal: Seal, game: Game, viewer: str, record: Record, body: codec.Body) -> bytes:
    if isinstance(body.command, cmd.Act):
        return exchanged(record, body.command, seal) if viewer == body.command.player_id else b""
    started = next((event for event in body.events if isinstance(event, ev.HandStarted)), None)
    if started is None or viewer not in started.players:
        return b""
    opened = seal.open(record, started.hand_number)
    return hole_cards(game, started, unsealed_order(record.table_id, started, opened))[viewer]
