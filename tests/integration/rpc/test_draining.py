"""A server that is about to stop turns calls away with the documented reason."""

from __future__ import annotations

import pytest
from tests.support.live import Backend

from croupier.app import App
from croupier.client import CroupierError
from croupier.client.retry import Retry


async def test_a_draining_server_turns_calls_away_with_its_reason(app: App) -> None:
    gate = app._rpc.gate
    gate.draining = True
    try:
        async with Backend(f"127.0.0.1:{app.port}", retry=Retry(attempts=1)) as once:
            with pytest.raises(CroupierError) as refused:
                await once.list_houses()
    finally:
        gate.draining = False
    assert refused.value.reason == "SERVER_DRAINING"
