"""Main pot and side pots from what each seat put in (RULES section 4); who wins them is decided elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Pot(NamedTuple):
    """`amount` before rake; `eligible` positions, in the order given to `build_pots`."""

    amount: int
    eligible: tuple[int, ...]


def build_pots(contributions: Sequence[int], folded: Sequence[bool], dead: int) -> list[Pot]:
    """Pots by level of all-in, main pot first (R-P1).

    Contributions are live chips plus a seat's own ante; `dead` goes whole into the main pot. Layers above
    every live seat fall to the highest pot that still has an owner (R-P6).
    """
    live = [index for index, out in enumerate(folded) if not out]
    levels = sorted({contributions[index] for index in live})
    pots: list[Pot] = []
    below = 0
    for level in levels:
        amount = sum(min(chips, level) - below for chips in contributions if chips > below)
        if amount:
            pots.append(Pot(amount, tuple(index for index in live if contributions[index] >= level)))
        below = level
    over = sum(chips - below for chips in contributions if chips > below)
    if over:
        top = pots.pop() if pots else Pot(0, tuple(live))
        pots.append(Pot(top.amount + over, top.eligible))
    if dead and pots and levels[0]:
        pots[0] = Pot(pots[0].amount + dead, pots[0].eligible)
    elif dead:
        pots.insert(0, Pot(dead, tuple(live)))
    return pots


def split(amount: int, winners: int) -> list[int]:
    """Equal shares; odd chips one each to the first winners in seat order from left of the button (R-P4)."""
    share, odd = divmod(amount, winners)
    return [share + 1] * odd + [share] * (winners - odd)
