"""A server whose wallet is the test's, behind a proxy that lies."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator

import pytest
from tests.fakes.memory_wallet import MemoryWallet, served
from tests.support.live_table import PATIENT
from tests.support.server import ServerProcess
from tests.support.wallet_proxy import WalletProxy, proxied

from croupier.client import Croupier

TIMEOUT_S = 1
LATE_S = 1.3


@pytest.fixture(scope="module")
def wallet() -> MemoryWallet:
    """The operator's wallet: it outlives servers and tests of the module."""
    return MemoryWallet()


@pytest.fixture(scope="module")
def wallet_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture(scope="module")
def shared_server(wallet_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path_factory.mktemp("wallet"), holding=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CROUPIER_WALLET", f"grpc://127.0.0.1:{wallet_port}")
        patch.setenv("CROUPIER_WALLET_TIMEOUT", str(TIMEOUT_S))
        try:
            server.start()
            yield server
        finally:
            server.kill()


@pytest.fixture
async def proxy(wallet: MemoryWallet, wallet_port: int) -> AsyncIterator[WalletProxy]:
    async with served(wallet) as target, proxied(target, wallet_port, late=LATE_S) as proxy:
        yield proxy


@pytest.fixture
def server(shared_server: ServerProcess, proxy: WalletProxy) -> Iterator[ServerProcess]:
    """It holds no commit before and after the test, and its wallet answers."""
    assert proxy.counts
    yield shared_server
    shared_server.hold.open()


@pytest.fixture
async def client(server: ServerProcess) -> AsyncIterator[Croupier]:
    """A client that repeats what a restart leaves unanswered."""
    async with Croupier(server.target, retry=PATIENT) as client:
        yield client
