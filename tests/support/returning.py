"""Plays the given cases about a player who leaves ahead and returns: what becomes of each buy-in."""

from __future__ import annotations

from typing import Any, Final
from unittest.mock import patch

from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.cases import Case, deck_of
from tests.support.seated import next_hand

from croupier.engine import actions
from croupier.engine.hand import NOBODY
from croupier.engine.rake import NO_RAKE
from croupier.engine.rotation import plan_hand
from croupier.room.failures import Refusal

PLAYERS: Final = ("returning", "second", "third")
_ACES: Final = {"game": "holdem", "hole": {"0": "AsAd"}, "board": "Ah8c7d2s3c"}


async def left_with(runtime: SimulatedRuntime, told: Case) -> SimulatedTable:
    """The first player, who has brought the maximum, takes all that the other two have, and leaves with it."""
    table = await SimulatedTable.open(
        runtime,
        hand_pause_ms=1000,
        min_buy_in=told["min"],
        max_buy_in=told["max"],
        banking_window_ms=told["rathole_minutes"] * 60_000,
        rake=NO_RAKE,
    )

    def deal(_: bytes) -> bytes:
        plan = plan_hand(table.actor.table)
        assert plan is not None
        return deck_of(_ACES, [seat - 1 for seat in plan.seats])

    won = (told["left_with"] - told["max"]) // 2
    with patch("croupier.room.actor.shuffled", deal):
        for seat, (player, amount) in enumerate(zip(PLAYERS, (told["max"], won, won), strict=True), start=1):
            await table.sit(player, seat, amount)
        await next_hand(table)
        while (hand := table.actor.table.hand) is not None and hand.actor != NOBODY:
            await table.act(actions.ALL_IN if table.decision.legal.all_in_to else actions.CALL)
    answer = await table.cash_out(PLAYERS[0])
    assert answer.returned == told["left_with"]
    return table


def outcomes(told: Case) -> list[str]:
    """Of each return that the case tries: whether the buy-in is taken."""
    made: list[str] = []

    def try_one(case: dict[str, Any]) -> None:
        @simulated()
        async def scenario(runtime: SimulatedRuntime) -> None:
            table = await left_with(runtime, told)
            await table.sleep(60 * case["minutes"])
            await table.reserve(PLAYERS[0], 1)
            try:
                await table.buy_in(PLAYERS[0], case["amount"])
            except Refusal as refusal:
                made.append("rejected" if refusal.reason == "BUY_IN_NOT_LEGAL" else refusal.reason)
            else:
                made.append("ok")

        scenario()

    for case in told["cases"]:
        try_one(case)
    return made
