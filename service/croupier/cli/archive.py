"""`croupier archive`: old records of a PostgreSQL store moved out of the way of those that are played by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from croupier.numbers import NS_PER_S

if TYPE_CHECKING:
    from croupier.adapters.postgres.archive import Moved

_STORE = typer.Option(help="Which store. \\[default: as for serve]")
_OLDER = typer.Option(metavar="DAYS", min=1, help="Move what was recorded longer ago than that.")
_DAY_NS = 24 * 3600 * NS_PER_S


def archive(older_than: Annotated[int, _OLDER], store: Annotated[str | None, _STORE] = None) -> None:
    """Keep the journal small: move the records of settled hands to its archive.

    Both stay in the database, and nothing that a server tells or that an
    audit proves depends on where a record lies. Servers may go on playing
    meanwhile. It rests as long as it works; stopped half-way, it goes on
    where it was the next time. On SQLite there is nothing to do.

    Examples:
      croupier archive --older-than 30

    Exits 0 when all is moved, 2 when that could not be done.
    """
    import asyncio
    import time

    from croupier.config import load
    from croupier.stated import SettingsError

    try:
        settings = load({"store": store})
        if settings.store_name == "sqlite":
            raise _CannotArchive(
                "a SQLite file is only appended to, and has no archive; there is nothing to do"
            )
        told = asyncio.run(_moved(settings.store, time.time_ns() - older_than * _DAY_NS))
    except (SettingsError, _CannotArchive) as failure:
        typer.echo(f"croupier archive: {failure}", err=True)
        raise typer.Exit(2) from None
    typer.echo(told)


class _CannotArchive(Exception):
    """Raised with why nothing was moved, or no more."""


async def _moved(dsn: str, before: int) -> str:
    """Imports what only PostgreSQL needs."""
    try:
        from croupier.adapters.postgres import unusable
        from croupier.adapters.postgres.archive import archive as move
    except ImportError as missing:
        raise _CannotArchive(
            f"PostgreSQL needs {missing.name}, which is not installed: run pip install 'croupier[postgres]'"
        ) from None
    from rich.console import Console

    try:
        # Shown on a terminal alone.
        with Console(stderr=True).status("looking for old records") as shown:
            moved = await move(dsn, before, lambda so_far: shown.update(_told(so_far)))
    except (unusable.StoreUnusable, unusable.SchemaTooNew) as failure:
        raise _CannotArchive(str(failure)) from None
    return _told(moved)


def _told(moved: Moved) -> str:
    return f"{moved.records:,} records of {moved.tables:,} tables moved to the archive"
