"""A store of each kind, whose books must prove once a test has done what operators do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.support.operated import Kept
from tests.support.postgres import empty_database


@pytest.fixture(params=["sqlite", "postgres"])
async def kept(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Kept]:
    """Audited at the end: every command is decided anew."""
    async with AsyncExitStack() as stack:
        dsn = await stack.enter_async_context(empty_database()) if request.param == "postgres" else ""
        kept = Kept(tmp_path, dsn)
        yield kept
        assert await asyncio.to_thread(kept.audited) == []
