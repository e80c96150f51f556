"""Opening the bus of a server that shares its store with others: what it needs that may not be installed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier.room.subjects import Subjects

if TYPE_CHECKING:
    from croupier.adapters.nats import NatsBus, Server


class BusUnusable(RuntimeError):
    """Raised where what was named is no bus, or its driver is not installed, with what to do about it."""


class Forbidden(BusUnusable):
    """Raised where NATS does not let a server hear or tell what it must."""


def bus(
    urls: str,
    credentials_file: str,
    name: str,
    on_dropped: Callable[[], None],
    on_unreadable: Callable[[str], None],
) -> NatsBus:
    """The bus at the URLs, which `start` connects to; `name` is this server's, for NATS to show. Raises BusUnusable."""
    found = server(urls, credentials_file)
    from croupier.adapters.nats import NatsBus

    return NatsBus(found, name, on_dropped, on_unreadable)


async def look(urls: str, credentials_file: str, room: str) -> str:
    """Where the bus is that carries what servers of a room ask each other.

    Raises BusUnusable where it does not, Forbidden for want of permissions.
    """
    found = server(urls, credentials_file)
    from croupier.adapters.nats import TrialFailed, must_carry

    try:
        await must_carry(found, Subjects(room).node("doctor"))
    except TrialFailed as failure:
        kind = Forbidden if failure.permission else BusUnusable
        raise kind(f"{found.place}: {failure}") from failure
    return found.place


def server(urls: str, credentials_file: str) -> Server:
    """NATS as it was named; nothing is connected to. Raises BusUnusable."""
    try:
        import nats
    except ImportError as missing:
        raise BusUnusable(
            f"a bus needs {missing.name}, which is not installed: run pip install 'croupier[nats]'"
        ) from missing
    del nats
    from croupier.adapters.nats import Server, ServerUnusable

    try:
        found = Server(urls, credentials_file)
        found.must_have_credentials()
    except ServerUnusable as unusable:
        raise BusUnusable(str(unusable)) from unusable
    return found
