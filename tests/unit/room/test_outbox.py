"""The feed is told everything at least once, in order for each table, whatever fails; and nothing waits for it."""

from __future__ import annotations

from random import Random

import pytest
from tests.fakes.memory_feed import Kept, MemoryFeed
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.seated import PLAYERS, fold_out, table_of

from croupier.engine import actions
from croupier.engine import table_events as tev
from croupier.room.hand_index import LAG_NS
from croupier.room.outbox import LOOK_NS, FeedSources, Outbox
from croupier.room.outbox_ports import FeedIsAnother, Publisher, Share

A_LITTLE_S = (LAG_NS + 2 * LOOK_NS) / 1e9
"""Until what has happened is indexed, told and noted."""


class Observed:
    """What an outbox has told of itself."""

    def __init__(self) -> None:
        self.failures: list[Exception] = []
        self.unexpected: list[Exception] = []
        self.told = {"hand": 0, "entry_set": 0}

    def fed(self, kind: str) -> None:
        self.told[kind] += 1

    def feed_failed(self, failure: Exception, *, expected: bool) -> None:
        (self.failures if expected else self.unexpected).append(failure)

    def store_failed(self, failure: Exception) -> None:
        raise failure


async def restless(runtime: SimulatedRuntime) -> SimulatedTable:
    """A table of three whose hands follow each other at once."""
    table = await SimulatedTable.open(runtime, hand_pause_ms=0)
    for seat, player in enumerate(PLAYERS, start=1):
        await table.sit(player, seat)
    return table


def outbox(table: SimulatedTable, feed: MemoryFeed, kept: Publisher, observed: Observed) -> Outbox:
    feed.name = feed.name or "FEED"
    sources = FeedSources(feed, table.room.records, table.room.hands)
    made = Outbox("FEED", table.runtime, sources, kept, lambda: Share(0, 1), observed)
    table.runtime.spawn(made.run())
    return made


def must_be_all_in_order(kept: Kept, table: SimulatedTable) -> None:
    """Each hand and each entry set of the store is there; those of the table, and those of none, in their order."""
    hands = [f"{table.table_id}/{number}" for _, number in sorted(table.store.indexed.hands)]
    entries = table.store._entries
    lanes = [
        [entry.entry_set_id for entry in entries if bool(entry.table_id) is of_table]
        for of_table in (False, True)
    ]
    for lane in (hands, *map(list, map(dict.fromkeys, lanes))):
        assert lane, "nothing happened"
        assert [name for name in kept.first if name in lane] == lane
    assert len(kept.first) == len(hands) + len({entry.entry_set_id for entry in entries})


@simulated()
async def test_hands_and_entry_sets_are_told_once_and_in_order(runtime: SimulatedRuntime) -> None:
    table = await restless(runtime)
    kept, feed, observed = Kept(runtime), MemoryFeed(table.store), Observed()
    out = outbox(table, feed, kept, observed)
    for _ in range(5):
        await table.check_down()
    await runtime.sleep(A_LITTLE_S)
    must_be_all_in_order(kept, table)
    assert kept.names == kept.first
    assert observed.told == {"hand": 5, "entry_set": len(kept.names) - 5}
    assert (out.lag_hands, out.lag_ns, kept.prepared, observed.failures) == (0, 0, 1, [])
    assert feed.places[table.table_id].hands == 5


@simulated()
async def test_a_feed_that_is_away_holds_nothing_up_and_is_told_later(runtime: SimulatedRuntime) -> None:
    table = await restless(runtime)
    away = True
    kept, observed = Kept(runtime, lambda: "lost" if away else ""), Observed()
    out = outbox(table, MemoryFeed(table.store), kept, observed)
    for _ in range(4):
        await table.check_down()
    await runtime.sleep(10)
    assert kept.names == []
    assert out.lag_hands == 4
    assert 9 < out.lag_ns / 1e9 < 11
    assert 15 < len(observed.failures) <= 21, "it is asked once a look, not once a message"
    away = False
    await runtime.sleep(A_LITTLE_S)
    must_be_all_in_order(kept, table)
    assert (out.lag_hands, out.lag_ns) == (0, 0)


@simulated()
async def test_what_a_crash_left_unnoted_is_told_again_and_no_more(runtime: SimulatedRuntime) -> None:
    table = await restless(runtime)
    kept, feed = Kept(runtime), MemoryFeed(table.store)
    outbox(table, feed, kept, Observed())
    for _ in range(3):
        await table.check_down()
    await runtime.sleep(A_LITTLE_S)
    assert feed.places[table.table_id].hands == 3
    for _ in range(3):
        await table.check_down()
    await runtime.sleep(LAG_NS / 1e9)
    while len(kept.hands) < 5:
        await runtime.sleep(0.000_001)
    await table.restart()
    outbox(table, feed, kept, Observed())
    await runtime.sleep(A_LITTLE_S)
    must_be_all_in_order(kept, table)
    again = {name for name in kept.names if kept.names.count(name) > 1}
    assert again <= {f"{table.table_id}/{number}" for number in (4, 5, 6)} | {
        name for name in kept.names if "/" in name and not name.startswith(table.table_id)
    }
    assert f"{table.table_id}/4" in again


