"""The deck of a recorded hand: every known card comes where it came, unknown ones are filled from the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from croupier.adapters.recorded.exchanges import Cards, Exchange
from croupier.adapters.recorded.hand import Malformed, RecordedHand
from croupier.cards import DECK, parse_card
from croupier.engine.game import DECK_SIZE

_BOARD_CARDS: Final = 5


def deal_order(recorded: RecordedHand, hole_cards: int) -> bytes:
    """A whole deck for a game with a board; `hole_cards` are dealt to each.

    Raises Malformed where a card appears twice or is none.
    """
    holes = [_known(recorded.holes.get(seat.seat, ()), hole_cards) for seat in recorded.seats]
    board = _known(recorded.board, _BOARD_CARDS)
    burnt = (None, *board[:3], None, board[3], None, board[4])
    return _filled([*_one_at_a_time(holes), *burnt])


def draw_order(seats: Sequence[Exchange], live: Sequence[int], decks: int) -> bytes:
    """So many whole decks for a draw game; `live` are the positions still in at the draw, in turn.

    Replacements come from the first deck and, once its stub falls short of a draw, from the next, which holds
    no card of those still in (R-H8). Raises Malformed where a card comes that cannot come then.
    """
    dealt = len(seats) * len(seats[0].dealt)
    order = _one_at_a_time([seat.dealt for seat in seats])
    orders: list[bytes] = []
    hands: list[bytearray] = []
    runs = _runs(seats, live)
    for number, run in enumerate(runs):
        drawn = [card for position in run for card in seats[position].drawn]
        held: set[int | None] = {card for at in live for card in hands[at]} if hands else set()
        if held.intersection(drawn):
            raise Malformed("a card is drawn that a player still in holds")
        later = {card for after in runs[number + 1 :] for at in after for card in seats[at].drawn}
        orders.append(_filled([*order, *drawn], held | later, _given_up(seats, live) if order else ()))
        if not hands:
            hands = [bytearray(orders[0][at : dealt : len(seats)]) for at in range(len(seats))]
        coming = iter(orders[-1][len(order) :])
        for position in run:
            for place in seats[position].places:
                hands[position][place] = next(coming)
        order = []
    return b"".join([*orders, *[DECK] * (decks - len(orders))])


def _runs(seats: Sequence[Exchange], live: Sequence[int]) -> list[list[int]]:
    """The positions that draw, parted where the stub falls short of the next."""
    hole_cards = len(seats[0].dealt)
    stub = DECK_SIZE - len(seats) * hole_cards
    runs: list[list[int]] = [[]]
    for position in live:
        count = len(seats[position].drawn)
        if count > stub:
            stub = DECK_SIZE - len(live) * hole_cards
            runs.append([])
        stub -= count
        runs[-1].append(position)
    return runs


def _given_up(seats: Sequence[Exchange], live: Sequence[int]) -> set[int]:
    """Where cards lie in the deck that are dealt and then folded or discarded."""
    count = len(seats)
    return {
        place * count + position
        for position, seat in enumerate(seats)
        for place in (seat.places if position in live else range(len(seat.dealt)))
    }


def _one_at_a_time(hands: Iterable[Cards]) -> list[int | None]:
    return [card for round_ in zip(*hands, strict=True) for card in round_]


def _filled(
    order: Sequence[int | None], last: Collection[int | None] = (), filled_last: Collection[int | None] = ()
) -> bytes:
    """A whole deck that begins so. Cards that are not told are taken from the rest, in it those of `last` at
    the end; the places `filled_last` have their turn after all others.

    Raises Malformed where a card appears twice.
    """
    known = [card for card in order if card is not None]
    told = set(known)
    if len(told) != len(known):
        raise Malformed("a card appears twice")
    rest = [card for card in DECK if card not in told]
    if last:
        rest.sort(key=last.__contains__)
    unused = iter(rest)
    cards = list(order)
    untold = [place for place, card in enumerate(order) if card is None]
    if filled_last:
        untold.sort(key=filled_last.__contains__)
    for place, card in zip(untold, unused, strict=False):
        cards[place] = card
    return bytes([*[card for card in cards if card is not None], *unused])


def _known(texts: Collection[str], count: int) -> Cards:
    try:
        cards = tuple([None if text == "??" else parse_card(text) for text in texts])
    except ValueError as error:
        raise Malformed(str(error)) from None
    if len(cards) > count:
        raise Malformed(f"{len(cards)} cards where {count} belong")
    return cards + (None,) * (count - len(cards))
