"""What every store keeps of the operator log: numbered without a gap, in the unit that it tells of, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.stores import opened
from tests.support.units import TableUnits, money, outcome_of, outcomes_of, request

from croupier.room.operations import Block, Operation, OperationQuery, Standing
from croupier.room.ports import DURABLE, Expected, Failed, Refused, Store, Unit

WALLET = "wallet/anna"


def logged(unit: Unit, method: str = "RemovePlayer", **place: Any) -> Unit:
    unit.operation = Operation(method, "operator/ann", "r", 7, "because\0\\ of \u2603", **place)
    return unit


async def numbers(store: Store, **wanted: object) -> list[int]:
    query = OperationQuery(**{"limit": 100, **wanted})  # type: ignore[arg-type]
    return [one.number for one in await store.operations(query)]


async def test_entries_are_numbered_over_all_tables_and_told_latest_first(store: Store) -> None:
    table, other = TableUnits("t"), TableUnits("u")
    await outcomes_of(store, [table.created(), other.created()])
    units = [
        logged(table.unit(), table_id="t", player_id="anna"),
        logged(other.unit(), table_id="u", player_id="ben"),
        logged(Unit(request=request("block")), "BlockPlayer", player_id="anna"),
    ]
    assert await outcomes_of(store, units) == [DURABLE] * 3
    assert await outcome_of(store, logged(table.unit(), "ResolveTable", table_id="t")) is DURABLE
    assert await numbers(store) == [4, 3, 2, 1]
    assert await numbers(store, table_id="t") == [4, 1]
    assert await numbers(store, player_id="anna") == [3, 1]
    assert await numbers(store, player_id="anna", table_id="t") == [1]
    assert await numbers(store, methods=("BlockPlayer", "ResolveTable")) == [4, 3]
    assert await numbers(store, before=3, limit=1) == [2]


async def test_an_entry_is_told_as_it_was_written(store: Store) -> None:
    block = Block("anna", "SELF_EXCLUSION", "parlour", 2**62)
    operation = Operation(
        "BlockPlayer", "operator/ann", "r", 2**62, "\0 \u2603 '", "t\\0", "anna", after=Standing(block=block)
    )
    await outcome_of(store, Unit(request=request("one"), operation=operation))
    (one,) = await store.operations(OperationQuery(limit=1, table_id="t\\0"))
    assert (one.number, one.operation) == (1, operation)


async def test_a_unit_that_is_not_written_logs_nothing(store: Store) -> None:
    table = TableUnits("t")
    await outcome_of(store, table.created())
    assert await outcome_of(store, logged(Unit(request=request("one")))) is DURABLE
    assert isinstance(await outcome_of(store, logged(Unit(request=request("one")))), Failed)
    assert isinstance(
        await outcome_of(store, logged(money("m", (WALLET, -5), ("adjustment/balance", 5)))), Refused
    )
    table.record()
    assert isinstance(await outcome_of(store, logged(table.unit())), Failed)
    assert await outcome_of(store, logged(Unit(request=request("two")))) is DURABLE
    assert await numbers(store) == [2, 1]


async def test_a_set_is_written_only_where_the_account_holds_what_is_expected(store: Store) -> None:
    await outcome_of(store, money("m", ("world/deposits", -5), (WALLET, 5)))
    unit = logged(money("n", (WALLET, -3), ("adjustment/balance", 3)))
    unit.expected = Expected(WALLET, "POE", 4)
    assert await outcome_of(store, unit) == Refused(WALLET, 5)
    assert await numbers(store) == []
    unit.expected = Expected(WALLET, "POE", 5)
    assert await outcome_of(store, unit) is DURABLE
    assert (await store.balance(WALLET, "POE"), await numbers(store)) == (2, [1])


async def test_the_log_goes_on_after_a_restart(tmp_path: Path) -> None:
    for number in range(3):
        async with opened("sqlite", tmp_path) as store:
            assert await outcome_of(store, logged(Unit(request=request(f"{number}")))) is DURABLE
            assert await numbers(store) == list(range(number + 1, 0, -1))
