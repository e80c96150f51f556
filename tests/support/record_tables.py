"""Tables in simulated time whose settled hands are read: every game, played at random, with comings and goings."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from tests.fakes.simulated_runtime import SimulatedRuntime
from tests.fakes.simulated_table import SimulatedTable

from croupier.engine import actions
from croupier.engine import commands as cmd
from croupier.engine.actions import Action, LegalActions
from croupier.engine.rake import NO_RAKE
from croupier.engine.rules import Structure
from croupier.engine.table_events import TableState
from croupier.room.failures import Refusal
from croupier.room.records import HandRecord

PLAYERS: Final = ("anna", "bert", "cleo", "dora", "egon")
DRAW: Final[dict[str, Any]] = {
    "game": "five_card_draw",
    "structure": Structure.SPREAD_LIMIT,
    "small_bet": 1,
    "big_bet": 50,
    "small_blind": 0,
    "big_blind": 0,
    "opening_checks": False,
    "most_drawn": 3,
    "last_round_opener": 1,
    "bring_in": False,
}
FIXED: Final[dict[str, Any]] = {"structure": Structure.FIXED_LIMIT, "small_bet": 2, "big_bet": 4}
TABLES: Final[dict[str, dict[str, Any]]] = {
    "NT": {},
    "PT": {"structure": Structure.POT_LIMIT},
    "FT": FIXED,
    "PO": {"game": "omaha", "structure": Structure.POT_LIMIT},
    "NO": {"game": "omaha"},
    "FO": {"game": "omaha", **FIXED},
    "PO5": {"game": "five_card_omaha", "structure": Structure.POT_LIMIT},
    "PO6": {"game": "six_card_omaha", "structure": Structure.POT_LIMIT},
    "FO/8": {"game": "omaha_hi_lo", **FIXED},
    "NO/8": {"game": "omaha_hi_lo"},
    "PO/8": {"game": "omaha_hi_lo", "structure": Structure.POT_LIMIT, "losing_hands_mucked": True},
    "S5D": DRAW,
    "F5D": {**DRAW, **FIXED, "small_blind": 1, "big_blind": 2, "opening_checks": True, "bring_in": True},
}
"""Rules by the code that the hands are exported with."""


async def played(runtime: SimulatedRuntime, code: str, seed: int, hands: int, **rules: Any) -> SimulatedTable:
    """A table at which so many hands were settled and none is in play; no rake where none is told."""
    changed = {"rake": NO_RAKE} | TABLES[code] | rules
    table = await SimulatedTable.open(runtime, **changed)
    random = Random(f"{code}/{seed}")
    for seat, player in enumerate(PLAYERS, start=1):
        await table.sit(player, seat, random.choice((40, 100, 200)))
    await runtime.idle()
    while table.actor.table.carried.hand_number <= hands:
        if table.actor.decision() is None:
            await come_or_go(table, random)
            await runtime.idle()
            continue
        await table.act(choice(table, random))
        if random.random() < 0.1:
            await come_or_go(table, random)
    await table.close()
    while table.actor.table.carried.state is not TableState.CLOSED:
        await table.act(choice(table, random))
    await runtime.sleep(1)
    return table


def choice(table: SimulatedTable, random: Random) -> Action | Any:
    legal: LegalActions = table.decision.legal
    luck = random.random()
    if legal.can_draw:
        count = random.randrange(legal.max_discards + 1)
        return actions.Draw(bytes(sorted(random.sample(range(5), count))))
    least, most = legal.min_raise_to or legal.min_bet_to, legal.max_raise_to or legal.max_bet_to
    if most and luck < 0.25:
        to = most if luck < 0.04 else min(most, least + random.randrange(12))
        return actions.RaiseTo(to) if legal.max_raise_to else actions.BetTo(to)
    if legal.can_check:
        return actions.CHECK
    if legal.call_amount and luck < 0.9:
        return actions.CALL
    if legal.can_fold:
        return actions.FOLD
    return actions.CALL if legal.call_amount else actions.BetTo(least)


async def come_or_go(table: SimulatedTable, random: Random) -> None:
    """Whoever is away comes back, mostly; of the others one sits out or leaves, where that is possible."""
    for player in PLAYERS:
        seat = table.actor.table.seats.get(table.actor.table.seat_of(player))
        try:
            if seat is None:
                taken = table.actor.table.seats
                await table.sit(player, next(number for number in range(1, 7) if number not in taken), 100)
            elif (seat.sitting_out or seat.sit_out_next) and random.random() < 0.5:
                await table.change_seat(player, cmd.SitIn(player, wait_for_big_blind=False))
            elif random.random() < 0.02:
                await table.cash_out(player)
            elif random.random() < 0.15:
                await table.change_seat(player, cmd.SitOut(player, table.runtime.now()))
        except Refusal:
            continue


async def records(table: SimulatedTable, viewer: str) -> list[HandRecord]:
    """Every settled hand of the table as the viewer may know it, in the order they were played."""
    last = table.actor.table.carried.hand_number
    found = [await table.room.records.get(table.table_id, number, viewer) for number in range(1, last + 1)]
    return [record for record in found if record is not None]
