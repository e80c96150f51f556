"""`croupier load` finds a true server true, and any server that lies false."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hdrh.histogram import HdrHistogram  # type: ignore[import-untyped]
from tests.bench.processes import CROUPIER, serving
from tests.integration.lying_proxy import Accept, Lie, Refuse, lying

from croupier.client.load import Plan, Report, TableKind, run
from croupier.v1.betting_service_pb2 import ActResponse
from croupier.v1.hand_pb2 import ActionKind
from croupier.v1.settlement_service_pb2 import GetBalanceResponse, ListEntriesResponse
from croupier.v1.table_service_pb2 import WatchTableResponse

AFTER = 10


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own process, for all tests of this module."""
    with serving(tmp_path_factory.mktemp("store") / "croupier.db") as server:
        yield server.target


def plan(target: str, **changes: Any) -> Plan:
    return Plan(target, tables=3, players_per_table=3, seconds=0.6, probes=100)._replace(**changes)


async def load_command(target: str, *arguments: str) -> tuple[int, str]:
    """Exit status and output of the command."""
    process = await asyncio.create_subprocess_exec(
        CROUPIER,
        "load",
        f"--target={target}",
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode()


async def test_bots_draw(target: str) -> None:
    """Nine at each table, so that stubs are reshuffled (R-H8); what is no draw is probed in the draw."""
    report = await run(plan(target, mix=(TableKind("five_aces"),), players_per_table=9, seconds=2))
    assert not report.wrong
    assert report.hands


def honest(_name: str, message: bytes) -> bytes:
    return message


async def test_a_true_server_passes_and_the_figures_are_written(target: str, tmp_path: Path) -> None:
    path = tmp_path / "load.json"
    status, output = await load_command(target, "--tables=4", "--seconds=2", "--probes=100", f"--json={path}")
    assert status == 0, output
    assert "every answer was right" in output
    figures = json.loads(path.read_text())
    assert figures["wrong"] == []
    assert figures["acts"] > 50
    assert figures["hands"] > 10
    assert figures["probes"] > 5
    assert figures["ledger_entries"] > figures["hands"]
    act = figures["latency"]["Act"]
    assert act["calls"] > 50
    assert 0 < act["p50_ms"] <= act["p90_ms"] <= act["p99_ms"] <= act["p999_ms"] <= act["max_ms"]
    assert HdrHistogram.decode(act["hdr"]).get_total_count() == act["calls"]
    assert figures["conditions"]["plan"]["tables"] == 4


@pytest.mark.parametrize(
    ("structure", "min_bet", "players"),
    [("fixed_limit", 20, 6), ("pot_limit", 200, 4), ("no_limit", 2000, 10)],
)
async def test_every_structure_can_be_played(target: str, structure: str, min_bet: int, players: int) -> None:
    kind = TableKind("puzzle_pirates", "", structure, min_bet)
    report = await run(plan(target, mix=(kind,), players_per_table=players))
    assert report.wrong == []
    assert report.acts > 0


@pytest.mark.parametrize(
    ("kind", "players"),
    [
        (TableKind("poker_ocean", "omaha_hi_lo", "pot_limit", 60), 5),
        (TableKind("poker_ocean", "omaha", "fixed_limit", 25), 4),
        (TableKind("five_aces", "", "spread_limit", 1), 9),
    ],
    ids=str,
)
async def test_every_house_can_be_played(target: str, kind: TableKind, players: int) -> None:
    report = await run(plan(target, mix=(kind,), players_per_table=players))
    assert report.wrong == []
    assert report.acts > 0


async def test_few_callers_take_turns_at_many_tables(target: str) -> None:
    report = await run(plan(target, tables=6, callers=2, watchers_per_table=2, idle_watchers=5))
    assert report.wrong == []
    assert report.watch_messages > report.acts


async def test_a_run_that_cannot_begin_exits_2(target: str) -> None:
    status, output = await load_command(target, "--house=puzzle_pirates::no_limit:3")
    assert status == 2
    assert "puzzle_pirates does not offer no_limit 3, only holdem no_limit 2, " in output


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("--house=poker_ocean:stud", "poker_ocean does not offer stud, only holdem no_limit "),
        ("--house=five_aces::no_limit:2", "does not offer no_limit 2, only five_card_draw spread_limit 1"),
        ("--house=roulette", "there is no house roulette, only five_aces, poker_ocean, puzzle_pirates"),
    ],
)
async def test_what_houses_do_not_offer_is_told_with_what_they_do(
    target: str, wanted: str, said: str
) -> None:
    status, output = await load_command(target, wanted)
    assert (status, said in output) == (2, True), output


