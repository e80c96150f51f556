"""What becomes of a settled hand's key, as the house says: kept, destroyed, or an auditor's alone."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.draw_tables import discard, five_aces
from tests.support.verifying import answer_of, verdicts

from croupier.engine import events as ev
from croupier.engine.actions import CALL, FOLD, BetTo
from croupier.room.exchange import Discard
from croupier.room.ports import Record
from croupier.room.proofs import SECRET_BYTES
from croupier.room.seal import KeyGone, SealBroken, open_escrowed

AUDITOR = X25519PrivateKey.generate()
ESCROW = {"hand_keys": "escrow", "auditor_key": AUDITOR.public_key().public_bytes_raw().hex()}
DESTROY = {"hand_keys": "destroy"}
GONE = pytest.mark.parametrize("rules", [DESTROY, ESCROW], ids=["destroyed", "in escrow"])


async def seated(runtime: SimulatedRuntime, **rules: Any) -> SimulatedTable:
    table = await SimulatedTable.open(runtime, **rules)
    for seat, player in enumerate(("anna", "bert"), start=1):
        await table.sit(player, seat)
    return table


async def starts(table: SimulatedTable) -> list[Record]:
    """The records that hands started with."""
    records = await table.store.records(table.table_id, 0, 1_000_000)
    return [record for record in records if record.sealed is not None and b"HandStarted" in record.body]


async def own(table: SimulatedTable, number: int, player: str) -> bytes:
    record = await table.room.records.get(table.table_id, number, player)
    assert record is not None
    return next(seat.hole_cards for seat in record.seats if seat.player_id == player)


def held(table: SimulatedTable) -> dict[str, bytes]:
    hand = table.actor.table.hand
    assert hand is not None
    return dict(zip(hand.started.players, hand.hole_cards, strict=True))


def test_a_kept_key_still_opens_a_players_own_cards() -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime)
        cards = held(table)
        while table.decision.hand_number == 1:
            await table.act(FOLD)
        await table.sleep(1)
        await table.restart()
        assert {player: await own(table, 1, player) for player in cards} == cards

    scenario()


@GONE
def test_once_a_hand_has_settled_nothing_here_opens_it(rules: dict[str, Any]) -> None:
    """Not with the master key, nor with all that the store has."""

    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime, **rules)
        cards = held(table)
        while table.decision.hand_number == 1:
            await table.act(FOLD)
        await table.sleep(1)
        await table.restart()
        first, second = await starts(table)
        journal = await table.store.recover(table.table_id)
        assert journal is not None
        assert int.from_bytes(journal.hand_key[:8], "big") == 2
        seal = table.room._services.seal
        with pytest.raises(KeyGone):
            seal.open(first, 1)
        assert seal.open(second, 2)
        assert {player: await own(table, 1, player) for player in cards} == dict.fromkeys(cards, b"")
        assert cards.keys() == {"anna", "bert"}

    scenario()


@GONE
def test_a_hand_in_progress_survives_a_restart(rules: dict[str, Any]) -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime, **rules)
        cards = held(table)
        await table.check_or_call()
        await table.restart()
        assert held(table) == cards
        await table.check_down()
        await table.sleep(1)
        answer = await answer_of(table, 1)
        assert len(answer["openings"]) == 9
        assert verdicts([answer]) == ["proved: 9 cards"]

    scenario()


@GONE
def test_what_a_hand_has_shown_stays_proved(rules: dict[str, Any]) -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime, **rules)
        for number in (1, 2, 3):
            while table.decision.hand_number == number:
                await (table.act(FOLD) if number == 2 else table.check_or_call())
        await table.sleep(1)
        answers = [await answer_of(table, number, "anna") for number in (1, 2, 3)]
        assert verdicts(answers) == ["proved: 9 cards", "proved: 0 cards", "proved: 9 cards"]

    scenario()


def test_an_auditor_opens_a_hand_in_escrow() -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime, **ESCROW)
        while table.decision.hand_number == 1:
            await table.act(FOLD)
        first = (await starts(table))[0]
        opened = open_escrowed(first, 1, AUDITOR.private_bytes_raw())
        assert sorted(opened[SECRET_BYTES:]) == list(range(52))
        with pytest.raises(SealBroken, match="another auditor's"):
            open_escrowed(first, 1, X25519PrivateKey.generate().private_bytes_raw())
        with pytest.raises(SealBroken, match="another auditor's"):
            open_escrowed(first, 2, AUDITOR.private_bytes_raw())

    scenario()


@GONE
def test_draws_of_a_settled_hand_are_told_by_their_request_alone(rules: dict[str, Any]) -> None:
    """After a restart the cards discarded are known to nobody; the repeated request gets its answer all the same."""

    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await SimulatedTable.open(runtime, **{**five_aces(), **rules})
        for seat, player in enumerate(("anna", "bert"), start=1):
            await table.sit(player, seat)
        await table.act(BetTo(1))
        await table.act(CALL)
        held_cards = held(table)[table.decision.player_id]
        made = await discard(table, 2)
        request = f"request {table._requests}"
        await discard(table, 1)
        while table.decision.hand_number == 1:
            await table.act(FOLD)
        await table.restart()
        again = await table.room.act(
            "test",
            request,
            table.table_id,
            made.player_id,
            1,
            made.action_sequence,
            Discard(held_cards[:2]),
        )
        assert isinstance(again.event, ev.CardsDrawn)

    scenario()


@GONE
def test_cards_of_the_hand_before_shown_meanwhile_open_none_of_this_one(rules: dict[str, str]) -> None:
    """R-H9: not even where the same cards came again."""
    decks = iter((bytes((0, 1, 2, 3)), bytes((1, 0, 3, 2)), bytes((0, 1, 2, 3))))
    rest = bytes(range(4, 52))

    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime, show_window_ms=5000, **rules)
        first = held(table)
        await table.act(FOLD)
        assert held(table) == first
        for player in ("anna", "bert"):
            await table.show(player, 1)
        await table.act(FOLD)
        proof = await table.room.verification.of(table.table_id, 2, "")
        assert proof is not None
        assert not proof.openings

    with patch("croupier.room.actor.shuffled", lambda _: next(decks) + rest):
        scenario()
