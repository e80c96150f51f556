"""`croupier wallet-check`: the ledger's own wallet passes, wallets broken on purpose are found out."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.fakes.broken_wallets import BROKEN
from tests.fakes.memory_wallet import MemoryWallet, served
from tests.support.ledger_wallet import LedgerWallet
from tests.support.units import outcome_of

from croupier.adapters.sqlite import SqliteStore
from croupier.client.walletcheck import Finding, Wanted, run
from croupier.room import ledger
from croupier.room.ports import Unit

FUNDS = 1_000
CROUPIER = Path(sys.executable).with_name("croupier")


async def found(target: str) -> dict[str, str]:
    """What each script that failed has found."""
    shown: list[Finding] = []
    findings = await run(Wanted(target, "tester", "PoE", FUNDS), shown.append)
    assert shown == findings
    return {finding.script.name: finding.broken for finding in findings if finding.broken}


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(tmp_path / "croupier.db")
    await outcome_of(store, Unit(entry_sets=(ledger.deposit("tester", "PoE", FUNDS, "d"),)))
    yield store
    assert not any((await store.imbalance()).values())
    await store.close()


async def test_the_embedded_wallet_passes(store: SqliteStore) -> None:
    async with served(LedgerWallet(store)) as target:
        assert await found(target) == {}


async def test_a_wallet_that_holds_to_the_contract_passes_and_can_be_checked_again() -> None:
    wallet = MemoryWallet(tester=FUNDS)
    async with served(wallet) as target:
        assert await found(target) == {}
        assert await found(target) == {}
    assert wallet.everything() == FUNDS


@pytest.mark.parametrize(("kind", "script"), BROKEN.items(), ids=lambda one: getattr(one, "__name__", one))
async def test_a_wallet_broken_on_purpose_fails_in_the_script_that_is_meant_to_find_it(
    kind: type[MemoryWallet], script: str
) -> None:
    async with served(kind(tester=FUNDS)) as target:
        assert script in await found(target)


async def check(target: str, *flags: str) -> tuple[int, str, str]:
    """Exit status, output and errors of the command."""
    process = await asyncio.create_subprocess_exec(
        CROUPIER,
        *("wallet-check", target, "--player", "tester", "--currency", "PoE", *flags),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()


async def test_the_command_tells_a_wallet_that_passes_from_one_that_fails(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("secret\n")
    wallet = MemoryWallet(tester=FUNDS)
    async with served(wallet) as target:
        status, out, _ = await check(target, "--funds", str(FUNDS), "--token-file", str(token))
    assert (status, "FAIL" in out) == (0, False)
    assert out.splitlines()[-1].endswith(" passed, 0 failed")
    assert wallet.tokens == {"Bearer secret"}
    broken, script = next(iter(BROKEN.items()))
    async with served(broken(tester=FUNDS)) as target:
        status, out, _ = await check(f"grpc://{target}", "--funds", str(FUNDS))
        assert status == 1
        assert f"FAIL  {script} " in out
    async with served(broken(tester=FUNDS)) as target:
        status, out, _ = await check(target, "--funds", str(FUNDS), "--json")
    told = json.loads(out)
    assert (status, told["ok"]) == (1, False)
    assert [one["name"] for one in told["scripts"] if one["name"] == script and one["found"]] == [script]


async def test_the_command_says_why_it_cannot_begin() -> None:
    async with served(MemoryWallet(tester=FUNDS)) as target:
        status, _, err = await check(target, "--funds", "999")
        assert (status, f"has {FUNDS} PoE, not 999" in err) == (2, True)
    status, _, err = await check(target, "--funds", "999", "--timeout", "0.5")
    assert (status, "GetAvailable ended with" in err) == (2, True)
