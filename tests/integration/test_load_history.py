"""`croupier load` holds what its clients were told against the service's history, through a proxy that cheats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.bench.processes import serving
from tests.integration.lying_proxy import Meddle, Refuse, Send, lying
from tests.support.true_history import logged

from croupier.client import Croupier, CroupierError, Retry
from croupier.client.load import Plan, Report, run
from croupier.client.load.history.check import Told, check
from croupier.client.load.history.log import Log
from croupier.client.load.history.recorder import RecordedCroupier, Recorder
from croupier.v1.betting_service_pb2 import ActRequest
from croupier.v1.hand_pb2 import ActionKind
from croupier.v1.house_pb2 import BetStructure, Game
from croupier.v1.settlement_service_pb2 import DepositRequest
from croupier.v1.table_pb2 import Preferences
from croupier.v1.table_service_pb2 import GetTableResponse, WatchTableResponse
from croupier.v1.table_service_pb2_grpc import TableServiceStub


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("store") / "croupier.db") as server:
        yield server.target


def plan(target: str, **changes: Any) -> Plan:
    return Plan(target, tables=2, players_per_table=3, seconds=0.6, probes=0)._replace(**changes)


async def meddled(target: str, meddle: Meddle) -> Report:
    async with lying(target, meddle=meddle) as proxy:
        return await run(plan(proxy))


def told(report: Report, kind: str, *words: str) -> bool:
    """Whether there is a finding of a kind with all the words."""
    return any(
        wrong.startswith(f"{kind} ") and all(word in wrong for word in words) for wrong in report.wrong
    )


async def test_a_deposit_acknowledged_and_not_made_is_lost(target: str) -> None:
    first: list[str] = []

    async def meddle(name: str, request: bytes, _send: Send) -> bytes | None:
        if name != "Deposit" or first:
            return None
        first.append(DepositRequest.FromString(request).request_id)
        return b""

    report = await meddled(target, meddle)
    assert told(report, "LOST", "deposit of", f"request {first[0]}", "0 in the ledger"), report.wrong


async def test_a_deposit_made_twice_is_doubled(target: str) -> None:
    async def meddle(name: str, request: bytes, send: Send) -> bytes | None:
        if name == "Deposit":
            again = DepositRequest.FromString(request)
            again.request_id = f"again-{again.request_id}"[:64]
            await send(again.SerializeToString())
        return None

    assert told(await meddled(target, meddle), "DOUBLED", "1 acknowledged, 2 in the ledger")


async def test_an_action_that_no_client_sent_is_invented(target: str) -> None:
    """The proxy folds for a player whose own action is refused as stale then."""
    acts = 0

    async def meddle(name: str, request: bytes, send: Send) -> bytes | None:
        nonlocal acts
        acts += name == "Act"
        if name == "Act" and acts == 20:
            own = ActRequest.FromString(request)
            own.request_id, own.action, own.amount = "own", ActionKind.ACTION_KIND_FOLD, 0
            await send(own.SerializeToString())
        return None

    report = await meddled(target, meddle)
    assert told(report, "INVENTED", "was refused with DECISION_STALE, yet fold"), report.wrong


async def test_a_read_of_the_past_is_stale(target: str) -> None:
    seen: dict[str, bytes] = {}

    def lie(name: str, message: bytes) -> bytes:
        if name != "GetTable":
            return message
        return seen.setdefault(GetTableResponse.FromString(message).table.table_id, message)

    async with lying(target, lie) as proxy:
        report = await run(plan(proxy))
    assert told(report, "STALE", "GetTable came to sequence"), report.wrong


async def test_a_history_that_changes_after_it_was_told_is_altered(target: str) -> None:
    """The watcher at the table hears a call, whoever reads the history later another one."""
    heard: set[tuple[int, int]] = set()

    def lie(name: str, message: bytes) -> bytes:
        if name != "WatchTable":
            return message
        response = WatchTableResponse.FromString(message)
        for event in response.events.events:
            key = (event.event_time.ToNanoseconds(), event.sequence)
            if event.HasField("called") and key in heard:
                event.called.paid += 1
            heard.add(key)
        return response.SerializeToString()

    async with lying(target, lie) as proxy:
        report = await run(plan(proxy))
    assert told(report, "ALTERED", "a watcher was told other events than stand there"), report.wrong
    assert told(report, "ALTERED", "request act-", "answered as"), report.wrong


async def test_an_answer_that_never_comes_accuses_nobody(target: str, tmp_path: Path) -> None:
    """Actions that were done, but whose answers are lost: they may be in the history."""
    acts, path = 0, tmp_path / "history.jsonl"

    def lie(name: str, message: bytes) -> bytes:
        nonlocal acts
        acts += name == "Act"
        if name == "Act" and acts % 10 == 0:
            raise Refuse
        return message

    async with lying(target, lie) as proxy:
        report = await run(plan(proxy, history=path))
    assert report.operations_unknown > 2
    assert all("a legal action got INTERNAL" in wrong for wrong in report.wrong), report.wrong
    unknown = [one for of_table in logged(path).values() for one in of_table if one.outcome == "unknown"]
    assert len(unknown) == report.operations_unknown
    assert json.loads(path.read_text().splitlines()[0])["method"] == "ListHouses"


async def at_a_table_of_its_own(croupier: Croupier) -> None:
    """Most of what can be asked for at a table, in a hand and between hands."""
    table = await croupier.create_table(
        "poker_ocean",
        BetStructure.BET_STRUCTURE_NO_LIMIT,
        20,
        3,
        game=Game.GAME_HOLDEM,
        hand_pause=timedelta(0),
    )
    name, most = table.table_id, table.options.stakes.max_buy_in
    players = [f"{name}-{number}" for number in range(1, 5)]
    await croupier.pause_table(name)
    for number, player in enumerate(players[:3], start=1):
        await croupier.deposit(player, table.options.currency, 10 * most)
        await croupier.reserve_seat(name, player, number)
        await croupier.buy_in(name, player, most // 2)
    await croupier.rebuy(name, players[0], 1)
    await croupier.deposit(players[3], table.options.currency, most)
    await croupier.join_waiting_list(name, players[3])
    await croupier.leave_waiting_list(name, players[3])
    await croupier.set_preferences(name, players[0], Preferences(show_losing_hands=True))
    await croupier.sit_out(name, players[2])
    await croupier.sit_in(name, players[2])
    await croupier.resume_table(name)
    for player in players[:2]:
        await croupier.rebuy(name, player, 5)
    await croupier.sit_out(name, players[2])
    await croupier.cash_out(name, players[1])
    await croupier.pause_table(name)
    while (await croupier.get_table(name)).HasField("next_decision"):
        standing = (await croupier.get_table(name)).next_decision
        decision = (await croupier.get_legal_actions(name, standing.player_id)).decision
        legal = decision.legal_actions
        action = ActionKind.ACTION_KIND_CHECK if legal.can_check else ActionKind.ACTION_KIND_CALL
        await croupier.act(name, decision, action)
    with pytest.raises(CroupierError, match="PLAYER_NOT_SEATED"):
        await croupier.sit_out(name, players[1])
    await croupier.reserve_seat(name, players[1], 2)
    await croupier.release_seat(name, players[1])
    await croupier.dismiss(name, players[2])
    await croupier.withdraw(players[2], table.options.currency, 7)
    await croupier.close_table(name)


async def test_whatever_is_asked_for_is_found_in_the_history(target: str) -> None:
    with Log() as log:
        recorder = Recorder(log)
        async with RecordedCroupier(target, recorder, retry=Retry(attempts=1)) as croupier:
            await at_a_table_of_its_own(croupier)
        recorder.close()
        async with Croupier(target) as reader:
            checked = await check(reader, TableServiceStub(reader.channel).WatchTable, Told(log, {}))
    assert [str(finding) for finding in checked.findings] == []
    assert (checked.tables, checked.unknown) == (1, 0)
    assert checked.operations > 40
