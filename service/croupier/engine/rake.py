"""What the house takes from a hand, worked out once, and whom it is attributed to (RULES section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

BASIS = 10_000


class RakeSchedule(msgspec.Struct, frozen=True):
    """A percentage of the sum of the pots, in basis points, with its rounding and caps (R-K1).

    `cap` is the most taken from a hand (None: no cap). With `no_flop_no_drop` nothing is taken from a
    hand in which no board card was dealt. `fixed` replaces the percentage: a recorded hand's own rake.
    """

    basis_points: int = 0
    cap: int | None = None
    rounding: Literal["down", "half_even"] = "down"
    no_flop_no_drop: bool = False
    fixed: int | None = None


NO_RAKE = RakeSchedule()


def rake_of(schedule: RakeSchedule, pot_total: int, *, flop_dealt: bool) -> int:
    """Chips taken from a hand whose pots sum to `pot_total` after uncalled chips went back (R-K5)."""
    if schedule.fixed is not None:
        return min(schedule.fixed, pot_total)
    if schedule.basis_points == 0 or (schedule.no_flop_no_drop and not flop_dealt):
        return 0
    whole, part = divmod(pot_total * schedule.basis_points, BASIS)
    if schedule.rounding == "half_even" and (part * 2 > BASIS or (part * 2 == BASIS and whole % 2)):
        whole += 1
    return whole if schedule.cap is None else min(whole, schedule.cap)


def proportional(total: int, weights: Sequence[int]) -> list[int]:
    """Split `total` in proportion to `weights` by largest remainder; a tie goes to the earlier (R-K5, R-K7)."""
    whole = sum(weights)
    if whole == 0:
        return [0] * len(weights)
    shares = [total * weight // whole for weight in weights]
    left = total - sum(shares)
    if left:
        remainders = [total * weight % whole for weight in weights]
        for index in sorted(range(len(weights)), key=lambda i: -remainders[i])[:left]:
            shares[index] += 1
    return shares
