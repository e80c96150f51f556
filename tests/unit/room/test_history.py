"""What happened before a watcher came is read page by page, however much of it concerns others alone."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.seated import table_of

from croupier.engine import table_events as tev
from croupier.engine.table_events import Preferences
from croupier.room.failures import Refusal
from croupier.room.subscriptions import Publication


async def past(
    table: SimulatedTable, viewer: str, after: int, private_after: int = 0
) -> list[list[Publication]]:
    """The pages of a watcher's past."""
    subscription = table.actor.subscribe(viewer)
    history = table.actor.watchers.history(subscription)
    pages = [page async for page in history.pages(after, private_after)]
    table.actor.watchers.unsubscribe(subscription)
    return pages


@simulated()
async def test_a_page_of_what_concerns_others_alone_ends_no_history(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, "anna")
    start = table.actor.sequence
    for number in range(50):
        assert await table.prefer("anna", Preferences(number % 2 == 0)) == number + 1
    await table.sit("bert", 2)
    for page in (1, 3, 7, 500):
        with patch("croupier.room.history.PAGE", page):
            others = [one for told in await past(table, "bert", start) for one in told]
            assert others[0].sequence == start + 1
            assert not any(one.private for one in others)
            for known in (0, 1, 49, 50):
                mine = [one for told in await past(table, "anna", start, known) for one in told]
                parts = [one.private for one in mine if one.private is not None]
                assert [part.sequence for part in parts] == list(range(known + 1, 51))
                assert [one.sequence for one in mine if one.events] == [one.sequence for one in others]


@simulated()
async def test_pages_do_not_show_how_much_concerned_others_alone(runtime: SimulatedRuntime) -> None:
    sizes = []
    for wishes in (0, 5):
        table = await table_of(runtime, "anna")
        for _ in range(wishes):
            await table.prefer("anna", Preferences())
        await table.sit("bert", 2)
        with patch("croupier.room.history.PAGE", 3):
            for viewer in ("", "stranger"):
                sizes.append([len(page) for page in await past(table, viewer, 0)])
    assert len(sizes[0]) > 1
    assert sizes == sizes[:1] * 4


@simulated()
async def test_a_history_without_its_own_past_is_refused(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, "anna")
    await table.prefer("anna", Preferences())
    await table.sit("bert", 2)
    assert await past(table, "anna", table.actor.sequence, 1) == []
    for known in (0, 2):
        with pytest.raises(Refusal):
            await past(table, "anna", table.actor.sequence, known)
    assert await past(table, "stranger", table.actor.sequence, 7) == []
    assert await past(table, "", table.actor.sequence, 7) == []


@simulated()
async def test_whoever_takes_a_seat_again_is_counted_anew(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, "anna")
    for _ in range(3):
        await table.prefer("anna", Preferences())
    before = table.actor.sequence
    await table.cash_out("anna")
    await table.sit("anna", 1)
    assert await table.prefer("anna", Preferences()) == 1
    told = [one for page in await past(table, "anna", before, 3) for one in page]
    kinds = [type(event) for one in told for event in one.events]
    assert kinds[:2] == [tev.PlayerLeft, tev.SeatReserved]
    assert [one.private.sequence for one in told if one.private is not None] == [1]
