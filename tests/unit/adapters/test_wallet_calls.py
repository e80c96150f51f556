"""An operator's wallet as the room sees it: what answers mean, what is repeated, what is never believed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from grpc import StatusCode
from structlog.testing import capture_logs
from tests.fakes.memory_store import MemoryStore
from tests.fakes.memory_wallet import Context, MemoryWallet, served

from croupier.adapters.credentials.files import CredentialsFileError
from croupier.adapters.embedded_wallet import TransferVoided
from croupier.adapters.remote_wallet import RemoteWallet
from croupier.adapters.wallet_calls import TokenFile, WalletCalls
from croupier.room import accounts
from croupier.room.wallet_ports import Transfer, WalletAway, WalletRefused
from croupier.v1 import wallet_service_pb2 as pb

FUNDS: Final = 100


class Failing(MemoryWallet):
    """Does what it is asked, and then fails so often to say so; `outcome` is said instead of what is true."""

    def __init__(self, **players: int) -> None:
        super().__init__(**players)
        self.failures = 0
        self.outcome: Any = None

    async def Post(self, request: pb.PostRequest, context: Context) -> pb.PostResponse:
        answer = await super().Post(request, context)
        await self._fail(context)
        return answer if self.outcome is None else pb.PostResponse(outcome=self.outcome)

    async def Reserve(self, request: pb.ReserveRequest, context: Context) -> pb.ReserveResponse:
        answer = await super().Reserve(request, context)
        await self._fail(context)
        return answer

    async def _fail(self, context: Context) -> None:
        if self.failures:
            self.failures -= 1
            await context.abort(StatusCode.INTERNAL, "no answer")


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def theirs() -> Failing:
    return Failing(ann=FUNDS)


@pytest.fixture
async def wallet(store: MemoryStore, theirs: Failing) -> AsyncIterator[RemoteWallet]:
    async with served(theirs) as target:
        calls = WalletCalls(target, 2)
        yield RemoteWallet(calls, store)
        await calls.close()
    assert not any((await store.imbalance()).values())


def transfer(
    amount: int = 60, name: str = "x", direction: Literal["to_table", "to_wallet"] = "to_table"
) -> Transfer:
    return Transfer(name, "ann", "PoE", amount, direction)


async def held(store: MemoryStore, name: str = "x") -> tuple[int, int]:
    """What has gone out of ann's wallet, and what is on its way."""
    outside = await store.balance(accounts.outside("ann"), "PoE")
    return outside, await store.balance(accounts.reserved(name), "PoE")


async def test_what_goes_out_of_the_wallet_is_on_its_way_in_the_ledger(
    wallet: RemoteWallet, store: MemoryStore
) -> None:
    for _ in range(2):
        await wallet.reserve(transfer())
    assert await held(store) == (-60, 60)
    assert await wallet.available("ann", "PoE") == FUNDS - 60
    assert (await store.holdings("ann", "PoE")).reserved == 60
    for _ in range(2):
        await wallet.void(transfer())
    assert await held(store) == (0, 0)
    assert await wallet.available("ann", "PoE") == FUNDS


async def test_refusals_of_the_wallet_reserve_nothing_in_the_ledger(
    wallet: RemoteWallet, store: MemoryStore, theirs: Failing
) -> None:
    with pytest.raises(WalletRefused) as short:
        await wallet.reserve(transfer(101))
    assert (short.value.available, short.value.why) == (FUNDS, "")
    await wallet.void(transfer(10, "y"))
    with pytest.raises(TransferVoided):
        await wallet.reserve(transfer(10, "y"))
    theirs.declines = "too\nlate" + "!" * 100
    with pytest.raises(WalletRefused) as declined:
        await wallet.reserve(transfer(10, "z"))
    assert declined.value.why == ("toolate" + "!" * 100)[:64]
    assert await held(store) == (0, 0)


async def test_a_step_that_was_done_without_an_answer_is_found_by_its_status(
    wallet: RemoteWallet, store: MemoryStore, theirs: Failing
) -> None:
    theirs.failures = 1
    await wallet.reserve(transfer())
    theirs.failures = 1
    await wallet.post(transfer())
    assert theirs.asked == ["Reserve", "GetTransferStatus", "Post", "GetTransferStatus"]
    assert await held(store) == (-60, 60)


async def test_a_wallet_that_is_gone_is_away(store: MemoryStore) -> None:
    calls = WalletCalls("127.0.0.1:1", 1)
    wallet = RemoteWallet(calls, store)
    with capture_logs() as logs:
        for step in (wallet.reserve, wallet.post, wallet.void):
            with pytest.raises(WalletAway):
                await step(transfer())
        with pytest.raises(WalletAway):
            await wallet.available("ann", "PoE")
    assert [log["event"] for log in logs] == ["wallet_lost"]
    await calls.close()
    assert await held(store) == (0, 0)


@pytest.mark.parametrize("outcome", [pb.WALLET_OUTCOME_NOT_RESERVED, pb.WALLET_OUTCOME_CONFLICT, 99], ids=str)
async def test_an_answer_that_has_no_place_is_told_once_and_not_believed(
    wallet: RemoteWallet, theirs: Failing, outcome: int
) -> None:
    await wallet.reserve(transfer())
    theirs.outcome = outcome
    with capture_logs() as logs:
        for _ in range(3):
            with pytest.raises(WalletAway):
                await wallet.post(transfer())
    assert [(log["event"], log["about"]) for log in logs] == [("wallet_broke_its_contract", "x")]
    theirs.outcome = None
    await wallet.post(transfer())


async def test_an_outcome_or_a_status_left_unset_is_no_answer(
    wallet: RemoteWallet, theirs: Failing, monkeypatch: pytest.MonkeyPatch
) -> None:
    await wallet.reserve(transfer())
    theirs.outcome = pb.WALLET_OUTCOME_UNSPECIFIED
    monkeypatch.setattr(theirs, "state", lambda _: pb.TRANSFER_STATE_UNSPECIFIED)
    with pytest.raises(WalletAway, match="Post has no answer"):
        await wallet.post(transfer())


async def test_the_token_goes_with_each_call_and_is_read_again_when_it_changes(
    store: MemoryStore, theirs: Failing, tmp_path: Path
) -> None:
    path = tmp_path / "token"
    path.write_text("one\n")
    path.chmod(0o600)
    async with served(theirs) as target:
        calls = WalletCalls(target, 2, TokenFile(path))
        wallet = RemoteWallet(calls, store)
        await wallet.available("ann", "PoE")
        path.write_text("number two\n")
        await wallet.available("ann", "PoE")
        path.write_text("")
        await wallet.available("ann", "PoE")
        await calls.close()
    assert theirs.tokens == {"Bearer one", "Bearer number two"}


@pytest.mark.parametrize("content", ["", "two\nlines", "ü"])
def test_a_file_without_a_token_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "token"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(CredentialsFileError, match="holds no token"):
        TokenFile(path)
