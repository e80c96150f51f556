"""`croupier watch` beside a server: what it shows is what the server says, through restarts, to the end."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from tests.support.credentials import Secret
from tests.support.live import Backend, Watching, choice, number_of, running
from tests.support.live_table import PATIENT, LiveTable
from tests.support.server import ServerProcess

from croupier.client import Croupier
from croupier.client.watching.state import WatchedTable
from croupier.v1.hand_pb2 import ACTION_KIND_ALL_IN, ACTION_KIND_CALL, ACTION_KIND_CHECK
from croupier.v1.table_pb2 import Table

CROUPIER = str(Path(sys.executable).with_name("croupier"))


def watch(
    server: ServerProcess, *arguments: str, encoding: str = "utf-8"
) -> subprocess.CompletedProcess[str]:
    command = [CROUPIER, "watch", "--target", server.target, *arguments]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    return subprocess.run(
        command, capture_output=True, encoding=encoding, env=environment, timeout=30, check=False
    )


@contextmanager
def watching(server: ServerProcess, log: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """The command beside the test, with its output in a file."""
    command = [CROUPIER, "watch", "--target", server.target, *arguments]
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT) as process:
        try:
            yield process
        finally:
            process.kill()


async def told(log: Path, words: str) -> str:
    """What was written, once the words are in it."""
    async with asyncio.timeout(30):
        while words not in (said := log.read_text()):
            await asyncio.sleep(0.02)
    return said


def public(table: Table) -> tuple[object, ...]:
    """What a watcher is shown of a table, pots included."""
    hand = table.hand
    seats = [(seat.seat_number, seat.player_id, seat.stack, seat.state) for seat in table.seats]
    playing = [
        (
            seat.seat_number,
            seat.street_bet,
            seat.contribution,
            seat.folded,
            seat.all_in,
            tuple(seat.hole_cards),
        )
        for seat in hand.seats
    ]
    pots = [(pot.amount, tuple(pot.eligible_seats)) for pot in hand.pots]
    return seats, playing, pots, list(hand.board), hand.street, hand.hand_id, table.button_seat, table.state


def folded_up(watched: WatchedTable) -> Table:
    """The watched table in the contract's form; a hand that is over counts as none."""
    table = Table()
    table.CopyFrom(watched.table)
    del table.seats[:], table.hand.seats[:]
    table.seats.extend(watched.seats[number] for number in sorted(watched.seats))
    if watched.over:
        table.ClearField("hand")
    else:
        table.hand.seats.extend(watched.hand[number] for number in sorted(watched.hand))
    return table


@pytest.mark.parametrize("seed", range(3))
async def test_events_lead_to_what_the_server_says(tmp_path: Path, seed: int) -> None:
    """R-P1: pots too, after every action; in the first hand short stacks go all in, two others play on."""
    random = Random(seed)
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        table_id = await backend.open_table(pause=None)
        for seat, amount in enumerate((20, 45, 70, 100), start=1):
            await backend.sit(table_id, f"player-{seat}", seat, amount)
        stream = Watching(backend.stream(table_id))
        await stream.until(lambda it: bool(it.messages))
        watched = WatchedTable(stream.messages[0].snapshot)
        applied = side_pots = 0
        decision = await backend.dealt(table_id)
        for _ in range(60):
            if not decision.player_id:
                break
            action, amount = choice(decision, random)
            if number_of(decision) == 1:
                legal = decision.legal_actions
                quiet = ACTION_KIND_CHECK if legal.can_check else ACTION_KIND_CALL
                action, amount = (ACTION_KIND_ALL_IN if decision.seat_number < 3 else quiet), 0
            decision = (await backend.act(table_id, decision, action, amount)).next_decision
            table = await backend.get_table(table_id)
            await stream.reach(table.sequence)
            events = [event for event in stream.events if event.sequence <= table.sequence]
            for event in events[applied:]:
                watched.apply(event)
            applied = len(events)
            assert public(folded_up(watched)) == public(table)
            side_pots += len(table.hand.pots) > 1
        await stream.cancel()
    assert applied > 10
    assert side_pots


