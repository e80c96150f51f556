"""Which five cards make a hand's rank, as one would lay them on the table; it judges none itself."""

from itertools import combinations

from croupier.handrank.active import ACTIVE


def best_five(cards: bytes) -> bytes:
    """The strongest five of 5 to 7 cards, in whatever order those come: pairs and the like first, then from
    high to low, the ace of 5-4-3-2-A last. Of equal choices it takes the higher suits. Raises ValueError as
    `rank` does."""
    best = ACTIVE.rank(cards)
    descending = bytes(sorted(cards, reverse=True))
    fives = (bytes(five) for five in combinations(descending, 5))
    return _laid_out(next(five for five in fives if ACTIVE.rank(five) == best))


def _laid_out(five: bytes) -> bytes:
    ranks = [card // 4 for card in five]
    if ranks == [12, 3, 2, 1, 0]:
        return five[1:] + five[:1]

    laid_out = sorted(five, key=lambda card: (ranks.count(card // 4), card), reverse=True)
    return bytes(laid_out)
