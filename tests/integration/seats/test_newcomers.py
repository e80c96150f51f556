"""How newcomers enter by house: posting or waiting for the big blind, or owing nothing (R-T10, R-T17)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.houses import table_rules
from tests.support.seated import BIG, PLAYERS, next_hand, posts, refused, seat_in, seat_of, table_of

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.events import PostKind
from croupier.engine.rules import Structure

CHOICE: dict[str, Any] = {"newcomers_may_wait": True, "wait_near_button": False}


async def table_for(runtime: SimulatedRuntime, *players: str) -> SimulatedTable:
    """A table where newcomers may wait, in its second hand: button on 2, blinds on 3 and 1 of the three seated."""
    table = await table_of(runtime, *(players or PLAYERS), seat_count=10, **CHOICE)
    started = await next_hand(table)
    assert (started.button_seat, started.small_blind_seat, started.big_blind_seat) == (2, 3, 1)
    return table


async def come(table: SimulatedTable, player: str, seat: int, *, wait: bool) -> str:
    """Sit down; how the seat stands then."""
    await table.fund(player)
    await table.reserve(player, seat)
    return seat_in(await table.buy_in(player, 100, wait_for_big_blind=wait)).state


# posting or waiting


@simulated()
async def test_a_newcomer_who_posts_is_dealt_in_at_once(runtime: SimulatedRuntime) -> None:
    """R-T10: with a live big blind, like a big blind."""
    table = await table_for(runtime)
    await next_hand(table)
    assert await come(table, "dora", 5, wait=False) == "PLAYING"
    started = await next_hand(table)
    assert (started.button_seat, started.small_blind_seat, started.big_blind_seat) == (1, 2, 3)
    assert 5 in started.seats
    assert posts(table, 5) == {PostKind.BRING_IN: BIG}
    while table.decision.player_id != "dora":
        await table.check_or_call()
    assert table.decision.legal.call_amount == 0, "R-H3: the option to raise"


@simulated()
async def test_a_newcomer_who_waits_is_dealt_in_as_the_big_blind(runtime: SimulatedRuntime) -> None:
    """R-T10: and owes nothing else, then or later."""
    table = await table_for(runtime)
    assert await come(table, "dora", 5, wait=True) == "WAITING_FOR_BIG_BLIND"
    assert table.heard(tev.BoughtIn)[-1].waiting_for_big_blind
    while 5 not in (started := await next_hand(table)).seats:
        assert started.big_blind_seat != 5
    assert started.big_blind_seat == 5
    assert posts(table, 5) == {PostKind.BIG_BLIND: BIG}
    assert seat_of(table, "dora").state == "PLAYING"
    await next_hand(table)
    assert posts(table, 5) == {PostKind.SMALL_BLIND: BIG // 2}


@simulated()
async def test_a_newcomer_who_sits_out_may_wait_afterwards(runtime: SimulatedRuntime) -> None:
    """R-T10, R-T17: the newcomer's choice is not lost by sitting out and in again."""
    table = await table_for(runtime)
    assert await come(table, "dora", 5, wait=True) == "WAITING_FOR_BIG_BLIND"
    await table.change_seat("dora", cmd.SitOut("dora", table.runtime.now()))
    await table.change_seat("dora", cmd.SitIn("dora", True))
    assert seat_of(table, "dora").state == "WAITING_FOR_BIG_BLIND"
    while 5 not in (started := await next_hand(table)).seats:
        pass
    assert started.big_blind_seat == 5
    assert posts(table, 5) == {PostKind.BIG_BLIND: BIG}


@pytest.mark.parametrize("wait", [False, True])
def test_no_newcomer_is_dealt_in_between_button_and_blinds(wait: bool) -> None:
    """R-T10: of those who come before a hand with button on 3 and blinds on 1 and 2, none between them."""

    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await table_for(runtime)
        for seat, player in ((4, "dora"), (10, "emil")):
            await come(table, player, seat, wait=wait)
        started = await next_hand(table)
        assert (started.button_seat, started.small_blind_seat, started.big_blind_seat) == (3, 1, 2)
        assert set(started.seats) == {1, 2, 3}
        started = await next_hand(table)
        assert (started.button_seat, started.small_blind_seat, started.big_blind_seat) == (1, 2, 3)
        assert set(started.seats) == ({1, 2, 3} if wait else {1, 2, 3, 4, 10})
        started = await next_hand(table)
        assert started.big_blind_seat == 4
        assert posts(table, 4) == {PostKind.BIG_BLIND: BIG}

    scenario()


