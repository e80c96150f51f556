"""The deck of a recorded hand: every known card comes where it came, unknown ones are filled from the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from croupier.adapters.recorded.exchanges import Cards
from croupier.adapters.recorded.hand import Malformed, RecordedHand
from croupier.cards import DECK, parse_card

_BOARD_CARDS: Final = 5
_ANY: Final[Mapping[int, int]] = {}


def deal_order(recorded: RecordedHand, hole_cards: int) -> bytes:
    """A whole deck for a game with a board; `hole_cards` are dealt to each.

    Raises Malformed where a card appears twice or is none.
    """
    holes = [_known(recorded.holes.get(seat.seat, ()), hole_cards) for seat in recorded.seats]
    board = _known(recorded.board, _BOARD_CARDS)
    burnt = (None, *board[:3], None, board[3], None, board[4])
    return filled([*one_at_a_time(holes), *burnt])


def one_at_a_time(hands: Iterable[Cards]) -> list[int | None]:
    """The cards of all hands in the order in which they are dealt (R-H1)."""
    return [card for round_ in zip(*hands, strict=True) for card in round_]


def filled(order: Sequence[int | None], last: Mapping[int, int] = _ANY) -> bytes:
    """A whole deck that begins so, cards that are not told taken from the rest; of it those of `last` have
    their turn last, by their numbers. Raises Malformed where a card appears twice.
    """
    known = [card for card in order if card is not None]
    told = set(known)
    if len(told) != len(known):
        raise Malformed("a card appears twice")
    rest = [card for card in DECK if card not in told]
    if last:
        rest.sort(key=lambda card: last.get(card, 0))
    unused = iter(rest)
    return bytes([*[next(unused) if card is None else card for card in order], *unused])


def _known(texts: Collection[str], count: int) -> Cards:
    try:
        cards = tuple([None if text == "??" else parse_card(text) for text in texts])
    except ValueError as error:
        raise Malformed(str(error)) from None
    if len(cards) > count:
        raise Malformed(f"{len(cards)} cards where {count} belong")
    return cards + (None,) * (count - len(cards))
