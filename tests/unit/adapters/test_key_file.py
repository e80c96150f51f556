"""The master key: made once, read by its owner alone, never replaced."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.adapters.key_file import KeyFileError, read, read_or_make
from croupier.config import load


def test_new_store_gets_a_key_that_only_its_owner_reads(tmp_path: Path) -> None:
    path = tmp_path / "data" / "croupier.key"
    key = read_or_make(path, tmp_path / "data" / "croupier.db")
    assert len(key) == 32
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_known_key_is_read_again(tmp_path: Path) -> None:
    path, database = tmp_path / "a.key", tmp_path / "a.db"
    key = read_or_make(path, database)
    database.write_bytes(b"cards")
    assert read_or_make(path, database) == key


def test_lost_key_is_not_replaced(tmp_path: Path) -> None:
    database = tmp_path / "a.db"
    database.write_bytes(b"cards")
    with pytest.raises(KeyFileError, match="put the key file back"):
        read_or_make(tmp_path / "a.key", database)
    assert not (tmp_path / "a.key").exists()


def test_two_new_stores_differ(tmp_path: Path) -> None:
    keys = {read_or_make(tmp_path / name, tmp_path / "none") for name in ("a.key", "b.key")}
    assert len(keys) == 2


@pytest.mark.parametrize("text", ["", "00" * 31, "zz" * 32, "00" * 33, "\xff" * 64])
def test_file_that_holds_no_key_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.key"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(KeyFileError, match="64 hexadecimal digits"):
        read(path)


def test_key_open_to_everyone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.key"
    read_or_make(path, tmp_path / "a.db")
    path.chmod(0o644)
    with pytest.raises(KeyFileError, match=re.escape(f"mode 0644, open to every user: run chmod 600 {path}")):
        read(path)


def test_missing_key_is_told(tmp_path: Path) -> None:
    with pytest.raises(KeyFileError, match="cannot be read: No such file"):
        read(tmp_path / "a.key")


def test_a_key_in_the_environment_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_MASTER_KEY", "ab" * 32)
    assert read_or_make(tmp_path / "a.key", tmp_path / "a.db") == b"\xab" * 32
    assert not (tmp_path / "a.key").exists()
    assert load({}, {"CROUPIER_MASTER_KEY": "ab" * 32}).port, "it is no setting"


@pytest.mark.parametrize("text", ["", "ab" * 31, "zz" * 32])
def test_what_is_no_key_in_the_environment_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("CROUPIER_MASTER_KEY", text)
    with pytest.raises(KeyFileError, match="CROUPIER_MASTER_KEY must hold 64 hexadecimal digits"):
        read_or_make(tmp_path / "a.key", tmp_path / "a.db")
