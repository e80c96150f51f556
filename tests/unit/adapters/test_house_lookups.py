"""What a backend of some houses may name: looked up in the store, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.fakes.memory_store import MemoryStore
from tests.support.units import TableUnits, outcomes_of

from croupier.adapters.rpc import house_scope
from croupier.adapters.rpc.house_scope import HouseScope
from croupier.room.failures import Refusal
from croupier.room.ports import EntryScope
from croupier.room.principal import LOCAL, Principal
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1 import table_service_pb2 as tables

OCEAN = Principal("backend/ocean", "backend", houses=frozenset({"ocean", "gone"}))


class Counting(MemoryStore):
    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def houses_of(self, table_ids: Sequence[str]) -> dict[str, str]:
        self.asked += table_ids
        return await super().houses_of(table_ids)


@pytest.fixture
async def store() -> Counting:
    store = Counting()
    units = [TableUnits(f"o{number}", house_id="ocean").created() for number in range(9)]
    await outcomes_of(store, [*units, TableUnits("h", house_id="hidden").created()])
    return store


@pytest.fixture
def scope(store: Counting) -> HouseScope:
    return HouseScope(store, {"ocean": "USD", "hidden": "PoE"})


async def refused(scope: HouseScope, table_id: str) -> bool:
    try:
        await scope.check(OCEAN, tables.GetTableRequest(table_id=table_id))
    except Refusal as refusal:
        return (refusal.reason, refusal.facts) == ("TABLE_UNKNOWN", {"table_id": table_id})
    return False


async def test_own_tables_are_read_once_and_others_each_time_as_those_that_never_were(
    scope: HouseScope, store: Counting
) -> None:
    for _ in range(3):
        assert not await refused(scope, "o1")
        assert await refused(scope, "h")
        assert await refused(scope, "never")
    assert [store.asked.count(one) for one in ("o1", "h", "never")] == [1, 3, 3]


async def test_so_many_tables_are_remembered(
    scope: HouseScope, store: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_scope, "MOST_REMEMBERED", 2)
    for number in (0, 1, 2, 1, 2, 0):
        assert not await refused(scope, f"o{number}")
    assert store.asked == ["o0", "o1", "o2", "o0"]


@pytest.mark.parametrize("hand_id", ["h/1", "never/1", "h/0", "never/0", "h", "/", "x/y/1"])
async def test_hands_of_other_tables_are_unknown(scope: HouseScope, hand_id: str) -> None:
    with pytest.raises(Refusal) as caught:
        await scope.check(OCEAN, settlement.GetHandRequest(hand_id=hand_id))
    assert (caught.value.reason, caught.value.facts) == ("HAND_UNKNOWN", {"hand_id": hand_id})
    await scope.check(OCEAN, settlement.GetHandRequest(hand_id="o1/99"))


async def test_what_is_known_of_a_list_of_tables_and_of_the_ledger(
    scope: HouseScope, store: Counting
) -> None:
    assert await scope.known(OCEAN, ["h", "o1", "never"]) == {"o1"}
    assert await scope.known(LOCAL, ["h", "o1"]) == {"h", "o1"}
    assert store.asked == ["h", "never", "o1"], "the store is not asked for one who may know all"
    assert scope.entries(OCEAN) == EntryScope(("gone", "ocean"), ("USD",))
    assert scope.entries(LOCAL) is None
