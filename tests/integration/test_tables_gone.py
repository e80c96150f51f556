"""Tables that have come and gone leave nothing behind but what is kept for a while.

The garbage collector is off: a server has it run over what is old so seldom that circles would be a leak.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.support.audited import quietly
from tests.support.live import Backend, running
from tests.support.postgres import emptied_database

from croupier.room import room

KEPT = 3
AGAIN = 20
ACCOUNTS = "croupier.adapters.units.ledger.Account"
"""Fifty thousand are remembered at most."""


def ours() -> Counter[str]:
    """Objects of the package's own types, by type, those included that only the garbage collector would free."""
    kinds = (type(one) for one in gc.get_objects())
    return Counter(
        f"{kind.__module__}.{kind.__qualname__}" for kind in kinds if kind.__module__[:9] == "croupier."
    )


async def come_and_go(backend: Backend, tables: int) -> None:
    for _ in range(tables):
        table_id = await backend.open_table("anna", "bert", "cleo")
        watching = backend.watching(table_id, "anna")
        await quietly(backend, table_id, until_hand=2)
        await backend.close_table(table_id)
        while (decision := await backend.decision(table_id)).player_id:
            await backend.check_or_call(table_id, decision)
        await watching.finished()


@pytest.fixture(autouse=True)
def no_garbage_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, Any]]:
    if request.param == "sqlite":
        yield {}
    else:
        with emptied_database() as dsn:
            yield {"store": dsn, "key_file": str(tmp_path / "croupier.key")}


async def test_nothing_is_left_of_tables_that_are_closed(
    settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "MOST_CLOSED", KEPT)
    async with running(tmp_path, **settings) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        await come_and_go(backend, 2 * KEPT)
        counts = [ours()]
        for _ in range(2):
            await come_and_go(backend, AGAIN)
            counts.append(ours())
    first, second = ((later - earlier) for earlier, later in pairwise(counts))
    assert {kind for kind in first if min(first[kind], second[kind]) >= AGAIN} <= {ACCOUNTS}
