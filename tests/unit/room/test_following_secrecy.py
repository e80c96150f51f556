"""What a table's owner tells other servers: as it is stored, sealed where it is concealed."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.followed import TABLES, Servers, play_on, seated, viewers

from croupier.cards import cards_text
from croupier.engine import events as ev
from croupier.engine.actions import FOLD
from croupier.room.actor import TableActor
from croupier.room.seal import Seal, SealBroken
from croupier.room.table_news import Recorded, TableStatus, news_of

AUDITOR = X25519PrivateKey.generate().public_key().public_bytes_raw().hex()
SEALS: list[dict[str, Any]] = [
    {},
    {"hand_keys": "destroy"},
    {"hand_keys": "escrow", "auditor_key": AUDITOR},
]


@pytest.mark.parametrize("rules", SEALS, ids=["kept", "destroyed", "in escrow"])
@pytest.mark.parametrize("game", TABLES)
def test_no_concealed_card_crosses_the_bus_in_clear(game: str, rules: dict[str, Any]) -> None:
    """R-T14: what crosses it is what the store keeps, sealed as it is there, and no sequence of cards held."""

    async def scenario(runtime: SimulatedRuntime) -> None:
        servers = Servers(await seated(runtime, game, 4, **rules))
        beside = servers.beside("beside")
        table = servers.table
        for viewer in viewers(table.actor):
            beside.watch(table.table_id, viewer)
        await runtime.idle()
        random, held = Random(game), set[bytes]()
        while len(table.heard(ev.HandStarted)) < 8:
            note(held, table.actor)
            await play_on(table, random)
            note(held, table.actor)
            if random.random() < 0.2:
                await fold_out(table, table.actor.table.carried.hand_number)
        shown = {event.cards for event in table.heard(ev.HoleCardsShown)}
        concealed = {cards for cards in held if len(cards) >= 4 and cards not in shown}
        assert len(concealed) >= 8
        told = [data for _, data in servers.wires.published]
        for cards in concealed:
            assert not any(cards in data or in_text(cards) in data for data in told)
        must_be_as_stored(servers, told)

    simulated(8)(scenario)()


async def fold_out(table: SimulatedTable, hand_number: int) -> None:
    """Those who may fold do, until the hand is over."""
    while (decision := table.actor.decision()) is not None and decision.hand_number == hand_number:
        if not decision.legal.can_fold:
            return
        await table.act(FOLD)


def note(held: set[bytes], actor: TableActor) -> None:
    """Every hand held, and all of them together."""
    hand = actor.table.hand
    if hand is not None:
        held |= {*hand.hole_cards, b"".join(hand.hole_cards)}


def in_text(cards: bytes) -> bytes:
    return "".join(cards_text(cards)).encode()


def must_be_as_stored(servers: Servers, told: list[bytes]) -> None:
    stored = {record.journal_sequence: record for record in servers.table.store.kept(servers.table.table_id)}
    stranger = Seal(bytes([1]) * 32)
    sealed = 0
    for news in map(news_of, told):
        if isinstance(news, Recorded):
            row = news.row
            assert msgspec.structs.astuple(row) == msgspec.structs.astuple(stored[row.journal_sequence])
            if news.hand_key:
                with pytest.raises(SealBroken):
                    stranger.hold(row.table_id, news.hand_key)
            if row.sealed is not None:
                sealed += 1
                with pytest.raises(SealBroken):
                    stranger.open(row, servers.table.actor.table.carried.hand_number)
        else:
            assert isinstance(news, TableStatus), "nothing else is told"
    assert sealed > 3
