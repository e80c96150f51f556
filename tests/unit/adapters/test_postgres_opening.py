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


def found(dsn: str, tmp_path: Path, check: str = "store") -> tuple[bool, str]:
    """What the doctor says of the store, or of something else."""
    findings = examine(load({"store": dsn, "key_file": str(tmp_path / "key")}, {}))
    return next((finding.ok, finding.found) for finding in findings if finding.check == check)


def test_the_doctor_takes_no_key_that_the_server_would_not(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with emptied_database() as dsn:
        assert found(dsn, tmp_path, "key file") == (True, f"{path} will be made")
        asyncio.run(PostgresOpening(dsn, dsn, path).master_key())
        assert found(dsn, tmp_path, "key file") == (True, f"{path}, mode 0600")
        kept = path.read_text()
        path.write_text("ab" * 32)
        ok, said = found(dsn, tmp_path, "key file")
        assert (ok, said.partition(" of ")[0]) == (False, f"{path} is not the master key")
        path.unlink()
        ok, said = found(dsn, tmp_path, "key file")
        assert (ok, said.partition(",")[0]) == (False, f"{path} is missing")
        asyncio.run(execute(dsn, "ALTER TABLE ownership RENAME COLUMN key_mark TO other"))
        path.write_text(kept)
        path.chmod(0o600)
        try:
            assert found(dsn, tmp_path, "key file")[0], "a version before the column knows no key"
        finally:
            asyncio.run(execute(dsn, "ALTER TABLE ownership RENAME COLUMN other TO key_mark"))


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
