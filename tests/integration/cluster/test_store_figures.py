"""What a store that is shared tells whoever measures: fenced units, the dead, leases, clocks, time without an owner."""

from __future__ import annotations

import asyncio

from tests.support.postgres import execute
from tests.support.store_nodes import LEASE, StoreNode, following, nodes
from tests.support.units import TableUnits, money, outcome_of, outcomes_of

from croupier.adapters.postgres.figures import Figures
from croupier.room.ports import DURABLE, Failed


async def opened(node: StoreNode, name: str) -> TableUnits:
    units = TableUnits(name)
    assert await outcome_of(node.store, units.created()) == DURABLE
    return units


async def test_units_of_a_table_that_another_has_are_fenced_and_others_that_fail_are_not() -> None:
    async with nodes(2) as (_, (one, two)):
        theirs, ours = await opened(one, "t"), await opened(one, "u")
        assert await one.store.hand_over({"t": two.node_id}) == {"t"}
        sound = money("set", ("wallet/ann", 1), ("issued", -1))
        unsound = TableUnits("never").unit()
        outcomes = await outcomes_of(one.store, [ours.unit(), theirs.unit(), unsound, sound])
        failed = [outcome for outcome in outcomes if isinstance(outcome, Failed)]
        assert [outcome.fenced for outcome in failed if "waits" not in outcome.why] == [True, False]
        assert one.store.figures.fenced_units == 1
        assert two.store.figures.fenced_units == 0


async def test_a_unit_of_an_epoch_that_is_over_is_fenced() -> None:
    """The table went elsewhere and came back, and its old actor still writes."""
    async with nodes(2) as (_, (one, two)):
        old = await opened(one, "t")
        assert await one.store.hand_over({"t": two.node_id}) == {"t"}
        await two.store.claim(["t"])
        assert await two.store.hand_over({"t": one.node_id}) == {"t"}
        await one.store.claim(["t"])
        outcome = await outcome_of(one.store, old.unit())
        assert isinstance(outcome, Failed)
        assert outcome.fenced, outcome.why
        assert one.store.figures.fenced_units == 1


async def test_a_server_that_was_declared_dead_has_all_its_units_fenced() -> None:
    async with nodes(2) as (_, (one, two)):
        units = await opened(one, "t")
        await one.lapse()
        await two.may_bury()
        (journal,) = await two.store.claim(["t"])
        assert two.store.figures.declared_dead == 1
        assert journal.ownerless_ns > 0
        following([journal])
        assert await outcomes_of(one.store, [units.unit(), units.unit()]) != [DURABLE] * 2
        assert one.store.figures.fenced_units == 2
        assert one.told


async def test_a_claim_tells_how_long_the_table_had_no_owner_while_the_claimer_was_there() -> None:
    async with nodes(2) as (dsn, (one, two)):
        await opened(one, "t")
        await one.lapse()
        long_ago = "UPDATE nodes SET expires = now() - INTERVAL '1 hour' WHERE node_id = "
        await execute(dsn, f"{long_ago}'{one.node_id}'")
        await two.may_bury()
        await asyncio.sleep(0.2)
        (journal,) = await two.store.claim(["t"])
        assert 0.2 <= journal.ownerless_ns / 1e9 < 60
        assert [journal.ownerless_ns for journal in await two.store.claim(["t"])] == [0]


async def test_a_table_that_was_given_had_an_owner_all_the_time() -> None:
    async with nodes(2) as (_, (one, two)):
        await opened(one, "t")
        assert await one.store.hand_over({"t": two.node_id}) == {"t"}
        assert [journal.ownerless_ns for journal in await two.store.claim(["t"])] == [0]


async def test_a_lease_that_is_renewed_is_never_short_and_one_that_is_not_runs_out() -> None:
    async with nodes(1, lease_s=2.0) as (_, (node,)):
        figures = node.store.figures
        least = 2.0
        for _ in range(60):
            await asyncio.sleep(0.05)
            least = min(least, figures.lease_remaining_s)
        assert least > 1.0, "renewed every quarter"
        assert figures.late_renewals == 0
        node.stand_still()
        await asyncio.sleep(2.2)
        assert figures.lease_remaining_s < 0
        node.wake()
        await asyncio.sleep(0.3)
        assert figures.lease_remaining_s > 1.0
        assert figures.late_renewals == 1


async def test_the_clock_of_this_machine_is_the_databases() -> None:
    async with nodes(1) as (_, (node,)):
        node.store.figures.clock_ahead_s = 3600.0
        await node.store.nodes()
        assert abs(node.store.figures.clock_ahead_s) < 0.5


def test_a_renewal_is_late_after_half_of_the_lease() -> None:
    figures = Figures(LEASE)
    began = figures._renewed
    for seconds, late in ((0.1, 0), (0.3, 0), (0.6, 1), (0.7, 1), (2.0, 2)):
        figures.renewed(began + seconds)
        assert figures.late_renewals == late
