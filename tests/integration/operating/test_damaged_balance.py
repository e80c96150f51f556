"""A balance that was changed behind the server's back: nothing of its currency is paid out until it is mended."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.support.live import CURRENCY, WEALTH
from tests.support.operated import PLAYERS, WHY, Kept, balanced, played, refusal, tell
from typer.testing import CliRunner

from croupier.cli.main import app as commands


async def audit(kept: Kept, *options: str) -> tuple[int, Any]:
    """Exit status and what was told of the store."""
    place = kept.dsn or f"sqlite:{kept.directory / 'croupier.db'}"
    command = ["audit", "--store", place, "--json", *options]
    done = await asyncio.to_thread(CliRunner().invoke, commands, command)
    return done.exit_code, json.loads(done.output)


@pytest.mark.parametrize("account", ["wallet/anna", "stack/{table_id}/bert"])
async def test_nothing_is_paid_out_until_balances_are_what_their_entries_say(
    kept: Kept, account: str
) -> None:
    async with kept.served() as (_, backend):
        table_id = await backend.open_table(*PLAYERS)
        paid = await backend.withdraw("anna", CURRENCY, 3, request_id="before")
        balances = await balanced(backend)
    name = account.format(table_id=table_id)
    await tell(kept, f"UPDATE accounts SET balance = balance + 1 WHERE name = '{name}'")
    async with kept.served() as (app, backend):
        assert app._readiness.why_not() == ""
        for player in ("anna", "bert"):
            assert await refusal(backend.withdraw(player, CURRENCY, 5)) == "LEDGER_IMBALANCED"
        assert await backend.withdraw("anna", CURRENCY, 3, request_id="before") == paid
        await backend.deposit("bert", CURRENCY, 8)
        await backend.adjust_balance("cleo", CURRENCY, -2, WHY)
        await played(backend, table_id)
        assert sum(app._ledger.imbalance.values()) == 1
    assert (await audit(kept))[0] == 1
    status, told = await audit(kept, "--rebuild")
    assert (status, told["index_rebuilt"], told["balances_rebuilt"]) == (0, True, 1)
    assert told["ok"], "all is well by what was put right"
    assert (told["defects"] > 0, told["left"]) == (True, 0), "what was wrong is told"
    assert (await audit(kept))[0] == 0
    async with kept.served() as (_, backend):
        assert (await backend.get_balance("anna", CURRENCY)).available == balances["wallet/anna"]
        await backend.withdraw("anna", CURRENCY, WEALTH - 103)
        assert (await backend.get_balance("anna", CURRENCY)).available == 0


async def test_entries_that_are_wrong_rebuild_no_balance(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        await backend.deposit("anna", CURRENCY, 100)
    changed = "SET amount = amount {} 1 WHERE amount > 0"
    await tell(kept, f"UPDATE entries {changed.format('+')}")
    status, told = await audit(kept, "--rebuild")
    assert (status, told["index_rebuilt"], told["balances_rebuilt"]) == (1, False, 0)
    assert told["left"] == told["defects"] > 0
    await tell(kept, f"UPDATE entries {changed.format('-')}")
    assert (await audit(kept))[0] == 0, "balances are as they were"
