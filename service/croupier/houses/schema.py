"""What stands in a house file, key by key, with the bounds of each value; how keys fit together, checks.py says.

A key without a default must be in the file; one that is not here must not.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

MOST_CHIPS: Final = 10**12
"""Most chips that a buy-in may come to: what a wallet may hold."""

StructureName = Literal["no_limit", "pot_limit", "fixed_limit", "spread_limit"]
AllInRuleName = Literal["all_in_or_fold", "all_in_or_all_in"]
Newcomers = Literal["bring_in", "bring_in_or_wait", "free"]
Day = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

Chips = Annotated[int, Meta(ge=0, le=MOST_CHIPS)]
Multiple = Annotated[int, Meta(ge=1, le=1_000_000)]
Seats = Annotated[int, Meta(ge=2, le=10)]
Seconds = Annotated[int, Meta(ge=1, le=3600)]
Milliseconds = Annotated[int, Meta(ge=0, le=3_600_000)]
BasisPoints = Annotated[int, Meta(ge=0, le=10_000)]
Name = Annotated[str, Meta(min_length=1, max_length=64)]


class GameSection(msgspec.Struct, frozen=True, kw_only=True):
    """The house's options over one game. Defaults are those of public card rooms.

    Without `blinds` nobody posts anything. `bets_cap` and `cap_lifts_heads_up` are fixed limit's (R-B3),
    `opening_checks` is R-B10; `most_drawn` and `last_round_opener` belong to games with a draw (R-H7).
    `max_seat_count` is table.max_seat_count unless it stands here.
    """

    blinds: bool = True
    bets_cap: Annotated[int, Meta(ge=1, le=100)] = 4
    cap_lifts_heads_up: bool = True
    opening_checks: bool = True
    most_drawn: Annotated[int, Meta(ge=0, le=5)] = 0
    last_round_opener: Literal["first", "second"] = "first"
    max_seat_count: Seats | None = None


class OfferSection(msgspec.Struct, frozen=True, kw_only=True):
    """Games, a structure and its stakes, either listed in `min_bets` or any from `lowest_min_bet` up.

    A minimum bet is the big blind in no limit and pot limit, the small bet in fixed limit, the least bet in
    spread limit. All other sizes are counted in minimum bets; `max_bet` is spread limit's greatest bet or raise.
    """

    games: tuple[Name, ...]
    structure: StructureName
    min_bets: tuple[Chips, ...] = ()
    lowest_min_bet: Chips | None = None
    max_bet: Multiple | None = None
    min_buy_in: Multiple
    max_buy_in: Multiple


class TableSection(msgspec.Struct, frozen=True, kw_only=True):
    """What a table's creator picks within (R-T1), and the clock's rules (R-T15)."""

    min_seat_count: Seats
    max_seat_count: Seats
    default_seat_count: Seats
    action_times_s: tuple[Seconds, ...]
    default_action_time_s: Seconds
    shortest_action_time_s: Seconds
    time_outs_to_sit_out: Annotated[int, Meta(ge=1, le=100)]
    default_hand_pause_ms: Milliseconds
    max_hand_pause_ms: Milliseconds
    local_tables: bool = False
    all_in_rules: tuple[AllInRuleName, ...] = ()
    banking_window_min: Annotated[int, Meta(ge=0, le=100_000)] = 120


class SeatSection(msgspec.Struct, frozen=True, kw_only=True):
    """How long seats are held (R-T8, R-T15), and how newcomers enter (R-T9, R-T10)."""

    reservation_s: Seconds
    seat_kept_s: Seconds
    offer_s: Seconds = 30
    newcomers: Newcomers


class ShowdownSection(msgspec.Struct, frozen=True, kw_only=True):
    """Which hands are turned up, and for how long cards may be shown after a hand (R-H6, R-H9)."""

    all_ins_shown_at_once: bool = False
    losing_hands_mucked: bool = False
    show_window_s: Annotated[int, Meta(ge=0, le=60)] = 0


class MinimumLevel(msgspec.Struct, frozen=True, kw_only=True):
    """The level of experience that it takes to join tables from a minimum bet up (R-T5)."""

    from_min_bet: Chips
    level: Name


class ExperienceSection(msgspec.Struct, frozen=True, kw_only=True):
    """The ladder, lowest first, and who may join what (R-T5)."""

    levels: tuple[Name, ...] = ()
    minimums: tuple[MinimumLevel, ...] = ()


class FreePlaySection(msgspec.Struct, frozen=True, kw_only=True):
    """The days on which a player needs no pass: every day where none is named (R-T7)."""

    days: tuple[Day, ...] = ()
    time_zone: str = ""


class RakeCap(msgspec.Struct, frozen=True, kw_only=True):
    """The most that is taken from a hand with up to so many players dealt in, unless a cap before it holds."""

    players: Seats
    cap: Chips


class RakeRow(msgspec.Struct, frozen=True, kw_only=True):
    """What is taken at tables of these structures from a minimum bet up, to where the next row begins (R-K1).

    Either `basis_points` or `step` chips for each whole `step_of` chips; none of them takes nothing.
    """

    structures: tuple[StructureName, ...] = ("no_limit", "pot_limit", "fixed_limit", "spread_limit")
    from_min_bet: Chips = 0
    basis_points: BasisPoints = 0
    step: Chips = 0
    step_of: Chips = 0
    rounding: Literal["down", "half_even"] = "down"
    no_flop_no_drop: bool = False
    caps: tuple[RakeCap, ...] = ()


class RakeSection(msgspec.Struct, frozen=True, kw_only=True):
    """The rake's rows, and the greatest share of any pot that a row may take. No rows: no rake."""

    most_basis_points: BasisPoints = 10_000
    rows: tuple[RakeRow, ...] = ()


class SealSection(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of the key of a hand's sealed cards once the hand has settled.

    "keep" leaves it, wrapped by the master key. "destroy" leaves nobody a way to cards that were not shown, their
    owners included. "escrow" leaves one to whoever has the private key of `auditor_key`, X25519 in hexadecimal.
    What is gone from the store may for a while be in its write-ahead log, and stays in backups made meanwhile: whoever
    has those and the master key opens hands that were in play then.
    """

    hand_keys: Literal["keep", "destroy", "escrow"] = "keep"
    auditor_key: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""


class HouseFile(msgspec.Struct, frozen=True, kw_only=True):
    """A whole house file."""

    house_id: Annotated[str, Meta(pattern="[a-z0-9][a-z0-9_-]{0,63}")]
    name: Name
    currency: Annotated[str, Meta(pattern="[A-Za-z0-9]{1,16}")]
    games: dict[str, GameSection]
    offers: tuple[OfferSection, ...]
    table: TableSection
    seat: SeatSection
    showdown: ShowdownSection = ShowdownSection()
    experience: ExperienceSection = ExperienceSection()
    free_play: FreePlaySection = FreePlaySection()
    rake: RakeSection = RakeSection()
    seal: SealSection = SealSection()
