"""One store that a server has filled, for all tests of the audit."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from tests.support.audited import copied, fill


@pytest.fixture(scope="package")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Not to be written to."""
    return asyncio.run(fill(tmp_path_factory.mktemp("filled")))


@pytest.fixture
def store(filled: Path, tmp_path: Path) -> Path:
    """A copy of the test's own."""
    return copied(filled, tmp_path)


@pytest.fixture
def table_id(filled: Path) -> str:
    """The table that is in mid-hand."""
    connection = sqlite3.connect(filled)
    try:
        ((name,),) = connection.execute("SELECT table_id FROM tables WHERE closed = 0").fetchall()
        return str(name)
    finally:
        connection.close()
