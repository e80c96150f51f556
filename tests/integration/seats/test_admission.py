"""Who may join a table: what callers vouch for (R-T5 to R-T7)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.fakes.simulated_runtime import NS, START, SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.seated import refused, seat_in

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.table_events import Vouched
from croupier.room import codec

LADDER = ("none", "Neophyte", "Apprentice", "Narrow")
FRIDAY = {"free_days": (5, 7), "time_zone": "America/Los_Angeles"}
HOUR = 3600
TUESDAY = 14 * HOUR + 13 * 60 + 20
"""The simulation begins on a Tuesday in California, so many seconds after midnight."""


async def table_for(runtime: SimulatedRuntime, **rules: Any) -> SimulatedTable:
    table = await SimulatedTable.open(runtime, **rules)
    for player in ("anna", "bert"):
        await table.fund(player)
    return table


# R-T5


@pytest.mark.parametrize(
    ("level", "enters"), [("", False), ("Neophyte", False), ("Apprentice", True), ("Narrow", True)]
)
def test_a_table_takes_the_experienced_alone(level: str, enters: bool) -> None:
    """R-T5: the level asked for, or better."""

    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await table_for(runtime, experience_levels=LADDER, min_experience=2)
        if enters:
            assert seat_in(await table.reserve("anna", 1, Vouched(level))).state == "RESERVED"
        else:
            refusal = await refused(table.reserve("anna", 1, Vouched(level)))
            assert refusal.reason == "EXPERIENCE_TOO_LOW"
            assert refusal.facts == {"experience": level or "none", "min_experience": "Apprentice"}

    scenario()


@simulated()
async def test_a_level_that_the_house_does_not_know_is_malformed(runtime: SimulatedRuntime) -> None:
    table = await table_for(runtime, experience_levels=LADDER)
    refusal = await refused(table.reserve("anna", 1, Vouched("Grandmaster")))
    assert (refusal.reason, refusal.facts) == ("FIELD_MALFORMED", {"field": "vouched.experience"})


@simulated()
async def test_what_was_vouched_for_is_in_the_journal(runtime: SimulatedRuntime) -> None:
    table = await table_for(runtime, experience_levels=LADDER)
    vouched = Vouched("Narrow", "Dragon's Nest", has_pass=True)
    await table.reserve("anna", 1, vouched)
    record = (await table.store.records(table.table_id, 0, 1000))[-1]
    (reserved,) = codec.decode(record.body, record.format).events
    assert isinstance(reserved, tev.SeatReserved)
    assert reserved.vouched == vouched


# R-T6


@pytest.mark.parametrize(("scene", "enters"), [("", False), ("Jubilee", False), ("Dragon's Nest", True)])
def test_a_local_table_takes_players_of_its_scene_alone(scene: str, enters: bool) -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await table_for(runtime, local_scene="Dragon's Nest")
        if enters:
            await table.reserve("anna", 1, Vouched(scene=scene))
        else:
            refusal = await refused(table.reserve("anna", 1, Vouched(scene=scene)))
            assert (refusal.reason, refusal.facts) == ("PLAYER_ELSEWHERE", {"local_scene": "Dragon's Nest"})

    scenario()


# R-T7


@simulated()
async def test_it_takes_a_pass_on_days_that_are_not_free(runtime: SimulatedRuntime) -> None:
    table = await table_for(runtime, **FRIDAY)
    refusal = await refused(table.reserve("anna", 1))
    facts = {"free_days": "FRIDAY,SUNDAY", "time_zone": "America/Los_Angeles"}
    assert (refusal.reason, refusal.facts) == ("PASS_REQUIRED", facts)
    await table.reserve("bert", 2, Vouched(has_pass=True))


@pytest.mark.parametrize(
    ("hours", "free"),
    [(71.99, False), (72.01, True), (95.99, True), (96.01, False), (120.01, True), (144.01, False)],
)
def test_days_begin_and_end_at_midnight_in_the_houses_time_zone(hours: float, free: bool) -> None:
    """R-T7: Friday and Sunday in California, which is hours behind the clock that everything else goes by."""

    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await table_for(runtime, **FRIDAY)
        await runtime.sleep_until(START - TUESDAY * NS + round(hours * HOUR) * NS)
        if free:
            await table.reserve("anna", 1)
        else:
            assert (await refused(table.reserve("anna", 1))).reason == "PASS_REQUIRED"

    scenario()


@simulated()
async def test_a_seated_player_is_never_thrown_out_at_midnight(runtime: SimulatedRuntime) -> None:
    """R-T7: only joining is refused; whoever holds a seat buys in, stays and sits in again."""
    table = await table_for(runtime, **FRIDAY)
    await runtime.sleep_until(START - TUESDAY * NS + 96 * HOUR * NS - 30 * NS)
    await table.sit("anna", 1)
    await table.sit("bert", 2)
    for player in ("cleo", "dora"):
        await table.fund(player)
    await table.reserve("cleo", 3)
    await table.sleep(31)
    assert (await refused(table.reserve("dora", 4))).reason == "PASS_REQUIRED"
    await table.buy_in("cleo", 100)
    await table.change_seat("bert", cmd.SitOut("bert", runtime.now()))
    await table.change_seat("bert", cmd.SitIn("bert", wait_for_big_blind=False))
    assert {seat.player_id for seat in table.actor.table.seats.values()} == {"anna", "bert", "cleo"}
