"""What a seed decides before anything happens: tables, players, and which faults there are, and how often."""

from __future__ import annotations

from typing import Final

import msgspec
from tests.simulation.chance import Chance
from tests.support.houses import HOUSES

from croupier.engine.rejection import Rejected
from croupier.engine.rules import AllInRule, Structure
from croupier.engine.table_rules import TableRules
from croupier.houses.house import Choice

MOST_HANDS: Final = 20


class Faults(msgspec.Struct, frozen=True):
    """Each happens once in so many chances, 0 for never; `crash` counts steps, `torn_commit`
    commits of several units."""

    crash: int
    torn_commit: int
    failed_commit: int
    slow_commit: int
    failed_recovery: int
    lost_message: int
    doubled_message: int
    late_message: int
    stall: int
    slow_watcher: int
    broken_stream: int
    wallet_loss: int
    wallet_doubling: int
    clock_step: int


class TablePlan(msgspec.Struct, frozen=True):
    """A table: its rules, and how many come to play there."""

    rules: TableRules
    digest: str
    players: int


class Scenario(msgspec.Struct, frozen=True):
    """`outside` is whether wallets are an operator's own; `limits` makes the queues so short."""

    tables: tuple[TablePlan, ...]
    hands: int
    faults: Faults
    outside: bool
    wealth: int
    limits: int
    page: int


_AUDITOR: Final = bytes(range(32)).hex()
_OFTEN: Final = Faults(
    crash=800,
    torn_commit=6,
    failed_commit=40,
    slow_commit=30,
    failed_recovery=4,
    lost_message=15,
    doubled_message=8,
    late_message=30,
    stall=60,
    slow_watcher=8,
    broken_stream=250,
    wallet_loss=4,
    wallet_doubling=4,
    clock_step=2,
)


def scenario(chance: Chance) -> Scenario:
    """Every fault is left out of half of the scenarios, so that others come to the point that it would hide."""
    tables = tuple([_table(chance) for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4)))])
    faults = {
        name: often * chance.choice((1, 1, 3)) if chance.one_in(2) else 0
        for name, often in msgspec.structs.asdict(_OFTEN).items()
    }
    return Scenario(
        tables=tables,
        hands=chance.between(2, MOST_HANDS - 2 * len(tables)),
        faults=Faults(**faults),
        outside=chance.one_in(2),
        wealth=chance.choice((3, 6, 6, 50)),
        limits=chance.choice((6, 24, 256, 256)),
        page=chance.choice((3, 200)),
    )


def _table(chance: Chance) -> TablePlan:
    """Any offer of any house, with any of its options; seats that only some may take are open to all."""
    while True:
        house = HOUSES[chance.choice(sorted(HOUSES))]
        offer = chance.choice(house.offers)
        times = house.file.table.action_times_s
        held_to = house.all_in_rules if offer.structure is Structure.NO_LIMIT else []
        rules = house.resolve(
            Choice(
                structure=offer.structure,
                min_bet=offer.min_bet,
                game=offer.game,
                seat_count=chance.between(2, min(6, offer.max_seat_count)),
                action_time_ms=1000 * chance.choice(times) if times else None,
                hand_pause_ms=chance.choice((0, 0, 1000, None)),
                all_in_rule=chance.choice([AllInRule.NONE, AllInRule.NONE, *held_to]),
                forbid_banking=bool(house.file.table.banking_window_min) and chance.one_in(2),
            )
        )
        if not isinstance(rules, Rejected):
            break
    keys = chance.choice(("keep", "keep", "destroy", "escrow"))
    auditor = _AUDITOR if keys == "escrow" else ""
    open_to_all = msgspec.structs.replace(
        rules, min_experience=0, free_days=(), hand_keys=keys, auditor_key=auditor
    )
    seats = open_to_all.seat_count
    return TablePlan(open_to_all, house.digest, chance.between(2, seats + chance.below(2)))
