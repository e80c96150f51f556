"""A Five Aces table in simulated time, whose players draw by their cards."""

from __future__ import annotations

from typing import Any

import msgspec
from tests.fakes.simulated_runtime import SimulatedRuntime
from tests.fakes.simulated_table import CURRENCY, SimulatedTable
from tests.support.houses import table_rules

from croupier.engine import actions
from croupier.engine import commands as cmd
from croupier.engine.hand import Hand
from croupier.engine.rules import Structure
from croupier.room.exchange import Discard
from croupier.room.views import DecisionView


def five_aces(seat_count: int = 6) -> dict[str, Any]:
    """The rules of a Five Aces table, by name; its chips are those that SimulatedTable deals in."""
    rules = table_rules(Structure.SPREAD_LIMIT, 1, seat_count, house="five_aces", hand_pause_ms=0)
    return {**msgspec.structs.asdict(rules), "currency": CURRENCY}


async def open_draw_table(runtime: SimulatedRuntime, *players: str, **changed: Any) -> SimulatedTable:
    """Players on seats 1, 2, … with 200 chips each; the first hand has begun."""
    table = await SimulatedTable.open(runtime, **{**five_aces(max(6, len(players))), **changed})
    await table.change_state(cmd.PauseTable())
    for seat, player in enumerate(players, start=1):
        await table.sit(player, seat)
    await table.change_state(cmd.ResumeTable())
    await runtime.idle()
    return table


def hand_of(table: SimulatedTable) -> Hand:
    """The hand in play; there must be one."""
    hand = table.actor.table.hand
    assert hand is not None
    return hand


def held(table: SimulatedTable, player_id: str) -> bytes:
    """The cards of a player in the hand in play."""
    hand = hand_of(table)
    return hand.hole_cards[hand.position_of[table.actor.table.seat_of(player_id)]]


async def to_the_draw(table: SimulatedTable, to: int = 10) -> None:
    """Bet and call until the first player draws."""
    await table.act(actions.BetTo(to))
    while not hand_of(table).drawing:
        await table.act(actions.CALL)


async def discard(table: SimulatedTable, count: int) -> DecisionView:
    """The player to act exchanges the first cards held."""
    return await table.act(Discard(held(table, table.decision.player_id)[:count]))
