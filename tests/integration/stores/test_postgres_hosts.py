"""A store whose address names several databases, as the runbook has it for one with a standby."""

from __future__ import annotations

import re

from tests.support import deployed
from tests.support.postgres import empty_database
from tests.support.units import TableUnits, outcome_of

from croupier.adapters.postgres import PostgresStore
from croupier.config import load
from croupier.room.ports import DURABLE


async def test_of_several_hosts_the_one_that_takes_writes_is_used() -> None:
    (told,) = re.findall(r"`(postgresql://\S*target_session_attrs=\w+)`", deployed.RUNBOOK.read_text())
    settings = load({}, {"CROUPIER_STORE": told})
    assert settings.store_place == "postgresql://db-1:5432,db-2:5432/croupier"
    attribute = told.partition("?")[2]
    async with empty_database() as dsn:
        several = re.sub(r"@([^/]+)/", r"@127.0.0.1:1,\1/", dsn, count=1)
        assert several != dsn
        store = await PostgresStore.open(f"{several}{'&' if '?' in several else '?'}{attribute}")
        try:
            assert await outcome_of(store, TableUnits("t").created()) == DURABLE
            assert len(await store.open_tables()) == 1
        finally:
            await store.close()
