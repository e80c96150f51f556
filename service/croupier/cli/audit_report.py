"""What `croupier audit` opens, shows while it works, and tells at the end."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from croupier.adapters import drafts, key_file
from croupier.adapters.games import GAMES
from croupier.adapters.sqlite.books import SqliteBooks
from croupier.adapters.sqlite.lock import StoreLocked
from croupier.adapters.sqlite.schema import SchemaTooNew, StoreUnusable
from croupier.cli.audit_rebuild import Rebuilt, rebuild
from croupier.config import Settings, load
from croupier.room.audit import anchor as anchors
from croupier.room.audit.audit import Audit, Looked, Wanted
from croupier.room.audit.books import BooksDamaged
from croupier.room.audit.findings import Finding, Findings
from croupier.room.seal import Seal
from croupier.stated import SettingsError

if TYPE_CHECKING:
    from croupier.adapters.postgres.books import PostgresBooks


class CannotAudit(Exception):
    """Raised where there is nothing to be told of the books; the text says why and what to do."""


class Asked(msgspec.Struct, frozen=True):
    """What the command line asks for."""

    store: str | None
    key_file: Path | None
    anchor: Path | None
    write_anchor: Path | None
    redecide: bool
    rebuild: bool
    table_id: str
    json: bool


class _Progress:
    """Shows how far each part of the audit is."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._tasks: dict[str, TaskID] = {}

    def tick(self, part: str, done: int, total: int) -> None:
        if part not in self._tasks:
            self._tasks[part] = self._bar.add_task(part, total=total)
        self._bar.update(self._tasks[part], completed=done, total=max(done, total))


def run(asked: Asked) -> bool:
    """Make the audit and tell what came of it; whether all is well. Raises CannotAudit."""
    if asked.table_id and (asked.write_anchor or asked.rebuild):
        raise CannotAudit("an anchor and the index of hands are of all tables: leave --table out")
    settings = _settings(asked)
    anchor = _read_anchor(asked.anchor) if asked.anchor else None
    key = _master_key(settings) if asked.redecide else None
    books = _open(settings, rebuilding=asked.rebuild)
    findings = Findings(None if asked.json else _tell)
    try:
        with _bar(shown=not asked.json) as bar:
            wanted = Wanted(asked.table_id, anchor)
            if key is not None:
                wanted = Wanted(asked.table_id, anchor, Seal(key), key_file.mark_of(key))
            looked = Audit(books, GAMES, wanted, findings, _Progress(bar).tick).run()
            rebuilt = rebuild(books, findings, _Progress(bar).tick) if asked.rebuild else None
    except BooksDamaged as failure:
        raise CannotAudit(f"{failure}; nothing is rebuilt") from None
    finally:
        books.close()
    well = not (findings.count if rebuilt is None else rebuilt.left)
    if well and asked.write_anchor is not None and looked.anchor is not None:
        _write_anchor(asked.write_anchor, msgspec.structs.replace(looked.anchor, time=time.time_ns()))
    typer.echo(
        _as_json(looked, findings, rebuilt) if asked.json else _summary(looked, findings, rebuilt, asked)
    )
    return well


def _settings(asked: Asked) -> Settings:
    try:
        return load({"store": asked.store, "key_file": str(asked.key_file) if asked.key_file else None})
    except SettingsError as failure:
        raise CannotAudit(str(failure)) from None


def open_books(store: str | None) -> SqliteBooks | PostgresBooks:
    """A store's books, to be read. Raises CannotAudit."""
    try:
        return _open(load({"store": store}), rebuilding=False)
    except SettingsError as failure:
        raise CannotAudit(str(failure)) from None


def _open(settings: Settings, *, rebuilding: bool) -> SqliteBooks | PostgresBooks:
    if settings.store_name == "postgresql":
        return _open_postgres(settings, rebuilding=rebuilding)
    try:
        return SqliteBooks(settings.database, rebuilding=rebuilding)
    except (StoreLocked, StoreUnusable, SchemaTooNew) as failure:
        raise CannotAudit(str(failure)) from None


