"""Main pot and side pots from what each seat put in (RULES section 4); who wins them is decided elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Pot(NamedTuple):
    """`amount` before rake; `eligible` positions, in the order given to `build_pots`."""

    amount: int
    eligible: tuple[int, ...]


def build_pots(contributions: Sequence[int], folded: Sequence[bool], dead: int) -> list[Pot]:
    """Pots by level of all-in, main pot first (R-P1); at least one seat has not folded.

    Contributions are live chips plus a seat's own ante; `dead` goes whole into the main pot. Layers above
    every live seat fall to the highest pot that still has an owner (R-P6). No pot is empty, unless the
    hand holds no chips at all: then there are none.
    """
    live = [position for position, out in enumerate(folded) if not out]
    pots: list[Pot] = []
    below = 0
    amount = dead
    for level in sorted({contributions[position] for position in live}):
        amount += sum([min(chips, level) - below for chips in contributions if chips > below])
        if amount:
            eligible = tuple([position for position in live if contributions[position] >= level])
            pots.append(Pot(amount, eligible))
        amount = 0
        below = level
    over = sum([chips - below for chips in contributions if chips > below])
    if over:
        top = pots.pop() if pots else Pot(0, tuple(live))
        pots.append(Pot(top.amount + over, top.eligible))
    return pots


def split(amount: int, winners: int) -> list[int]:
    """Equal shares; odd chips one each to the first winners in seat order from left of the button (R-P4)."""
    share, odd = divmod(amount, winners)
    return [share + 1] * odd + [share] * (winners - odd)
