"""A house: what it offers, and the resolved rules of a table picked from it. It reads no file."""

from __future__ import annotations

from typing import Final

import msgspec

from croupier.engine.rake import RakeSchedule
from croupier.engine.rejection import Rejected
from croupier.engine.rules import Structure
from croupier.engine.table_rules import TableRules

RULES_VERSION: Final = 1


class GameOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which game, and the house's options over it."""

    name: str
    bets_cap: int
    cap_lifts_heads_up: bool


class TableOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table's creator picks within (R-T1), and the clock's rules (R-T15)."""

    min_seat_count: int
    max_seat_count: int
    action_times_s: tuple[int, ...]
    default_action_time_s: int
    shortest_action_time_s: int
    time_outs_to_sit_out: int
    default_hand_pause_ms: int
    max_hand_pause_ms: int


class SeatOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long seats are held, and how newcomers enter."""

    reservation_s: int
    seat_kept_s: int
    wait_near_button: bool
    bring_in: bool


class BuyInOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Least and greatest buy-in, in minimum bets."""

    min_bets: int
    max_bets: int


class StakesOffered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Minimum bets offered by structure."""

    no_limit: tuple[int, ...] = ()
    pot_limit: tuple[int, ...] = ()
    fixed_limit: tuple[int, ...] = ()


class Stakes(msgspec.Struct, frozen=True):
    """What a minimum bet means in a structure, in chips; `big_bet` is 0 but in fixed limit."""

    min_bet: int
    big_bet: int
    small_blind: int
    big_blind: int
    min_buy_in: int
    max_buy_in: int


class House(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One house file, as data. `digest` is of the file's bytes."""

    house_id: str
    name: str
    currency: str
    game: GameOptions
    table: TableOptions
    seat: SeatOptions
    buy_in: BuyInOptions
    stakes: StakesOffered
    rake: RakeSchedule
    digest: str = ""

    def min_bets(self, structure: Structure) -> tuple[int, ...]:
        """The minimum bets offered in a structure."""
        offered: tuple[int, ...] = getattr(self.stakes, structure.name.lower())
        return offered

    def offered(self) -> list[tuple[Structure, tuple[int, ...]]]:
        """Every structure offered, with its minimum bets."""
        return [(structure, self.min_bets(structure)) for structure in Structure if self.min_bets(structure)]

    def stakes_of(self, structure: Structure, min_bet: int) -> Stakes:
        """Bets, blinds and buy-ins from the minimum bet (R-T2)."""
        return Stakes(
            min_bet=min_bet,
            big_bet=2 * min_bet if structure is Structure.FIXED_LIMIT else 0,
            small_blind=min_bet // 2,
            big_blind=min_bet,
            min_buy_in=self.buy_in.min_bets * min_bet,
            max_buy_in=self.buy_in.max_bets * min_bet,
        )

    def resolve(
        self,
        structure: Structure,
        min_bet: int,
        seat_count: int,
        action_time_ms: int | None,
        hand_pause_ms: int | None,
    ) -> TableRules | Rejected:
        """The rules of a table; None picks the default. What is not offered is refused with what is (R-T1)."""
        table = self.table
        offered = self.min_bets(structure)
        if not offered:
            return _not_offered("structure", [one.name for one, _ in self.offered()])
        if min_bet not in offered:
            return _not_offered("min_bet", offered)
        if not table.min_seat_count <= seat_count <= table.max_seat_count:
            return _not_offered("seat_count", range(table.min_seat_count, table.max_seat_count + 1))
        if action_time_ms is None:
            action_time_ms = table.default_action_time_s * 1000
        elif action_time_ms not in [seconds * 1000 for seconds in table.action_times_s]:
            return _not_offered("action_time", [f"{seconds}s" for seconds in table.action_times_s])
        if hand_pause_ms is None:
            hand_pause_ms = table.default_hand_pause_ms
        elif not 0 <= hand_pause_ms <= table.max_hand_pause_ms:
            return _not_offered("hand_pause", [f"0s to {table.max_hand_pause_ms / 1000:g}s"])
        stakes = self.stakes_of(structure, min_bet)
        return TableRules(
            house_id=self.house_id,
            rules_version=RULES_VERSION,
            game=self.game.name,
            currency=self.currency,
            structure=structure,
            small_bet=stakes.min_bet,
            big_bet=2 * stakes.min_bet,
            small_blind=stakes.small_blind,
            big_blind=stakes.big_blind,
            min_buy_in=stakes.min_buy_in,
            max_buy_in=stakes.max_buy_in,
            seat_count=seat_count,
            action_time_ms=action_time_ms,
            shortest_action_time_ms=table.shortest_action_time_s * 1000,
            hand_pause_ms=hand_pause_ms,
            reservation_ms=self.seat.reservation_s * 1000,
            seat_kept_ms=self.seat.seat_kept_s * 1000,
            time_outs_to_sit_out=table.time_outs_to_sit_out,
            bets_cap=self.game.bets_cap,
            cap_lifts_heads_up=self.game.cap_lifts_heads_up,
            wait_near_button=self.seat.wait_near_button,
            bring_in=self.seat.bring_in,
            rake=self.rake,
        )


def _not_offered(field: str, offered: object) -> Rejected:
    values = ",".join(str(value) for value in offered)  # type: ignore[attr-defined]
    return Rejected("OPTION_NOT_OFFERED", field=field, offered=values)
