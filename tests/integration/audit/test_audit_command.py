"""`croupier audit` as it is run: exit status, what it prints, anchors, the index rebuilt, the shuffle stream."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.audited import audited, changed
from tests.support.journal_maker import JOURNALS
from tests.support.live import Backend, running
from typer.testing import CliRunner, Result

from croupier.cli.main import app
from croupier.room.audit import findings
from croupier.room.codec import FORMAT


def audit(store: Path, *options: str | Path) -> Result:
    return CliRunner().invoke(app, ["audit", "--store", f"sqlite:{store}", *map(str, options)])


def balances(store: Path) -> list[tuple[str, int]]:
    with closing(sqlite3.connect(store)) as connection:
        return connection.execute("SELECT name, balance FROM accounts ORDER BY account_key").fetchall()


def test_books_that_are_well(store: Path) -> None:
    told = audit(store, "--redecide")
    assert told.exit_code == 0, told.output
    assert "all is well (no anchor" in told.output
    assert "decided anew" in told.output


def test_books_that_are_not(store: Path, table_id: str) -> None:
    changed(store, "UPDATE journal SET recorded_time = recorded_time + 1 WHERE journal_sequence = 30")
    told = audit(store)
    assert told.exit_code == 1
    assert f"table {table_id}, record 30" in told.output
    count = told.output.count("FAIL")
    assert told.output.endswith(f"\n{count} defect{'' if count == 1 else 's'}\n")
    told = audit(store, "--json")
    assert told.exit_code == 1
    findings = json.loads(told.output)
    assert findings["ok"] is False
    assert {"check": "journal", "table_id": table_id, "record": 30}.items() <= findings["findings"][0].items()


def test_an_anchor_is_written_where_all_is_well_and_checked(store: Path, tmp_path: Path) -> None:
    anchor = tmp_path / "anchor.json"
    assert audit(store, "--write-anchor", anchor).exit_code == 0
    told = audit(store, "--anchor", anchor)
    assert told.exit_code == 0
    assert "checked against the anchor" in told.output
    before = anchor.read_bytes()
    changed(store, "UPDATE accounts SET balance = balance + 1 WHERE account_key = 2")
    assert audit(store, "--anchor", anchor, "--write-anchor", anchor).exit_code == 1
    assert anchor.read_bytes() == before


@pytest.mark.parametrize("number", range(1, FORMAT + 1))
def test_a_kept_journal_is_well(number: int, tmp_path: Path) -> None:
    """The first is of a file without hashes of entry sets and without an index of hands."""
    for kept in JOURNALS.glob(f"format_{number}.*"):
        shutil.copy(kept, tmp_path / kept.name)
    store = tmp_path / f"format_{number}.db"
    store.with_suffix(".key").chmod(0o600)
    told = audit(store, "--redecide", "--json")
    assert told.exit_code == 0, told.output
    looked = json.loads(told.output)["looked_at"]
    assert looked["commands_decided"] > 100
    older = looked["entry_sets"] + looked["requests"] if number == 1 else 0
    assert looked["older_than_hashes"] == older


def test_the_index_of_hands_is_rebuilt_from_the_journal(store: Path) -> None:
    changed(
        store,
        "DELETE FROM hands WHERE hand_number = 2",
        "UPDATE hand_players SET player_id = 'zora' WHERE player_id = 'anna'",
    )
    assert {finding.check for finding in audited(store).findings} == {"hands"}
    told = audit(store, "--rebuild")
    assert told.exit_code == 0, told.output
    assert "FAIL hands" in told.output, "what was wrong is told"
    assert re.search(r"^rebuilt: the index of hands, \d+ hands, from the journal$", told.output, re.MULTILINE)
    assert "balances" not in told.output
    assert re.search(r"^defects left: none of \d+$", told.output, re.MULTILINE)
    assert "all is well" in told.output
    assert audit(store).exit_code == 0


def test_balances_are_rebuilt_from_their_entries(store: Path, tmp_path: Path) -> None:
    changed(store, "UPDATE accounts SET balance = balance + 1 WHERE account_key IN (2, 3)")
    anchor = tmp_path / "anchor.json"
    told = audit(store, "--rebuild", "--write-anchor", anchor)
    assert told.exit_code == 0, told.output
    assert "rebuilt: 2 balances, from their entries" in told.output
    assert audit(store, "--anchor", anchor).exit_code == 0


def test_an_index_that_is_lost_whole_is_rebuilt(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Defects that are counted and no longer kept count all the same."""
    monkeypatch.setattr(findings, "MOST_KEPT", 1)
    changed(store, "UPDATE hands SET ended_time = ended_time + 1")
    told = audit(store, "--rebuild")
    assert told.exit_code == 0, told.output
    assert "defects more, not told" in told.output
    assert audit(store).exit_code == 0


