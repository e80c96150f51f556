"""Journals of every format that ever was are opened, folded to what they say, and played on."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.support.journal_maker import JOURNALS, cards_of
from tests.support.server import ServerProcess
from tests.support.survey import Survey
from tests.support.whole_fold import folded_from_all, table_state

from croupier import handrank
from croupier.adapters import key_file
from croupier.adapters.sqlite import SqliteStore
from croupier.cards import cards_text
from croupier.engine.game import holdem
from croupier.engine.hand import NOBODY
from croupier.engine.table import Table
from croupier.room import codec
from croupier.room.folding import fold
from croupier.room.seal import Seal
from croupier.v1 import hand_pb2
from croupier.v1.betting_service_pb2 import ActRequest
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub

FORMATS = sorted(int(path.stem.removeprefix("format_")) for path in JOURNALS.glob("format_*.db"))
GAME = holdem(handrank.rank_holdem)


def test_a_journal_of_every_format_is_kept() -> None:
    assert list(range(1, codec.FORMAT + 1)) == FORMATS


class Kept:
    """A kept journal, copied to where it may be written."""

    def __init__(self, number: int, directory: Path) -> None:
        kept = JOURNALS / f"format_{number}"
        self.store = directory / "croupier.db"
        shutil.copy(kept.with_suffix(".db"), self.store)
        shutil.copy(kept.with_suffix(".key"), self.store.with_suffix(".key"))
        self.store.with_suffix(".key").chmod(0o600)
        self.facts: list[dict[str, Any]] = json.loads(kept.with_suffix(".json").read_text())
        self.seal = Seal(key_file.read(self.store.with_suffix(".key")))


@pytest.fixture(params=FORMATS, ids="format {}".format)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    return Kept(request.param, tmp_path)


def facts_of(table: Table, sequence: int) -> dict[str, Any]:
    """How a folded table stands, as the kept facts say it."""
    hand, seats = table.hand, table.seats
    dealt = {} if hand is None else {seats[number].player_id: at for number, at in hand.position_of.items()}
    return {
        "table_id": table.table_id,
        "state": table.carried.state.name,
        "sequence": sequence,
        "stacks": {seat.player_id: table.chips_at(number) for number, seat in sorted(seats.items())},
        "queued": {seat.player_id: seat.queued_rebuy for seat in seats.values() if seat.queued_rebuy},
        "bets": {} if hand is None else {player: hand.contribution[at] for player, at in dealt.items()},
        "hand": 0 if hand is None else hand.number,
        "board": "" if hand is None else "".join(cards_text(hand.board)),
        "cards": {}
        if hand is None
        else {player: "".join(cards_text(hand.hole_cards[at])) for player, at in dealt.items()},
        "actor": "" if hand is None or hand.actor == NOBODY else seats[hand.seats[hand.actor]].player_id,
        "action_sequence": 0 if hand is None else hand.action_sequence,
        "transfers": [[one.kind, one.player_id, one.amount] for one in table.carried.transfers.values()],
    }


async def test_a_kept_journal_folds_to_what_it_was(kept: Kept) -> None:
    store = SqliteStore(kept.store)
    opened = {journal.table_id for journal in await store.open_tables()}
    assert opened == {fact["table_id"] for fact in kept.facts if fact["state"] != "CLOSED"}
    for fact in kept.facts:
        journal = await store.recover(fact["table_id"])
        assert journal is not None
        folded = fold(journal, GAME, kept.seal)
        assert facts_of(folded.table, folded.chain.sequence) == fact
        if folded.table.hand is not None:
            assert folded.table.hand.deal_order is not None
            assert folded.table.hand.deal_order not in kept.store.read_bytes()
        records = await store.records(fact["table_id"], 0, 1_000_000)
        assert table_state(folded_from_all(records, GAME, kept.seal)) == table_state(folded.table)
    assert not any((await store.imbalance()).values())
    await store.close()


@pytest.fixture
def reopened(kept: Kept, tmp_path: Path) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path)
    assert server.store == kept.store
    try:
        server.start()
        yield server
    finally:
        server.kill()


def test_a_server_goes_on_from_a_kept_journal(kept: Kept, reopened: ServerProcess) -> None:
    """Seats whose time ran out long ago are freed at once, so sequences may be further on."""
    with Survey(reopened.target) as survey:
        for fact in kept.facts:
            stands = survey.table(fact["table_id"])
            assert stands.sequence >= fact["sequence"]
            for player, cards in fact["cards"].items():
                assert cards_of(survey.table(fact["table_id"], player), player) == cards
            if fact["actor"]:
                assert stands.next_decision.player_id == fact["actor"]
                fold_for(survey, fact)
            for _, player, amount in fact["transfers"]:
                until(partial(nothing_reserved, survey, player))
                (seat,) = survey.table(fact["table_id"]).seats
                assert (seat.player_id, seat.stack) == (player, amount)
        until(lambda: not any(survey.accounts("reserved/").values()))
        assert sum(survey.accounts().values()) == 0


def fold_for(survey: Survey, fact: dict[str, Any]) -> None:
    """Answer the decision that stood."""
    request = ActRequest(
        request_id="on",
        table_id=fact["table_id"],
        player_id=fact["actor"],
        hand_id=f"{fact['table_id']}/{fact['hand']}",
        action_sequence=fact["action_sequence"],
        action=hand_pb2.ACTION_KIND_FOLD,
    )
    assert BettingServiceStub(survey.channel).Act(request).sequence > fact["sequence"]


def nothing_reserved(survey: Survey, player: str) -> bool:
    return survey.balance(player).reserved == 0


def until(true: Callable[[], bool]) -> None:
    """Wait for what is under way."""
    deadline = time.monotonic() + 10
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)
