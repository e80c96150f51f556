"""A running server's /metrics counts its tables a slice at a time."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.live import Backend, running

from croupier.adapters.metrics import gauges
from croupier.app import App


def steps(app: App) -> int:
    """How often the event loop goes on while a text is made."""
    return sum(1 for _ in app._pages.metrics.text().__await__())


async def test_the_event_loop_goes_on_between_slices_of_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        for _ in range(3):
            await backend.open_table()
        at_once = steps(app)
        monkeypatch.setattr(gauges, "SLICE", 1)
        assert steps(app) == at_once + 3