@simulated()
async def test_on_the_first_hand_nobody_posts_or_waits(runtime: SimulatedRuntime) -> None:
    """R-T10: everybody is new, those who would wait as well."""
    table = await SimulatedTable.open(runtime, hand_pause_ms=1000, **CHOICE)
    for seat, player in enumerate(PLAYERS, start=1):
        await come(table, player, seat, wait=True)
    started = await next_hand(table)
    assert set(started.players) == set(PLAYERS)
    assert [event.kind for event in table.heard(ev.Posted)] == [PostKind.SMALL_BLIND, PostKind.BIG_BLIND]


@pytest.mark.parametrize("house", [{}, {"bring_in": False, "wait_near_button": False}])
def test_nobody_waits_for_the_big_blind_where_the_house_does_not_let_them(house: dict[str, Any]) -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await table_of(runtime, *PLAYERS, **house)
        await table.fund("dora")
        await table.reserve("dora", 5)
        refusal = await refused(table.buy_in("dora", 100, wait_for_big_blind=True))
        assert (refusal.reason, refusal.facts) == ("FIELD_NOT_ALLOWED", {"field": "wait_for_big_blind"})
        await table.buy_in("dora", 100)

    scenario()


@simulated()
async def test_the_wait_for_the_big_blind_outlives_a_crash(runtime: SimulatedRuntime) -> None:
    table = await table_for(runtime)
    await come(table, "dora", 5, wait=True)
    await table.restart()
    assert seat_of(table, "dora").state == "WAITING_FOR_BIG_BLIND"
    assert 5 not in (await next_hand(table)).seats


# owing nothing


@simulated()
async def test_where_newcomers_owe_nothing_they_post_nothing(runtime: SimulatedRuntime) -> None:
    """R-T10, for a house with blinds and without a bring-in."""
    table = await table_of(runtime, *PLAYERS, bring_in=False, wait_near_button=False)
    await next_hand(table)
    assert not seat_in(await table.sit("dora", 5)).owes_bring_in
    await next_hand(table)
    assert posts(table, 5) == {}


@simulated()
async def test_a_house_without_blinds_is_owed_nothing(runtime: SimulatedRuntime) -> None:
    """R-T17: not by newcomers, nor by those who sat out, whatever the house says of newcomers."""
    table = await table_of(
        runtime, *PLAYERS, small_blind=0, big_blind=0, bring_in=True, wait_near_button=False
    )
    await table.change_seat("cleo", cmd.SitOut("cleo", runtime.now()))
    for _ in range(4):
        await next_hand(table)
    await table.sit("dora", 5)
    await table.change_seat("cleo", cmd.SitIn("cleo", wait_for_big_blind=True))
    assert seat_of(table, "cleo").state == "PLAYING"
    started = await next_hand(table)
    assert {"cleo", "dora"} <= set(started.players)
    assert not table.heard(ev.Posted)
    assert not table.heard(tev.BlindsMissed)


def test_the_rooms_let_newcomers_enter_as_the_rules_say() -> None:
    """R-T9, R-T10: bring-in at once, the newcomer's choice, nothing."""
    rules = {
        "puzzle_pirates": table_rules(),
        "poker_ocean": table_rules(house="poker_ocean", choice={"game": "holdem"}),
        "five_aces": table_rules(Structure.SPREAD_LIMIT, 1, house="five_aces"),
    }
    entry = {
        name: (one.wait_near_button, one.bring_in, one.newcomers_may_wait, one.big_blind > 0)
        for name, one in rules.items()
    }
    assert entry == {
        "puzzle_pirates": (True, True, False, True),
        "poker_ocean": (False, True, True, True),
        "five_aces": (False, False, False, False),
    }
