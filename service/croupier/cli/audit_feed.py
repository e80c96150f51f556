"""`croupier audit --rebuild-feed`: a feed that is to be told everything again, by the servers that tell it."""

from __future__ import annotations

import asyncio

import typer

from croupier.cli.audit_report import CannotAudit
from croupier.config import load
from croupier.stated import SettingsError


def run(name: str, store: str | None) -> None:
    """Begin a telling of all there is, and say what comes of it. Raises CannotAudit."""
    try:
        if load({"store": store}).store_name != "postgresql":
            raise CannotAudit("only a PostgreSQL store has a feed: name it with --store")
        # The bus is the servers'; the name is checked as theirs is.
        settings = load({"store": store, "feed": name, "bus": "nats://of-the-servers"})
    except SettingsError as failure:
        raise CannotAudit(str(failure)) from None
    try:
        from croupier.adapters.postgres import feed, unusable
    except ImportError as missing:
        raise CannotAudit(
            f"PostgreSQL needs {missing.name}, which is not installed: run pip install 'croupier[postgres]'"
        ) from None
    try:
        hands, sets = asyncio.run(feed.tell_again(settings.store, name))
    except (unusable.StoreUnusable, unusable.SchemaTooNew) as failure:
        raise CannotAudit(str(failure)) from None
    typer.echo(
        f"{hands} hands and {sets} entry sets are to be told to {name}, by servers with --feed {name}: "
        "croupier_feed_lag_hands says how many of their tables' hands are left"
    )
