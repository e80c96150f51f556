"""The decks of a recorded draw hand, from which each comes to the cards that it was dealt and drew (R-H7, R-H8)."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.adapters.recorded.deck import filled, one_at_a_time
from croupier.adapters.recorded.exchanges import Exchange
from croupier.adapters.recorded.hand import Malformed
from croupier.cards import DECK
from croupier.engine.game import DECK_SIZE


def draw_order(seats: Sequence[Exchange], live: Sequence[int], decks: int) -> bytes:
    """So many whole decks; `live` are the positions still in at the draw, in turn.

    Replacements come from the first deck and, each time the stub falls short of a draw, from the next, in which
    the cards of those still in, which never come, lie before them.

    Raises Malformed where a card comes that cannot come then.
    """
    runs = _runs(seats, live)
    orders = [_first(seats, runs)]
    dealt = len(seats) * len(seats[0].dealt)
    hands = [bytearray(orders[0][position : dealt : len(seats)]) for position in range(len(seats))]
    _exchange(hands, seats, runs[0], orders[0][dealt:])
    for number, run in enumerate(runs[1:], start=1):
        held = sorted(card for position in live for card in hands[position])
        orders.append(filled([*held, *_drawn(seats, run)], _later_cards(seats, runs[number:])))
        _exchange(hands, seats, run, orders[-1][len(held) :])
    return b"".join([*orders, *[DECK] * (decks - len(orders))])


def _runs(seats: Sequence[Exchange], live: Sequence[int]) -> list[list[int]]:
    """The positions that draw from each deck: the stub falls short of the first of the next."""
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


def _first(seats: Sequence[Exchange], runs: Sequence[Sequence[int]]) -> bytes:
    """The deck that is dealt from; cards that come from a later one lie where they can get there from."""
    order = [*one_at_a_time([seat.dealt for seat in seats]), *_drawn(seats, runs[0])]
    order += [None] * (DECK_SIZE - len(order))
    free = _free_places(seats, runs, order)
    told = set(order)
    for number, run in enumerate(runs[1:], start=1):
        for card in _drawn(seats, run):
            if card is None or card in told:
                continue
            places = next((places for places in free[number::-1] if places), None)
            if places is None:
                raise Malformed("more cards are drawn than can come")
            order[places.pop()] = card
    return filled(order)


def _free_places(
    seats: Sequence[Exchange], runs: Sequence[Sequence[int]], order: Sequence[int | None]
) -> list[list[int]]:
    """By run, the places in the first deck whose untold cards are first shuffled into the stub of that run:
    for the first reshuffle what is folded and not dealt, for each what the run before it discarded.
    """
    count = len(seats)
    run_of = {position: number for number, run in enumerate(runs) for position in run}
    free: list[list[int]] = [[] for _ in range(len(runs) + 1)]
    for position, seat in enumerate(seats):
        places = seat.places if position in run_of else range(len(seat.dealt))
        free[run_of.get(position, 0) + 1] += [place * count + position for place in places]
    dealt = count * len(seats[0].dealt) + len(_drawn(seats, runs[0]))
    free[1] += range(dealt, DECK_SIZE)
    return [[place for place in places if order[place] is None] for places in free]


def _later_cards(seats: Sequence[Exchange], runs: Sequence[Sequence[int]]) -> dict[int, int]:
    """The known cards of all runs but the first; the sooner they come, the greater their number."""
    return {
        card: len(runs) - number
        for number, run in enumerate(runs[1:], start=1)
        for card in _drawn(seats, run)
        if card is not None
    }


def _drawn(seats: Sequence[Exchange], run: Sequence[int]) -> list[int | None]:
    return [card for position in run for card in seats[position].drawn]


def _exchange(hands: list[bytearray], seats: Sequence[Exchange], run: Sequence[int], stub: bytes) -> None:
    coming = iter(stub)
    for position in run:
        for place in seats[position].places:
            hands[position][place] = next(coming)
