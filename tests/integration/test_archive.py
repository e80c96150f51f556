"""Old records in the archive: what was promised of the journal holds, wherever a record lies."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.support.audited import quietly
from tests.support.live import Backend, running
from tests.support.postgres import empty_database, execute, fetch

from croupier.adapters import key_file
from croupier.adapters.games import GAMES
from croupier.adapters.postgres.archive import archive
from croupier.adapters.postgres.books import PostgresBooks
from croupier.room.audit.audit import Audit, Looked, Wanted
from croupier.room.audit.findings import Findings
from croupier.room.seal import Seal
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub
from croupier.v1.hand_pb2 import ACTION_KIND_CALL, Decision

CROUPIER = str(Path(sys.executable).with_name("croupier"))
LATER = 2**62
PLAYERS = ("anna", "bert", "cleo")
SPLIT = """
SELECT (SELECT count(*) FROM journal), (SELECT count(*) FROM journal_archive),
       (SELECT count(*) FROM journal JOIN tables USING (table_key) WHERE journal_sequence < checkpoint_sequence)"""


@pytest.fixture
async def dsn() -> AsyncIterator[str]:
    async with empty_database() as made:
        yield made


def settings(dsn: str, directory: Path) -> dict[str, Any]:
    return {"store": dsn, "key_file": str(directory / "croupier.key")}


def audited(dsn: str, directory: Path) -> Looked:
    """What an audit with everything decided anew has looked at; it finds nothing wrong."""
    findings, books = Findings(), PostgresBooks(dsn)
    try:
        wanted = Wanted("", None, Seal(key_file.read(directory / "croupier.key")))
        looked = Audit(books, GAMES, wanted, findings, lambda *_: None).run()
    finally:
        books.close()
    assert findings.kept == []
    return looked


async def told(backend: Backend, table_id: str, sequence: int) -> list[bytes]:
    """All that can be asked of a table's past."""
    watching = backend.watching(table_id, resume_after_sequence=0)
    await watching.reach(sequence)
    await watching.cancel()
    events = [event.SerializeToString(deterministic=True) for event in watching.events]
    hands = [
        hand.SerializeToString(deterministic=True) async for hand in backend.list_hands(table_id=table_id)
    ]
    first = await backend.get_hand(f"{table_id}/1", "anna")
    return [*events, *hands, first.SerializeToString(deterministic=True)]


class Early:
    """The first action of a table, as it was sent."""

    def __init__(self, table_id: str, decision: Decision) -> None:
        self._request = ActRequest(
            request_id="the first",
            table_id=table_id,
            player_id=decision.player_id,
            hand_id=decision.hand_id,
            action_sequence=decision.action_sequence,
            action=ACTION_KIND_CALL,
        )

    async def sent(self, backend: Backend) -> ActResponse:
        answer: ActResponse = await BettingServiceStub(backend.channel).Act(self._request)
        return answer


async def test_what_is_archived_is_told_and_answered_as_before(dsn: str, tmp_path: Path) -> None:
    async with (
        running(tmp_path, **settings(dsn, tmp_path)) as app,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        table_id = await backend.open_table(*PLAYERS)
        early = Early(table_id, await backend.dealt(table_id))
        await early.sent(backend)
        await quietly(backend, table_id, until_hand=12)
        sequence = (await backend.get_table(table_id)).sequence
        await asyncio.sleep(1)
        before, answer = await told(backend, table_id, sequence), await early.sent(backend)

        moved = await archive(dsn, LATER)
        ((hot, cold, behind),) = await fetch(dsn, SPLIT)
        assert (moved.records, moved.tables) == (cold, 1)
        assert cold > 50 > hot
        assert behind == 0
        assert await told(backend, table_id, sequence) == before
        assert await early.sent(backend) == answer
    await asyncio.to_thread(audited, dsn, tmp_path)
    async with (
        running(tmp_path, **settings(dsn, tmp_path)) as app,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        assert await early.sent(backend) == answer
        assert await told(backend, table_id, sequence) == before
        await quietly(backend, table_id, until_hand=16)
        assert (await archive(dsn, LATER)).records > 0
    looked = await asyncio.to_thread(audited, dsn, tmp_path)
    assert looked.records == sum((await fetch(dsn, SPLIT))[0][:2])


async def test_records_go_to_the_archive_while_tables_play(dsn: str, tmp_path: Path) -> None:
    async with (
        running(tmp_path, **settings(dsn, tmp_path)) as app,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        tables = [await backend.open_table(*PLAYERS, name=str(number)) for number in range(3)]
        for table_id in tables:
            await backend.dealt(table_id)
        playing = asyncio.gather(
            *(backend.play(table, Random(seed), until_hand=40) for seed, table in enumerate(tables))
        )
        moved = 0
        while not playing.done():
            moved += (await archive(dsn, LATER)).records
        await playing
        assert moved > 100
        assert (await fetch(dsn, SPLIT))[0][1] == moved
    await asyncio.to_thread(audited, dsn, tmp_path)


async def test_what_is_young_stays(dsn: str, tmp_path: Path) -> None:
    async with (
        running(tmp_path, **settings(dsn, tmp_path)) as app,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        table_id = await backend.open_table(*PLAYERS)
        await backend.dealt(table_id)
        await backend.play(table_id, Random(3), until_hand=4)
        ((middle,),) = await fetch(dsn, "SELECT recorded_time FROM journal WHERE journal_sequence = 20")
        await archive(dsn, middle)
    ((newest,),) = await fetch(dsn, "SELECT max(journal_sequence) FROM journal_archive")
    assert newest == 19
    command = [CROUPIER, "archive", "--store", dsn, "--older-than"]
    young = await asyncio.to_thread(
        subprocess.run, [*command, "1"], capture_output=True, text=True, check=True
    )
    assert young.stdout == "0 records of 0 tables moved to the archive\n"
    await execute(dsn, f"UPDATE journal SET recorded_time = recorded_time - {2 * 86_400 * 10**9}")
    old = await asyncio.to_thread(subprocess.run, [*command, "1"], capture_output=True, text=True, check=True)
    assert re.fullmatch(r"\d+ records of 1 tables moved to the archive\n", old.stdout)
    assert (await fetch(dsn, SPLIT))[0][2] == 0


async def test_a_record_lost_on_the_way_is_found(dsn: str, tmp_path: Path) -> None:
    async with (
        running(tmp_path, **settings(dsn, tmp_path)) as app,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        table_id = await backend.open_table(*PLAYERS)
        await backend.dealt(table_id)
        await backend.play(table_id, Random(4), until_hand=4)
        await archive(dsn, LATER)
    await execute(dsn, "DELETE FROM journal_archive WHERE journal_sequence = 9")
    with pytest.raises(AssertionError, match="9 lacking"):
        await asyncio.to_thread(audited, dsn, tmp_path)


def test_the_command_says_where_there_is_nothing_to_move(tmp_path: Path) -> None:
    command = [CROUPIER, "archive", "--older-than", "1", "--store"]
    file = subprocess.run(
        [*command, f"sqlite:{tmp_path / 'a.db'}"], capture_output=True, text=True, check=False
    )
    assert (file.returncode, "nothing to do" in file.stderr) == (2, True)
    nowhere = "postgresql://nobody@127.0.0.1:1/none"
    away = subprocess.run([*command, nowhere], capture_output=True, text=True, check=False)
    assert (away.returncode, "cannot be reached" in away.stderr) == (2, True)
