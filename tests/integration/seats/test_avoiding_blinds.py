"""Players who prefer to sit out instead of posting the next blind (R-T16's other wish, R-T17)."""

from __future__ import annotations

from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.seated import BIG, PLAYERS, fold_out, next_hand, posts, seat_of, table_of

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.events import PostKind
from croupier.engine.table_events import Preferences, SitOutReason


async def avoid(table: SimulatedTable, player: str, *, avoids: bool = True) -> None:
    command = cmd.SetPreferences(player, Preferences(sit_out_next_blind=avoids))
    await table.room.wishes.note(table.key("SetPreferences"), table.table_id, command)


@simulated()
async def test_whoever_avoids_blinds_plays_until_one_is_due(runtime: SimulatedRuntime) -> None:
    """Of four; the small blind and the button come first."""
    table = await table_of(runtime, *PLAYERS, "dora")
    assert table.heard(ev.HandStarted)[-1].big_blind_seat == 3
    await avoid(table, "bert")
    hands = [await next_hand(table) for _ in range(3)]
    assert [(hand.big_blind_seat, 2 in hand.seats) for hand in hands] == [(4, True), (1, True), (3, False)]
    assert seat_of(table, "bert").state == "SITTING_OUT"
    (sat_out,) = table.heard(tev.SatOut)
    assert (sat_out.seat, sat_out.reason) == (2, SitOutReason.ASKED)
    assert PostKind.BIG_BLIND not in posts(table, 2)


@simulated()
async def test_the_blind_goes_to_the_next_and_is_owed(runtime: SimulatedRuntime) -> None:
    """R-T17: as if the player had sat out by hand; the record that starts the hand says so first."""
    table = await table_of(runtime, *PLAYERS, "dora")
    await avoid(table, "dora")
    started = await next_hand(table)
    assert (started.big_blind_seat, 4 in started.seats) == (1, False)
    kinds = [type(one.event) for one in table.noted if one.sequence == table.noted[-1].sequence]
    assert kinds[:3] == [tev.SatOut, tev.BlindsMissed, ev.HandStarted]
    assert seat_of(table, "dora").missed_big_blind
    await avoid(table, "dora", avoids=False)
    await table.change_seat("dora", cmd.SitIn("dora", wait_for_big_blind=False))
    await next_hand(table)
    assert posts(table, 4)[PostKind.LIVE_BLIND] == BIG


@simulated()
async def test_no_hand_is_dealt_where_too_few_are_left(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, "anna", "bert")
    await avoid(table, "anna")
    await fold_out(table)
    hands = table.actor.table.carried.hand_number
    await table.sleep(5)
    assert table.actor.table.hand is None
    assert table.actor.table.carried.hand_number == hands
    assert not table.actor.halted
    assert seat_of(table, "anna").state == "SITTING_OUT"
    await table.restart()
    assert seat_of(table, "anna").state == "SITTING_OUT"
    await avoid(table, "anna", avoids=False)
    await table.change_seat("anna", cmd.SitIn("anna", wait_for_big_blind=False))
    await table.sleep(5)
    assert table.actor.table.carried.hand_number == hands + 1


@simulated()
async def test_owed_blinds_are_no_reason_to_sit_out_again(runtime: SimulatedRuntime) -> None:
    """Who comes back posts what is owed, and sits out when the next blind is due."""
    table = await table_of(runtime, *PLAYERS, "dora")
    await avoid(table, "dora")
    await next_hand(table)
    await table.change_seat("dora", cmd.SitIn("dora", wait_for_big_blind=False))
    started = await next_hand(table)
    assert 4 in started.seats
    assert posts(table, 4)[PostKind.LIVE_BLIND] == BIG
