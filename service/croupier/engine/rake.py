"""What the house takes from a hand, worked out once, and whom it is attributed to (RULES section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

BASIS = 10_000


class RakeSchedule(msgspec.Struct, frozen=True):
    """One row of a rake table: how much of the sum of the pots, its rounding and its caps (R-K1).

    Either a percentage (`basis_points`) or a step: `step` chips for each whole `step_of` chips. `cap` is
    the most taken from a hand (None: no cap); `caps_by_players` overrides it with pairs of a number of
    players dealt in and the cap up to that many, fewest players first. With `no_flop_no_drop` nothing is
    taken from a hand without a flop, in draw games without a draw. `jackpot_drop` is taken on top of a rake that is
    not 0, outside the cap, and counts as rake. `fixed` replaces all of it: a recorded hand's own rake.
    """

    basis_points: int = 0
    cap: int | None = None
    rounding: Literal["down", "half_even"] = "down"
    no_flop_no_drop: bool = False
    fixed: int | None = None
    step: int = 0
    step_of: int = 0
    caps_by_players: tuple[tuple[int, int], ...] = ()
    jackpot_drop: int = 0


NO_RAKE = RakeSchedule()


def rake_of(schedule: RakeSchedule, pot_total: int, *, flop_dealt: bool, players: int) -> int:
    """Chips taken from a hand whose pots sum to `pot_total` after uncalled chips went back (R-K5).

    `players` were dealt in. Never more than the pots hold.
    """
    if schedule.fixed is not None:
        return min(schedule.fixed, pot_total)
    if schedule.no_flop_no_drop and not flop_dealt:
        return 0
    rake = _by_step(schedule, pot_total) if schedule.step_of else _by_percentage(schedule, pot_total)
    cap = _cap(schedule, players)
    if cap is not None and rake > cap:
        rake = cap
    if rake:
        rake += schedule.jackpot_drop
    return min(rake, pot_total)


def _by_step(schedule: RakeSchedule, pot_total: int) -> int:
    return pot_total // schedule.step_of * schedule.step


def _by_percentage(schedule: RakeSchedule, pot_total: int) -> int:
    whole, part = divmod(pot_total * schedule.basis_points, BASIS)
    if schedule.rounding == "half_even" and (part * 2 > BASIS or (part * 2 == BASIS and whole % 2)):
        whole += 1
    return whole


def _cap(schedule: RakeSchedule, players: int) -> int | None:
    for most_players, cap in schedule.caps_by_players:
        if players <= most_players:
            return cap
    return schedule.cap


def proportional(total: int, weights: Sequence[int]) -> list[int]:
    """Split `total` in proportion to `weights` by largest remainder; a tie goes to the earlier.

    The order is main pot first for R-K5, seats from the left of the button for R-K7.
    """
    whole = sum(weights)
    if whole == 0:
        return [0] * len(weights)
    shares = [total * weight // whole for weight in weights]
    left = total - sum(shares)
    if left:
        remainders = [total * weight % whole for weight in weights]
        for index in sorted(range(len(weights)), key=lambda index: -remainders[index])[:left]:
            shares[index] += 1
    return shares