def _open_postgres(settings: Settings, *, rebuilding: bool) -> PostgresBooks:
    """Imports what only PostgreSQL needs."""
    try:
        from croupier.adapters.postgres import unusable
        from croupier.adapters.postgres.books import PostgresBooks
    except ImportError as missing:
        raise CannotAudit(
            f"PostgreSQL needs {missing.name}, which is not installed: run pip install 'croupier[postgres]'"
        ) from None
    try:
        return PostgresBooks(settings.store, rebuilding=rebuilding)
    except (unusable.StoreUnusable, unusable.SchemaTooNew) as failure:
        raise CannotAudit(str(failure)) from None


def _master_key(settings: Settings) -> bytes:
    try:
        stated = key_file.from_environment(os.environ)
        return key_file.read(settings.key_path) if stated is None else stated
    except key_file.KeyFileError as failure:
        raise CannotAudit(f"{failure} (--redecide opens the sealed decks)") from None


def _read_anchor(path: Path) -> anchors.Anchor:
    try:
        return anchors.read(path.read_bytes())
    except OSError as failure:
        raise CannotAudit(f"{path} cannot be read: {failure.strerror}") from None
    except anchors.AnchorError as failure:
        raise CannotAudit(f"{path} is no anchor: {failure}") from None


def _write_anchor(path: Path, anchor: anchors.Anchor) -> None:
    """The file is whole or it is not there."""
    try:
        with drafts.draft(path, anchors.written(anchor), 0o666) as draft:
            draft.replace(path)
        drafts.settle(path)
    except OSError as failure:
        raise CannotAudit(f"{path} cannot be written: {failure.strerror}") from None
    drafts.clear(path)


def _bar(*, shown: bool) -> Progress:
    columns = (TextColumn("{task.description:<14}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=not shown)


def _tell(finding: Finding) -> None:
    place = finding.place()
    typer.echo(f"FAIL {finding.check:<12} {f'{place}: ' if place else ''}{finding.what}")


def _summary(looked: Looked, findings: Findings, rebuilt: Rebuilt | None, asked: Asked) -> str:
    lines = [
        f"{looked.tables:,} tables, {looked.records:,} records, {looked.hands:,} hands",
        f"{looked.entry_sets:,} entry sets, {looked.entries:,} entries, {looked.accounts:,} accounts, "
        f"{looked.requests:,} requests",
        f"{looked.operations:,} entries of the operator log",
    ]
    if asked.redecide:
        lines.append(f"{looked.commands_decided:,} commands decided anew")
    if looked.older_than_hashes:
        lines.append(f"{looked.older_than_hashes:,} entry sets and requests are older than their hashes")
    if findings.count > len(findings.kept):
        lines.append(f"{_defects(findings.count - len(findings.kept))} more, not told")
    if rebuilt is not None:
        lines.append(rebuilt.told(looked.hands, findings.count))
    left = findings.count if rebuilt is None else rebuilt.left
    if not left:
        checked = (
            "checked against the anchor" if asked.anchor else "no anchor: a tail cut off would not be seen"
        )
        lines.append(f"all is well ({checked})")
        if asked.write_anchor:
            lines.append(f"anchor written to {asked.write_anchor}")
    else:
        lines.append(_defects(left))
    return "\n".join(lines)


def _defects(count: int) -> str:
    return f"{count:,} defect{'' if count == 1 else 's'}"


def _as_json(looked: Looked, findings: Findings, rebuilt: Rebuilt | None) -> str:
    counts: dict[str, Any] = {
        name: value for name, value in msgspec.structs.asdict(looked).items() if name != "anchor"
    }
    left = findings.count if rebuilt is None else rebuilt.left
    told = {
        "ok": not left,
        "defects": findings.count,
        "left": left,
        "findings": findings.kept,
        "looked_at": counts,
        "index_rebuilt": rebuilt is not None and rebuilt.done,
        "balances_rebuilt": rebuilt.balances if rebuilt is not None else 0,
    }
    return msgspec.json.encode(told).decode()
