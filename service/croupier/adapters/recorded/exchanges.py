"""What each seat of a recorded draw hand was dealt, discarded and drew, as far as the record tells or implies."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from croupier.adapters.recorded.hand import Malformed, RecordedAction, RecordedHand
from croupier.adapters.recorded.sites import ways_of
from croupier.cards import parse_card

Cards = tuple[int | None, ...]
"""Cards in order; None stands for one that nobody was told."""


class Exchange(NamedTuple):
    """One seat's hand as dealt, the places whose cards it discarded, and what it drew for them.

    `implied`: no draw is recorded, but the hands before and after the draw are, and tell it.
    """

    dealt: Cards
    places: bytes = b""
    drawn: Cards = ()
    implied: bool = False


def exchanges(recorded: RecordedHand, hole_cards: int) -> dict[int, Exchange]:
    """By seat. Where the hand after the draw alone is told, its last cards are taken for those drawn.

    Raises Malformed where hands, discards and drawn cards contradict each other."""
    draws = {action.seat: action for action in recorded.actions if action.type == "draw"}
    if len(draws) != sum(action.type == "draw" for action in recorded.actions):
        raise Malformed("a seat draws twice")
    return {
        seat.seat: _exchange(recorded, seat.seat, draws.get(seat.seat), hole_cards) for seat in recorded.seats
    }


def _exchange(recorded: RecordedHand, seat: int, draw: RecordedAction | None, hole_cards: int) -> Exchange:
    dealt = _hand(recorded.holes.get(seat, ()), hole_cards)
    final = _hand(recorded.final_hands.get(seat, ()), hole_cards)
    if draw is None and (not dealt or not final or dealt == final):
        return Exchange(dealt or final or (None,) * hole_cards)
    if draw is None and not ways_of(recorded.site).draws_unsaid:
        raise Malformed(f"seat {seat} holds other cards, and drew none")
    if dealt and final:
        return _told_by_hands(dealt, final, seat, draw)
    if draw is None or draw.discard is None or not 0 <= draw.discard <= hole_cards:
        raise Malformed(f"seat {seat} does not tell how many cards it draws")
    count = draw.discard
    discarded = _parsed(draw.discarded) or dealt[:count] or (None,) * count
    drawn = _parsed(draw.drawn) or final[hole_cards - count :] or (None,) * count
    if len(discarded) != count or len(drawn) != count:
        raise Malformed(f"seat {seat} draws {count} cards, and tells others")
    if not dealt:
        kept = _without(final, drawn) if final else (None,) * (hole_cards - count)
        dealt = (*kept, *discarded)
        return Exchange(dealt, bytes(range(len(kept), hole_cards)), drawn)
    _without(dealt, discarded)
    return Exchange(dealt, bytes(dealt.index(card) for card in discarded), drawn)


def _told_by_hands(dealt: Cards, final: Cards, seat: int, draw: RecordedAction | None) -> Exchange:
    """Both hands are known: what is in one of them alone was exchanged."""
    places = bytes(place for place, card in enumerate(dealt) if card not in final)
    drawn = tuple(card for card in final if card not in dealt)
    if draw is not None:
        discarded = {dealt[place] for place in places}
        told = (
            draw.discard,
            set(_parsed(draw.discarded)) or discarded,
            set(_parsed(draw.drawn)) or set(drawn),
        )
        if told != (len(places), discarded, set(drawn)):
            raise Malformed(f"seat {seat} draws other cards than its hands before and after tell")
    return Exchange(dealt, places, drawn, implied=draw is None)


def _hand(texts: Collection[str], hole_cards: int) -> Cards:
    """A whole hand; nothing where it is not known card by card."""
    if not texts or "??" in texts:
        return ()
    if len(texts) != hole_cards:
        raise Malformed(f"{len(texts)} cards where {hole_cards} belong")
    return _parsed(texts)


def _parsed(texts: Collection[str]) -> Cards:
    try:
        return tuple(parse_card(text) for text in texts)
    except ValueError as error:
        raise Malformed(str(error)) from None


def _without(cards: Cards, gone: Sequence[int | None]) -> Cards:
    """The other cards; raises Malformed where those `gone` are not all among them."""
    if not set(gone) <= set(cards):
        raise Malformed("cards are exchanged that are not in the hand")
    return tuple(card for card in cards if card not in gone)