async def test_tables_are_listed_and_shown_once(server: ServerProcess) -> None:
    assert watch(server).stdout == "no table is open\n"
    async with Croupier(server.target) as client:
        table = await LiveTable.open(client, ("anna", "bert"))
        listed = watch(server)
        assert (listed.returncode, listed.stderr) == (0, "")
        assert re.search(rf"{table.table_id} .* 2 of 6 +open", listed.stdout)
        decision = await table.decision()
        shown = watch(server, table.table_id, "--once")
        assert (shown.returncode, shown.stderr) == (0, "")
        assert re.search(r"hand 1, preflop +pot 3: bets 3", shown.stdout)
        assert re.search(rf"{decision.player_id}.* to act, \d+ s", shown.stdout)
        assert "♠" not in shown.stdout
        own = watch(server, table.table_id, "--once", "--player", decision.player_id)
        assert len(re.findall(r"[2-9TJQKA][♣♦♥♠]", own.stdout)) == 2


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
async def test_what_the_output_cannot_be_written_is_told_otherwise(
    server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    log = tmp_path / "watched"
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    async with Croupier(server.target) as client:
        table = await LiveTable.open(client, ("anna", "bert"), called="Cafe\u0301 \u2660")
        with watching(server, log, table.table_id) as process:
            await told(log, "Cafe s, holdem")
            for _ in range(2):
                await table.act(await table.decision())
            said = await told(log, "flop: ")
            process.send_signal(signal.SIGINT)
            assert process.wait(10) == 0
        listed = watch(server, encoding=encoding)
        assert (listed.returncode, listed.stderr) == (0, "")
        assert re.search(rf"{table.table_id}[ |]+Cafe s ", listed.stdout)
        shown = watch(server, table.table_id, "--once", encoding=encoding)
        assert (shown.returncode, shown.stderr) == (0, "")
        board = re.search(r"flop: (.*)", said)
        assert board is not None
        assert f"hand 1, flop   {board[1]}   pot" in shown.stdout


async def test_a_line_an_event_through_a_restart_to_the_end(server: ServerProcess, tmp_path: Path) -> None:
    log = tmp_path / "watched"
    async with Croupier(server.target, retry=PATIENT) as client:
        table = await LiveTable.open(client, ("anna", "bert"))
        with watching(server, log, table.table_id) as process:
            await told(log, "2 of 6 seats taken")
            await table.act(await table.decision())
            await told(log, "calls 1")
            assert server.stop() == 0
            server.start()
            await table.act(await table.decision())
            said = await told(log, "flop: ")
            await client.close_table(table.table_id)
            for _ in range(10):
                decision = (await client.get_table(table.table_id)).next_decision
                if not decision.player_id:
                    break
                await table.act(await table.decision())
            await told(log, "The table is closed.")
            assert process.wait(30) == 0
    said = log.read_text()
    sequences = [int(number) for number in re.findall(r"^ *(\d+) ", said, re.M)]
    assert set(range(sequences[0], sequences[-1] + 1)) == set(sequences)
    assert sequences == sorted(sequences)
    assert said.count("calls 1") == said.count("flop: ") == 1


@pytest.mark.parametrize(("output", "status"), [("| true", 0), (">/dev/full", 2)])
async def test_it_ends_where_it_cannot_be_read(server: ServerProcess, output: str, status: int) -> None:
    async with Croupier(server.target) as client:
        table = await LiveTable.open(client)
    for once in ("", "--once"):
        command = f"{CROUPIER} watch {table.table_id} --target {server.target} {once} {output}"
        done = await asyncio.create_subprocess_exec(
            "bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}", stderr=subprocess.PIPE
        )
        _, said = await asyncio.wait_for(done.communicate(), 20)
        assert (done.returncode, len(said.splitlines())) == (status, 1 if status else 0)


async def test_ctrl_c_ends_it_well(server: ServerProcess, tmp_path: Path) -> None:
    log = tmp_path / "watched"
    async with Croupier(server.target) as client:
        table = await LiveTable.open(client)
        with watching(server, log, table.table_id) as process:
            await told(log, "0 of 6 seats taken")
            process.send_signal(signal.SIGINT)
            assert process.wait(10) == 0
    assert "Traceback" not in log.read_text()


async def test_a_terminal_is_shown_the_table(server: ServerProcess) -> None:
    async with Croupier(server.target) as client:
        table = await LiveTable.open(client, ("anna", "bert"))
        leader, follower = pty.openpty()
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
        command = [CROUPIER, "watch", table.table_id, "--target", server.target]
        with subprocess.Popen(command, stdout=follower, stderr=follower, env=environment) as process:
            os.close(follower)
            shown = await asyncio.to_thread(read_until, leader, b" s\x1b")
            process.send_signal(signal.SIGTERM)
            shown += await asyncio.to_thread(read_until, leader, b"\x1b[?25h")
            assert process.wait(10) == 0
        os.close(leader)
    assert b"to act, " in shown
    assert table.named("anna").encode() in shown


def read_until(terminal: int, words: bytes) -> bytes:
    """What comes, up to the words."""
    shown, until = b"", time.monotonic() + 20
    while words not in shown:
        assert time.monotonic() < until, shown
        shown += os.read(terminal, 65536)
    return shown


def test_what_cannot_be_watched_is_told_with_what_to_do(server: ServerProcess, tmp_path: Path) -> None:
    foreign = watch(server, "\u2660", encoding="latin-1")
    assert (foreign.returncode, foreign.stdout) == (2, "")
    assert "there is no table s;" in foreign.stderr
    unknown = watch(server, "nowhere")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "there is no table nowhere; croupier watch without a table lists" in unknown.stderr
    half = watch(server, "--cert", str(tmp_path / "a.pem"))
    assert half.returncode == 2
    assert "--cert, --key and --ca are given together" in half.stderr
    server.stop()
    away = watch(server, "nowhere")
    assert away.returncode == 2
    assert f"{server.target} does not answer" in away.stderr
    assert "--target" in away.stderr


async def test_credentials_decide_what_is_seen(tmp_path: Path) -> None:
    secret = Secret(tmp_path)
    server = ServerProcess(tmp_path)
    try:
        server.start("--jwt-secret-file", str(secret.file))
        without = watch(server)
        assert without.returncode == 2
        assert "--token-file" in without.stderr
        token = tmp_path / "token"
        token.write_text(secret.token("observer", "olga"))
        assert watch(server, "--token-file", str(token)).stdout == "no table is open\n"
        async with Croupier(server.target, token=secret.token("backend", "game")) as client:
            table = await LiveTable.open(client)
        seen = watch(server, table.table_id, "--once", "--token-file", str(token))
        assert (seen.returncode, "no hand is in play" in seen.stdout) == (0, True)
        refused = watch(server, table.table_id, "--player", "ann", "--token-file", str(token))
        assert refused.returncode == 2
        assert "leave --player out" in refused.stderr
    finally:
        server.kill()
