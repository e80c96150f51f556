"""The store on disk and the fake judge the same records alike, whatever comes in whatever order."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.ledger_audit import audit
from tests.support.stores import opened
from tests.support.units import TableUnits, outcomes_of

from croupier.room.ports import Record, Store, Unit

NAMES = ("a", "b", "c")
SPOILED = (
    {"journal_sequence": 1},
    {"journal_sequence": 7},
    {"prev_hash": b"other"},
    {"epoch": 2},
    {"sequence": 0},
)
STEP = st.sampled_from(
    ("create", "record", "record", "private", "checkpoint", "spoil", "recover", "close", "commit")
)
STEPS = st.lists(st.tuples(STEP, st.sampled_from(NAMES), st.integers(0, len(SPOILED) - 1)), max_size=40)


class Script:
    """Runs steps on one store; `told` is all that its callers could see."""

    def __init__(self, store: Store) -> None:
        self.told: list[object] = []
        self._store = store
        self._tables = {name: TableUnits(name) for name in NAMES}
        self._waiting: list[Unit] = []

    async def run(self, step: str, name: str, spoil: int) -> None:
        if step == "recover":
            await self._commit()
            await self._recover(name)
        elif step == "commit":
            await self._commit()
        else:
            self._waiting.append(self._unit(step, name, spoil))

    async def end(self) -> None:
        await self._commit()
        self.told.append(await self._store.open_tables())
        for name in NAMES:
            self.told += [await self._store.records(name, after, 5) for after in range(6)]

    def _unit(self, step: str, name: str, spoil: int) -> Unit:
        table = self._tables[name]
        if step == "create":
            table = self._tables[name] = TableUnits(name)
            return table.created()
        if step == "spoil":
            return Unit((msgspec.structs.replace(table.record(), **SPOILED[spoil]),))
        if step == "close":
            return table.closed()
        return table.unit(checkpoint=step == "checkpoint", public=step != "private")

    async def _commit(self) -> None:
        units, self._waiting = self._waiting, []
        self.told += [type(outcome) for outcome in await outcomes_of(self._store, units)]

    async def _recover(self, name: str) -> None:
        journal = await self._store.recover(name)
        self.told.append((journal.first, list(journal.tail)) if journal else None)
        table = self._tables[name] = TableUnits(name)
        last: Record | None = journal.tail[-1] if journal else None
        if last is not None:
            table.restart_at(last)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS)
def test_both_stores_tell_the_same(steps: list[tuple[str, str, int]]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(_compare(Path(directory), steps))
        audit(Path(directory) / "store.db")


async def _compare(directory: Path, steps: list[tuple[str, str, int]]) -> None:
    async with opened("sqlite", directory) as real, opened("memory", directory) as fake:
        scripts = Script(real), Script(fake)
        for script in scripts:
            for step in steps:
                await script.run(*step)
            await script.end()
        assert scripts[0].told == scripts[1].told
