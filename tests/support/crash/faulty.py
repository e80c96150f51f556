"""A table played on a store that fails: what was acknowledged, and that nothing of it is lost and no chip is wrong."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final

from tests.support.audited import audited
from tests.support.crash.picture import books_of
from tests.support.live import PATIENCE, Backend

from croupier.client.errors import Unanswered
from croupier.client.retry import Retry
from croupier.v1.hand_pb2 import ACTION_KIND_CALL, ACTION_KIND_CHECK, Decision
from croupier.v1.table_pb2 import Table

PLAYERS: Final = ("anna", "bert", "cleo")
BROUGHT: Final = 100
ONCE: Final = Retry(attempts=1, timeout=20)


class Play:
    """Players who check and call at one table. `acknowledged` are the sequences of their answered actions."""

    def __init__(self, table_id: str) -> None:
        self.table_id: Final = table_id
        self.acknowledged: Final[dict[str, int]] = {}

    async def act(self, backend: Backend, count: int) -> None:
        """So many actions. Raises Unanswered."""
        for _ in range(count):
            decision = await backend.dealt(self.table_id)
            await self.answer(backend, decision)

    async def answer(self, backend: Backend, decision: Decision) -> None:
        name = f"{decision.hand_id}/{decision.action_sequence}"
        kind = ACTION_KIND_CHECK if decision.legal_actions.can_check else ACTION_KIND_CALL
        answer = await backend.act(self.table_id, decision, kind, request_id=name)
        self.acknowledged[name] = answer.sequence

    async def fail(self, backend: Backend) -> Decision:
        """Act until the store is away: the decision that was not answered then."""
        for _ in range(3000):
            decision = await backend.dealt(self.table_id)
            try:
                await self.answer(backend, decision)
            except Unanswered as failure:
                reason = failure.reason
                break
        else:
            raise AssertionError("the store never failed")
        assert reason == "STORE_UNAVAILABLE"
        return decision

    async def must_stand(self, backend: Backend, decision: Decision) -> None:
        """Fails unless the table stands where the last acknowledged action left it, with every chip."""
        async with asyncio.timeout(PATIENCE):
            while (table := await self._look(backend)) is None:
                await asyncio.sleep(0.05)
        standing = table.next_decision
        assert (standing.hand_id, standing.action_sequence) == (decision.hand_id, decision.action_sequence)
        held = sum(seat.stack for seat in table.seats) + sum(seat.contribution for seat in table.hand.seats)
        assert held == BROUGHT * len(PLAYERS)

    async def _look(self, backend: Backend) -> Table | None:
        """None while the table is being read from its journal again."""
        try:
            return await backend.get_table(self.table_id)
        except Unanswered:
            return None

    def must_be_kept(self, store: Path) -> None:
        """Fails unless a store has what was acknowledged, and an audit finds nothing."""
        assert lost(self.acknowledged, store) == []
        assert audited(store, redecide=True).findings == []


def lost(acknowledged: dict[str, int], store: Path | str) -> list[str]:
    """The acknowledged actions that a store, a file or a database, has not, or has elsewhere."""
    with books_of(store if isinstance(store, str) else f"sqlite:{store}") as books:
        kept = {one.record.request_id: one.record.sequence for one in books.records()}
    return [name for name, sequence in acknowledged.items() if kept.get(name) != sequence]


async def begin(backend: Backend, prefix: str = "") -> Play:
    """`prefix` tells players of one table from those of another."""
    return Play(await backend.open_table(*(f"{prefix}{player}" for player in PLAYERS)))


async def readiness(http_port: int) -> str:
    """What /readyz says; "ok" where the server is ready."""

    def ask() -> str:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{http_port}/readyz", timeout=10) as answer:
                text: str = answer.read().decode().strip()
        except urllib.error.HTTPError as refused:
            with refused:
                text = refused.read().decode().strip()
        return text

    return await asyncio.to_thread(ask)


async def be_ready(http_port: int) -> None:
    """Return once /readyz says that the server is ready."""
    async with asyncio.timeout(PATIENCE):
        while await readiness(http_port) != "ok":
            await asyncio.sleep(0.1)