def test_books_that_are_well_may_be_rebuilt(store: Path) -> None:
    told = audit(store, "--rebuild")
    assert told.exit_code == 0, told.output
    assert "none is left" not in told.output


def test_a_journal_that_is_not_well_rebuilds_nothing(store: Path) -> None:
    changed(store, "DELETE FROM hands WHERE hand_number = 2", "UPDATE journal SET principal = 'x'")
    told = audit(store, "--rebuild")
    assert told.exit_code == 1
    assert "nothing is rebuilt" in told.output


def test_balances_that_leave_something_wrong_are_not_rebuilt(store: Path) -> None:
    """The account of a stack is as its entries say, and not as the table does."""
    changed(
        store,
        "DELETE FROM hands WHERE hand_number = 2",
        "UPDATE accounts SET balance = balance + 1 WHERE name LIKE 'stack/%/anna'",
        "UPDATE accounts SET balance = balance - 1 WHERE name LIKE 'stack/%/bert'",
    )
    before = balances(store)
    entries = (
        "SELECT min(entry_id) FROM entries JOIN accounts USING (account_key) WHERE name LIKE 'stack/%/{}'"
    )
    changed(
        store,
        f"UPDATE entries SET amount = amount + 2 WHERE entry_id = ({entries.format('anna')})",
    )
    told = audit(store, "--rebuild")
    assert told.exit_code == 1
    assert "nothing is rebuilt" in told.output
    assert balances(store) == before
    assert "hand 2: is not in the index of hands" in audit(store).output


async def test_a_server_that_runs_is_not_rebuilt_under(tmp_path: Path) -> None:
    async with running(tmp_path) as server, Backend(f"127.0.0.1:{server.port}") as backend:
        await backend.open_table("anna")
        store = tmp_path / "croupier.db"
        told = audit(store, "--rebuild")
        assert told.exit_code == 2
        assert "in use by process" in told.output
        assert audit(store).exit_code == 0


def test_what_cannot_be_audited_says_why(store: Path, tmp_path: Path) -> None:
    missing = audit(tmp_path / "none.db")
    assert (missing.exit_code, "is not there" in missing.output) == (2, True)
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "anchor.json").write_text("[]")
    assert audit(store, "--anchor", tmp_path / "anchor.json").exit_code == 2
    store.with_suffix(".key").unlink()
    assert audit(store, "--redecide").exit_code == 2
    assert audit(store, "--table", "none").exit_code == 1


def test_an_audit_changes_no_byte(store: Path) -> None:
    before = store.read_bytes()
    assert audit(store).exit_code == 0
    assert store.read_bytes() == before


def test_the_shuffle_stream_is_whole_decks(tmp_path: Path) -> None:
    path = tmp_path / "shuffles"
    told = CliRunner().invoke(app, ["audit", "--shuffle-stream", "3000", "--output", str(path)])
    assert told.exit_code == 0, told.output
    stream = path.read_bytes()
    assert len(stream) == 52 * 3000
    decks = [stream[start : start + 52] for start in range(0, len(stream), 52)]
    assert all(sorted(deck) == list(range(52)) for deck in decks)
    assert len(set(decks)) == 3000
    piped = CliRunner().invoke(app, ["audit", "--shuffle-stream", "2"])
    assert len(piped.stdout_bytes) == 104
