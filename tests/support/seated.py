"""Short ways to a table in simulated time on which players sit, and through its hands."""

from __future__ import annotations

from typing import Any

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime
from tests.fakes.simulated_table import SimulatedTable

from croupier.engine import actions
from croupier.engine import events as ev
from croupier.engine.events import PostKind
from croupier.room.answers import SeatAnswer
from croupier.room.failures import Refusal
from croupier.room.views import SeatView, seat_view

PLAYERS = ("anna", "bert", "cleo")
BIG = 2
SMALL = 1


async def table_of(
    runtime: SimulatedRuntime, *players: str, amount: int = 100, pause_ms: int | None = 1000, **rules: Any
) -> SimulatedTable:
    """A table of 1 and 2 with the players on seats 1, 2, …, its first hand dealt where there are two."""
    table = await SimulatedTable.open(runtime, hand_pause_ms=pause_ms, **rules)
    for seat, player in enumerate(players, start=1):
        await table.sit(player, seat, amount)
    if len(players) > 1:
        await next_hand(table)
    return table


async def next_hand(table: SimulatedTable) -> ev.HandStarted:
    """Everybody folds what is being played; then the pause, and the next hand has begun."""
    await fold_out(table)
    count = len(table.heard(ev.HandStarted))
    await table.sleep(table.actor.table.rules.hand_pause_ms / 1000)
    started = table.heard(ev.HandStarted)
    assert len(started) == count + 1, "no hand has begun"
    return started[-1]


async def fold_out(table: SimulatedTable) -> None:
    """Everybody folds until the hand in play is over."""
    while table.actor.decision() is not None:
        await table.act(actions.FOLD)


def posts(table: SimulatedTable, seat: int) -> dict[PostKind, int]:
    """What a seat posted in the last hand."""
    posted: dict[PostKind, int] = {}
    for event in (one.event for one in table.noted):
        if isinstance(event, ev.HandStarted):
            posted.clear()
        if isinstance(event, ev.Posted) and event.seat == seat:
            posted[event.kind] = event.amount
    return posted


def seat_of(table: SimulatedTable, player: str) -> SeatView:
    """A player's seat as everybody sees it."""
    return seat_view(table.actor.table, table.actor.table.seat_of(player))


async def refused(call: Any) -> Refusal:
    """How a call was refused; it must be."""
    with pytest.raises(Refusal) as refusal:
        await call
    return refusal.value


def seat_in(answer: SeatAnswer) -> SeatView:
    """The seat in an answer; there must be one."""
    assert answer.seat is not None
    return answer.seat