async def test_a_server_that_lies_makes_the_command_exit_1(target: str) -> None:
    async with lying(target, act(wrong_sequence)) as proxy:
        status, output = await load_command(proxy, "--tables=2", "--seconds=0.5")
    assert status == 1
    assert "WRONG table" in output
    assert "wrong answers" in output


def act(falsify: Callable[[ActResponse], None]) -> Lie:
    """A lie about every action but the first few."""
    seen = 0

    def lie(name: str, message: bytes) -> bytes:
        nonlocal seen
        seen += name == "Act"
        if name != "Act" or seen <= AFTER:
            return message
        response = ActResponse.FromString(message)
        falsify(response)
        return response.SerializeToString()

    return lie


def wrong_sequence(response: ActResponse) -> None:
    response.sequence -= 1


def wrong_number(response: ActResponse) -> None:
    response.next_decision.action_sequence += 1


def wrong_action(response: ActResponse) -> None:
    folded = response.result.action == ActionKind.ACTION_KIND_FOLD
    response.result.action = ActionKind.ACTION_KIND_CALL if folded else ActionKind.ACTION_KIND_FOLD


def wrong_payment(response: ActResponse) -> None:
    response.result.paid += 1


def wrong_offer(response: ActResponse) -> None:
    legal = response.next_decision.legal_actions
    legal.can_check = not legal.can_check


def nobody(response: ActResponse) -> None:
    response.next_decision.ClearField("player_id")


def no_offer(response: ActResponse) -> None:
    response.next_decision.ClearField("legal_actions")


def refused(_response: ActResponse) -> None:
    raise Refuse


async def found(target: str, lie: Lie) -> Report:
    async with lying(target, lie) as proxy:
        return await run(plan(proxy, probes=0))


@pytest.mark.parametrize(
    ("falsify", "complaint"),
    [
        (wrong_sequence, "was followed by"),
        (wrong_number, "decision"),
        (wrong_action, "was answered as action"),
        (wrong_payment, "paid"),
        (wrong_offer, "can_check is"),
        (nobody, "lacks its"),
        (no_offer, "without its legal actions"),
        (refused, "a legal action got INTERNAL"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
async def test_a_lie_about_an_action_is_found(
    target: str, falsify: Callable[[ActResponse], None], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some end a table's play, which the others then wait for."""
    monkeypatch.setattr("croupier.client.load.waiting._PATIENCE", 3.0)
    report = await found(target, act(falsify))
    assert any(complaint in wrong for wrong in report.wrong), report.wrong


async def test_an_illegal_action_accepted_is_found(target: str) -> None:
    def accept(name: str) -> None:
        if name == "Act":
            raise Accept(ActResponse(sequence=1).SerializeToString())

    async with lying(target, honest, accept) as proxy:
        report = await run(plan(proxy, probes=300))
    assert any("this was accepted" in wrong for wrong in report.wrong), report.wrong
    assert 0 < report.probes_failed <= report.probes


def missing_message() -> Lie:
    seen = 0

    def lie(name: str, message: bytes) -> bytes | None:
        nonlocal seen
        seen += name == "WatchTable"
        return None if name == "WatchTable" and seen == AFTER else message

    return lie


def wrong_result(name: str, message: bytes) -> bytes:
    if name != "WatchTable":
        return message
    response = WatchTableResponse.FromString(message)
    for event in response.events.events:
        if event.HasField("hand_ended"):
            event.hand_ended.results[0].net += 1
            event.hand_ended.rake -= 1
    return response.SerializeToString()


def wrong_entry(name: str, message: bytes) -> bytes:
    if name != "ListEntries":
        return message
    response = ListEntriesResponse.FromString(message)
    for entry in response.entries[:1]:
        entry.amount += 1
    return response.SerializeToString()


def wrong_balance(name: str, message: bytes) -> bytes:
    if name != "GetBalance":
        return message
    response = GetBalanceResponse.FromString(message)
    response.balance.available += 1
    return response.SerializeToString()


@pytest.mark.parametrize(
    ("lie", "complaint"),
    [
        (missing_message(), "was followed by"),
        (wrong_result, "in the ledger"),
        (wrong_entry, "add up to"),
        (wrong_balance, "the wallet is told to hold"),
    ],
    ids=["an event lost", "a result", "a ledger entry", "a balance"],
)
async def test_a_lie_about_events_or_money_is_found(target: str, lie: Lie, complaint: str) -> None:
    report = await found(target, lie)
    assert any(complaint in wrong for wrong in report.wrong), report.wrong
