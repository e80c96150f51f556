"""Whether NATS takes a server in, and carries to it what the others ask: tried, and nothing left behind."""

from __future__ import annotations

import asyncio
from typing import Final

import nats.errors
from nats.aio.msg import Msg

from croupier.adapters.nats.connection import Connection
from croupier.adapters.nats.inbox import Inbox
from croupier.adapters.nats.oddities import Oddities
from croupier.adapters.nats.server import Server

TRY_S: Final = 1.0


class TrialFailed(Exception):
    """Raised for why it does not, as far as NATS says. `permission`: it does connect."""

    def __init__(self, why: str, *, permission: bool = False) -> None:
        super().__init__(why)
        self.permission: Final = permission


async def must_carry(server: Server, subject: str) -> None:
    """From this server to itself, as a question and as an answer. Raises TrialFailed."""
    denied: list[str] = []
    connection = Connection(
        lambda _: None, lambda _, why: denied.append(why.removeprefix("nats: ")), Oddities(lambda _: None)
    )
    try:
        try:
            async with asyncio.timeout(TRY_S):
                await connection.open(server, "croupier doctor")
        except (OSError, nats.errors.Error) as failure:
            why, _ = await connection.why_not(server, failure)
            raise TrialFailed(why) from failure
        try:
            async with asyncio.timeout(TRY_S):
                for one in (subject, Inbox().subject.replace("*", "doctor")):
                    await _must_come(connection, one, denied)
        except (OSError, nats.errors.Error) as failure:
            raise TrialFailed(
                ", ".join(denied) or f"it does not carry {one}", permission=bool(denied)
            ) from failure
        if denied:
            raise TrialFailed(", ".join(denied), permission=True)
    finally:
        await connection.close()


async def _must_come(connection: Connection, subject: str, denied: list[str]) -> None:
    """Unless it is denied. Raises TimeoutError, nats.errors.Error."""
    came = asyncio.Event()

    async def heard(_: Msg) -> None:
        came.set()

    subscription = await connection.subscribe(subject, heard)
    connection.send(subject, b"")
    await connection.flush()
    await connection.settled()
    if not denied:
        await came.wait()
    await subscription.unsubscribe()
