"""Laws of the ledger, for any units in any order, on the store on disk and on the fake."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.ledger_audit import audit
from tests.support.stores import STORES, opened
from tests.support.units import outcomes_of

from croupier.room import accounts
from croupier.room.ports import DURABLE, EntrySet, Outcome, Posting, Refused, Unit

ACCOUNTS = (
    accounts.wallet("a"),
    accounts.wallet("b"),
    accounts.reserved("x"),
    accounts.stack("t", "a"),
    accounts.rake("h"),
    accounts.DEPOSITS,
    accounts.ADJUSTMENTS,
)
AMOUNTS = st.integers(-20, 20).filter(bool)
Balances = dict[tuple[str, str], int]


@st.composite
def entry_sets(draw: st.DrawFn) -> EntrySet:
    """A balanced set under one of few ids, so that ids are met again."""
    lines = draw(st.lists(st.tuples(st.sampled_from(ACCOUNTS), AMOUNTS), min_size=1, max_size=4))
    rest = -sum(amount for _, amount in lines)
    if rest:
        lines.append((draw(st.sampled_from(ACCOUNTS)), rest))
    name, currency = draw(st.integers(1, 40)), draw(st.sampled_from(("POE", "DUB")))
    return EntrySet(str(name), currency, "settlement", tuple(Posting(*line) for line in lines))


UNITS = st.builds(lambda sets: Unit(entry_sets=tuple(sets)), st.lists(entry_sets(), min_size=1, max_size=3))
BATCHES = st.lists(st.lists(UNITS, min_size=1, max_size=8), min_size=1, max_size=6)


def expected(unit: Unit, balances: Balances, known: set[str]) -> Outcome:
    """What the port promises, written down as plainly as can be; changes `balances` and `known`."""
    after, met = dict(balances), set(known)
    for entry_set in unit.entry_sets:
        if entry_set.entry_set_id in met:
            continue
        met.add(entry_set.entry_set_id)
        before = dict(after)
        for posting in entry_set.postings:
            key = posting.account, entry_set.currency
            after[key] = after.get(key, 0) + posting.amount
        for name, currency in after:
            held = after[name, currency]
            if held < 0 and accounts.guarded(name) and held < before.get((name, currency), 0):
                return Refused(name, balances.get((name, currency), 0))
    balances.clear()
    balances.update(after)
    known.update(met)
    return DURABLE


@pytest.mark.parametrize("kind", STORES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(batches=BATCHES)
def test_units_do_what_the_plain_model_does(kind: str, batches: list[list[Unit]]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(_compare(kind, Path(directory), batches))
        if kind == "sqlite":
            audit(Path(directory) / "store.db")


async def _compare(kind: str, directory: Path, batches: list[list[Unit]]) -> None:
    balances: Balances = {}
    known: set[str] = set()
    async with opened(kind, directory) as store:
        for batch in batches:
            wanted = [expected(unit, balances, known) for unit in batch]
            outcomes = await outcomes_of(store, batch)
            for wants, came in zip(wanted, outcomes, strict=True):
                _agree(wants, came)
            for currency in ("POE", "DUB"):
                held = {(name, currency): amount for name, amount in await store.balances("", currency)}
                assert held == {key: amount for key, amount in balances.items() if key[1] == currency}
                assert all(amount >= 0 for (name, _), amount in held.items() if accounts.guarded(name))
            assert not any((await store.imbalance()).values())
        assert {entry.entry_set_id for entry in await store.entries(limit=10_000)} == known


def _agree(wanted: Outcome, came: Outcome) -> None:
    """Where a set overdraws several accounts, any of them may be named."""
    assert type(came) is type(wanted)
    if isinstance(came, Refused):
        assert accounts.guarded(came.account)
        assert came.available >= 0
