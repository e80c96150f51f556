"""A settled hand whose key is in escrow, opened whole with the auditor's private key; nothing else can open it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.game import Game
from croupier.engine.hand import Hand, evolve
from croupier.room import codec
from croupier.room.hand_id import hand_id_of
from croupier.room.ports import Record
from croupier.room.proofs import Deck, unsealed_order
from croupier.room.seal import open_escrowed


class CannotOpen(Exception):
    """Raised where there is no such hand, or it is still played."""


class OpenedSeat(msgspec.Struct, frozen=True):
    """Cards as dealt, and as last held."""

    seat: int
    player_id: str
    dealt: bytes
    held: bytes


class OpenedHand(msgspec.Struct, frozen=True):
    """`as_committed`: the decks sealed are those whose roots were told before the first card."""

    hand_id: str
    deal_order: bytes
    seats: tuple[OpenedSeat, ...]
    board: bytes
    as_committed: bool


def open_hand(
    records: Iterable[Record], games: Mapping[str, Game], hand_number: int, private_key: bytes
) -> OpenedHand:
    """From all records of its table. Raises CannotOpen, SealBroken where the key is not the hand's."""
    created: tev.TableCreated | None = None
    start: Record | None = None
    events: list[ev.Event] = []
    for record in records:
        for event in codec.decode(record.body, record.format).events:
            if isinstance(event, tev.TableCreated):
                created = event
            elif isinstance(event, ev.HandStarted):
                start = record if event.hand_number == hand_number else start
                events = [event] if event.hand_number == hand_number else events
            elif events and not isinstance(events[-1], ev.HandEnded) and isinstance(event, ev.HandEvent):
                events.append(event)
    if created is None or start is None:
        raise CannotOpen("there is no such hand")
    if not isinstance(events[-1], ev.HandEnded):
        raise CannotOpen("the hand is still played: nobody looks into it before it has ended")
    return _opened(created, games[created.rules.game], start, events, private_key)


def _opened(
    created: tev.TableCreated, game: Game, start: Record, events: list[ev.Event], private_key: bytes
) -> OpenedHand:
    started = events[0]
    if not isinstance(started, ev.HandStarted):
        raise CannotOpen("there is no such hand")
    hand_id = hand_id_of(created.table_id, started.hand_number)
    sealed = open_escrowed(start, started.hand_number, private_key)
    hand = Hand(created.rules.hand_rules(game), started)
    hand.hold_deck(unsealed_order(created.table_id, started, sealed))
    dealt = list(hand.hole_cards)
    for event in events[1:]:
        evolve(hand, event)
    order = hand.deal_order or b""
    return OpenedHand(
        hand_id,
        order,
        tuple(
            OpenedSeat(seat, player, before, after)
            for seat, player, before, after in zip(
                started.seats, started.players, dealt, hand.hole_cards, strict=True
            )
        ),
        hand.board,
        Deck.unsealed(hand_id, started.rules_digest, sealed).roots == started.roots,
    )
