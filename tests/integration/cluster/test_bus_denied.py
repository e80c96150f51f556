"""Permissions that a server's NATS user loses and gets back, with NATS and the connection as they were."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager

import pytest
from structlog.testing import capture_logs
from tests.support.nats import NatsServer, nats_server

from croupier.adapters.nats import NatsBus, Server
from croupier.adapters.nats.denied import MOST_AGAIN
from croupier.room.cluster_ports import BusAway, NobodyThere

PATIENCE_S = 10.0
SOON_S = 3.0
"""What an operator may expect of permissions that are back."""
MANY = 5 * MOST_AGAIN
ALL = '"croupier.>", "_INBOX.>"'
CALLS = "croupier.Room.node.Host=2F1.call"
NEWS = "croupier.Room.news"


def users(subscribe: str = ALL, publish: str = ALL) -> str:
    """Two users: "whole" may do anything, "part" what is named."""
    permissions = f"{{ subscribe: [{subscribe}], publish: [{publish}] }}"
    return f"""authorization {{ users: [
        {{ user: whole, password: s3cr }}, {{ user: part, password: s3cr, permissions: {permissions} }} ] }}"""


@pytest.fixture
def nats() -> Iterator[NatsServer]:
    with nats_server(users()) as server:
        yield server


@asynccontextmanager
async def bus(nats: NatsServer, user: str) -> AsyncIterator[NatsBus]:
    made = NatsBus(Server(f"nats://{user}:s3cr@127.0.0.1:{nats.port}"), user, lambda: dropped.append(user))
    dropped.clear()
    assert await made.start(PATIENCE_S)
    try:
        yield made
    finally:
        await made.close()


dropped: list[str] = []


async def echo(data: bytes) -> bytes:
    return data


async def within(seconds: float, condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.02)


def answers(
    asking: NatsBus, subject: str, expected: type[Exception] | None = None
) -> Callable[[], Awaitable[bool]]:
    """Whether a request is answered, or fails as expected."""

    async def ask() -> bool:
        try:
            await asking.request(subject, b"told", 0.3)
        except (NobodyThere, BusAway, TimeoutError) as failure:
            return type(failure) is expected
        return expected is None

    return ask


async def test_what_was_denied_is_served_and_heard_soon_after_it_is_permitted(nats: NatsServer) -> None:
    async with bus(nats, "whole") as whole, bus(nats, "part") as part:
        heard: list[bytes] = []
        await part.serve(CALLS, echo)
        await part.subscribe(NEWS, heard.append)
        await within(SOON_S, answers(whole, CALLS))
        with capture_logs() as logs:
            nats.reload(users(subscribe='"_INBOX.>"'))
            await within(SOON_S, answers(whole, CALLS, NobodyThere))
            whole.publish(NEWS, b"missed")
            await asyncio.sleep(2)
            assert part.connected
            assert heard == []
            nats.reload(users())
            await within(SOON_S, answers(whole, CALLS))
            whole.publish(NEWS, b"found")
            async with asyncio.timeout(SOON_S):
                while b"found" not in heard:
                    await asyncio.sleep(0.02)
        assert heard == [b"", b"found"]
        assert [entry["event"] for entry in logs] == ["bus_failed", "bus_permitted_again"]
        assert 'subscription to "croupier.room.' in logs[0]["why"]


async def test_answers_come_again_once_the_inbox_is_permitted(nats: NatsServer) -> None:
    async with bus(nats, "whole") as whole, bus(nats, "part") as part:
        await whole.serve(CALLS, echo)
        await within(SOON_S, answers(part, CALLS))
        nats.reload(users(subscribe='"croupier.>"'))
        await within(SOON_S, answers(part, CALLS, TimeoutError))
        await asyncio.sleep(2)
        nats.reload(users())
        await within(SOON_S, answers(part, CALLS))


async def test_whoever_listens_is_told_of_news_that_might_not_be_published(nats: NatsServer) -> None:
    async with bus(nats, "whole") as whole, bus(nats, "part") as part:
        heard: list[bytes] = []
        await whole.subscribe(NEWS, heard.append)
        nats.reload(users(publish='"_INBOX.>"'))
        part.publish(NEWS, b"lost")
        await asyncio.sleep(2)
        assert heard == []
        assert dropped.count("part") >= 1
        nats.reload(users())
        async with asyncio.timeout(SOON_S):
            while heard != [b""]:
                await asyncio.sleep(0.02)


async def test_a_server_that_begins_without_permissions_has_them_once_they_are_given(
    nats: NatsServer,
) -> None:
    nats.reload(users(subscribe='"none"'))
    async with bus(nats, "whole") as whole, bus(nats, "part") as part:
        subjects = [f"croupier.Room.table.T{number}.call" for number in range(MANY)]
        for subject in subjects:
            await part.serve(subject, echo)
        await whole.serve(CALLS, echo)
        await within(SOON_S, answers(whole, subjects[-1], NobodyThere))
        await asyncio.sleep(2)
        nats.reload(users())
        for subject in subjects:
            await within(SOON_S, answers(whole, subject))
        await within(SOON_S, answers(part, CALLS))


async def test_what_ended_while_it_was_denied_is_not_served_again(nats: NatsServer) -> None:
    nats.reload(users(subscribe='"_INBOX.>"'))
    async with bus(nats, "whole") as whole, bus(nats, "part") as part:
        ended, kept = await part.serve(CALLS, echo), await part.serve(f"{CALLS}.other", echo)
        await asyncio.sleep(1)
        await ended.end()
        nats.reload(users())
        await within(SOON_S, answers(whole, kept.subject))
        assert await answers(whole, CALLS, NobodyThere)()
