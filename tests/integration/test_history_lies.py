"""The history checker finds every lie about what bots really did, names it, and raises nothing about the truth."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import uvloop
from tests.bench.processes import serving
from tests.integration.load.restarts import killed_in_play
from tests.support.history_lies_told import LIES
from tests.support.server import ServerProcess
from tests.support.true_history import Truth, logged, played

from croupier.client.load import Plan, run
from croupier.client.load.dice import Dice
from croupier.client.load.history.operation import Outcome
from croupier.client.load.mix import TableKind

TRIES: Final = 500


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("store") / "croupier.db") as server:
        yield server.target


@pytest.fixture(scope="module")
def truths(target: str, tmp_path_factory: pytest.TempPathFactory) -> list[Truth]:
    """Tables of three games, small enough to be checked hundreds of times; at one more the server was killed."""
    plan = Plan(target, tables=3, seconds=0.7, probes=150, players_per_table=4)
    hi_lo = TableKind("poker_ocean", "omaha_hi_lo", "pot_limit", 60)
    found: list[Truth] = []
    for kind in (TableKind(), TableKind("five_aces"), hi_lo):
        directory = tmp_path_factory.mktemp("log")
        found += uvloop.run(played(plan._replace(mix=(kind,)), directory))
    found += uvloop.run(over_a_restart(plan, tmp_path_factory.mktemp("killed")))
    return found


async def over_a_restart(plan: Plan, directory: Path) -> list[Truth]:
    """Of a server that is killed meanwhile: of some requests it is not known what became."""
    server = ServerProcess(directory)
    server.start()
    try:
        async with asyncio.TaskGroup() as group:
            killed = plan._replace(target=server.target, tables=1, operations=120)
            playing = group.create_task(played(killed, directory))
            await killed_in_play(server)
    finally:
        server.kill()
    return playing.result()


def test_the_truth_raises_nothing(truths: list[Truth]) -> None:
    assert [truth.findings() for truth in truths] == [[] for _ in truths]
    assert sum(len(truth.operations) for truth in truths) > 300
    assert any(one.tries or not one.ended for one in truths[-1].operations)


def test_every_lie_is_found_and_named(truths: list[Truth]) -> None:
    """Each of them many times, here and there."""
    dice = Dice(7)
    missed, told = [], 0
    for number in range(TRIES):
        name = list(LIES)[number % len(LIES)]
        truth = truths[dice.below(len(truths))].copy()
        chance = dice.below(1 << 20)
        if not LIES[name].tell(truth, chance):
            continue
        told += 1
        findings = truth.findings()
        if not LIES[name].kinds & {finding.kind for finding in findings}:
            missed.append((name, chance, [str(finding) for finding in findings[:3]]))
    assert not missed, f"{len(missed)} of {told}: {[name for name, *_ in missed]} {missed[:3]}"
    assert told > TRIES * 0.95


def test_what_got_no_answer_may_be_there_or_not(truths: list[Truth]) -> None:
    """Every tenth answer is forgotten, and requests are added of which nothing came."""
    for truth in (truth.copy() for truth in truths):
        repeated = [one.request_id for one in truth.operations]
        for number, one in enumerate(truth.operations):
            if (
                one.method == "Act"
                and one.answered
                and number % 10 == 0
                and repeated.count(one.request_id) == 1
            ):
                one.outcome, one.ended, one.sequence, one.standing = Outcome.UNKNOWN, 0, 0, None
                one.done = one.paid = one.street_bet = 0
                one.all_in = False
        lost = truth.copy().operations[-20:]
        for one in lost:
            one.request_id, one.outcome, one.sequence, one.hand_id = "lost", Outcome.UNKNOWN, 0, "never"
        truth.operations.extend(one for one in lost if one.method == "Act")
        assert truth.findings() == []


def test_findings_say_where_which_request_and_what_to_do(truths: list[Truth]) -> None:
    truth = truths[0].copy()
    LIES["an_action_told_as_refused"].tell(truth, 5)
    (finding,) = truth.findings()
    assert str(finding).startswith(
        f"INVENTED table {truth.table_id} at sequence {finding.sequence}, request act-"
    )
    assert "was refused with TABLE_BUSY, yet" in str(finding)
    assert str(finding).endswith("who did this")


@pytest.mark.timeout(300)
async def test_tens_of_thousands_of_true_operations_raise_none(target: str, tmp_path: Path) -> None:
    """As many as are played in some seconds: a million, `make history` plays."""
    path = tmp_path / "history.jsonl"
    report = await run(Plan(target, tables=12, players_per_table=6, seconds=12, probes=50, history=path))
    assert report.wrong == []
    assert report.operations == sum(len(of_table) for of_table in logged(path).values())
    assert report.operations > report.acknowledged > 2_000
    assert report.history_events > report.acknowledged
    assert report.watched_sequences > report.acknowledged
