"""The check of the ledger as a whole: what it found is told, and when it was last good."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs
from tests.fakes.memory_store import MemoryStore
from tests.support.units import money, outcome_of

from croupier.adapters.metrics import LedgerCheck


async def test_the_ledger_tells_the_rake_by_house_and_currency() -> None:
    store = MemoryStore()
    await outcome_of(
        store, money("d", ("world/deposits", -9), ("rake/five_aces", 5), ("rake/back%2Froom", 4))
    )
    ledger = LedgerCheck(store)
    await ledger.check()
    assert ledger.rake == {("five_aces", "POE"): 5, ("back/room", "POE"): 4}


async def test_ledger_that_adds_up_is_noted_with_the_time() -> None:
    store = MemoryStore()
    await outcome_of(store, money("d", ("world/deposits", -5), ("wallet/anna", 5)))
    ledger = LedgerCheck(store)
    await ledger.check()
    assert ledger.imbalance == {"POE": 0}
    assert ledger.last_good_time > 0


async def test_ledger_out_of_balance_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()

    async def imbalance() -> dict[str, int]:
        return {"POE": 3, "PoE": 0}

    monkeypatch.setattr(store, "imbalance", imbalance)
    ledger = LedgerCheck(store)
    with capture_logs() as logs:
        await ledger.check()
    assert ledger.last_good_time == 0
    assert [ledger.out_of_balance(currency) for currency in ("POE", "PoE", "XXX")] == [True, False, False]
    assert logs == [{"event": "ledger_found_out_of_balance", "imbalance": {"POE": 3}, "log_level": "error"}]


async def test_store_that_cannot_be_asked_leaves_the_last_good_check(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()

    async def imbalance() -> dict[str, int]:
        raise OSError("gone")

    monkeypatch.setattr(store, "imbalance", imbalance)
    ledger = LedgerCheck(store)
    with capture_logs() as logs:
        await ledger.check()
    assert logs[0]["event"] == "ledger_check_failed"
    assert ledger.last_good_time == 0