@pytest.mark.parametrize("seed", range(8))
def test_two_that_tell_of_one_table_through_any_faults_change_no_order(seed: int) -> None:
    """A table has two owners in turn, of which the first may not know it yet; acknowledgements are lost."""
    chance = Random(seed)

    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await restless(runtime)
        faults = ["", "", "", "lost", "unanswered"]
        kept, feed = Kept(runtime, lambda: chance.choice(faults)), MemoryFeed(table.store)
        both = [outbox(table, feed, kept, Observed()) for _ in range(2)]
        for _ in range(12):
            await table.check_down()
            await runtime.sleep(chance.choice((0, 0.1, 1.3)))
        await runtime.sleep(30)
        faults[:] = [""]
        await runtime.sleep(A_LITTLE_S)
        must_be_all_in_order(kept, table)
        assert [out.lag_hands for out in both] == [0, 0]

    scenario()


@simulated()
async def test_a_new_telling_begins_with_nothing_and_drops_late_notes(runtime: SimulatedRuntime) -> None:
    table = await restless(runtime)
    kept, feed, observed = Kept(runtime), MemoryFeed(table.store), Observed()
    outbox(table, feed, kept, observed)
    for _ in range(3):
        await table.check_down()
    await runtime.sleep(LAG_NS / 1e9 + 0.000_1)
    before = feed.telling
    feed.tell_again("FEED")
    kept.names.clear()
    await feed.note_fed(before, [*feed.places.values()])
    await runtime.sleep(A_LITTLE_S)
    must_be_all_in_order(kept, table)


@simulated()
async def test_a_stream_that_is_gone_is_told_nothing_more_until_it_is_told_everything(
    runtime: SimulatedRuntime,
) -> None:
    """Made anew at once, it would go on in the middle, and what it had held could come only after that."""
    table = await restless(runtime)
    kept, feed, observed = Kept(runtime), MemoryFeed(table.store), Observed()
    out = outbox(table, feed, kept, observed)
    await table.check_down()
    await runtime.sleep(A_LITTLE_S)
    kept.lose()
    await table.check_down()
    await runtime.sleep(A_LITTLE_S)
    assert (kept.names, out.lag_hands) == ([], 1)
    await table.restart()
    outbox(table, feed, kept, observed)
    await runtime.sleep(A_LITTLE_S)
    assert kept.names == []
    assert observed.failures
    feed.tell_again("FEED")
    await runtime.sleep(A_LITTLE_S)
    must_be_all_in_order(kept, table)


@simulated()
async def test_a_server_whose_feed_is_another_tells_nothing(runtime: SimulatedRuntime) -> None:
    table = await restless(runtime)
    kept, feed, observed = Kept(runtime), MemoryFeed(table.store), Observed()
    feed.name = "OTHER"
    outbox(table, feed, kept, observed)
    await runtime.sleep(A_LITTLE_S)
    assert kept.names == []
    assert {type(failure) for failure in observed.failures} == {FeedIsAnother}


@simulated()
async def test_a_closed_table_is_over_once_all_of_it_is_told(runtime: SimulatedRuntime) -> None:
    table = await SimulatedTable.open(runtime, hand_pause_ms=0)
    for seat, player in enumerate(PLAYERS[:2], start=1):
        await table.sit(player, seat)
    await table.check_down()
    await fold_out_and_leave(table)
    kept, feed = Kept(runtime), MemoryFeed(table.store)
    outbox(table, feed, kept, Observed())
    await runtime.sleep(0.01)
    assert not feed.places.get(table.table_id), "its hands are not in the index yet"
    await runtime.sleep(A_LITTLE_S)
    must_be_all_in_order(kept, table)
    assert feed.places[table.table_id].over


async def fold_out_and_leave(table: SimulatedTable) -> None:
    """Everybody goes, and the table is closed."""
    for player in PLAYERS[:2]:
        await table.cash_out(player)
    await fold_out(table)
    await table.runtime.sleep(0.01)
    await table.close()


@simulated()
async def test_a_hand_is_told_as_it_ended_whatever_is_shown_afterwards(runtime: SimulatedRuntime) -> None:
    """R-H5: who won without a showdown shows nothing, or afterwards; told late, the notice is the same."""
    table = await table_of(runtime, *PLAYERS[:2], pause_ms=5000, show_window_ms=5000)
    await table.act(actions.FOLD)
    kept, feed = Kept(runtime), MemoryFeed(table.store)
    outbox(table, feed, kept, Observed())
    await runtime.sleep(A_LITTLE_S)
    (early,) = kept.hands.values()
    await table.show("anna", 1)
    assert table.heard(tev.CardsShown), "they were shown"
    await runtime.sleep(60)
    await table.room.hands.write()
    feed.tell_again("FEED")
    await runtime.sleep(A_LITTLE_S)
    late = kept.hands[f"{table.table_id}/1"]
    assert [seat.hole_cards for seat in late.seats] == [b"", b""]
    assert (late.seats, [one.events for one in late.told]) == (
        early.seats,
        [one.events for one in early.told],
    )
