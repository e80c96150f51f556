"""What PostgreSQL needs is imported where it is used, and asked for by name where it is missing."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.postgres import emptied_database, execute

from croupier.adapters.postgres.unusable import StoreUnusable
from croupier.adapters.postgres_opening import DriverMissing, PostgresOpening
from croupier.cli.checkup import examine
from croupier.config import load


def test_a_server_on_sqlite_imports_nothing_of_it() -> None:
    asked = (
        "import sys, croupier.app, croupier.run\n"
        "print([name for name in ('asyncpg', 'sqlalchemy', 'alembic') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_missing_driver_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(DriverMissing, match=r"pip install 'croupier\[postgres\]'"):
        PostgresOpening("postgresql://host/poker", "postgresql://host/poker", tmp_path / "key")


def found(dsn: str, tmp_path: Path) -> tuple[bool, str]:
    """What the doctor says of the store."""
    findings = examine(load({"store": dsn, "key_file": str(tmp_path / "key")}, {}))
    return next((finding.ok, finding.found) for finding in findings if finding.check == "store")


def test_the_doctor_looks_at_a_database_and_changes_nothing(tmp_path: Path) -> None:
    with emptied_database() as dsn:
        ok, said = found(dsn, tmp_path)
        assert ok
        assert "postgres" in said
    ok, said = found("postgresql://ann:secret@127.0.0.1:1/poker", tmp_path)
    assert not ok
    assert "cannot be reached" in said
    assert "secret" not in said


def test_a_database_that_lost_its_owners_row_says_what_to_do(tmp_path: Path) -> None:
    with emptied_database() as dsn:
        opening = PostgresOpening(dsn, dsn, tmp_path / "key")
        asyncio.run(opening.master_key())
        assert found(dsn, tmp_path)[0]
        asyncio.run(execute(dsn, "DELETE FROM ownership"))
        with pytest.raises(StoreUnusable, match="restore the database from a backup"):
            asyncio.run(opening.master_key())
        ok, said = found(dsn, tmp_path)
        assert not ok
        assert "restore the database from a backup" in said
