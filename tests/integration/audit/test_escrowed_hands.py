"""A house that puts keys in escrow, from a client's entropy to the auditor's key: over gRPC, on disk, offline."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from google.protobuf.json_format import MessageToDict
from tests.support import operator_house
from tests.support.live import Backend, running
from tests.support.verifying import verdicts
from typer.testing import CliRunner, Result

from croupier.cli.main import app
from croupier.client import Refused
from croupier.v1 import hand_pb2, house_pb2
from croupier.v1.table_pb2 import Table

PLAYERS = ("anna", "bert")


class Escrow:
    """An auditor's key, and the folder of a house that wraps its hands' keys to it."""

    def __init__(self, directory: Path) -> None:
        self.key = directory / "auditor.pem"
        private = X25519PrivateKey.generate()
        self.key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        self.houses = directory / "houses"
        self.houses.mkdir()
        public = private.public_key().public_bytes_raw().hex()
        text = f'{operator_house.TEXT}\n[seal]\nhand_keys = "escrow"\nauditor_key = "{public}"\n'
        (self.houses / "back_room.toml").write_text(text)


def audit(directory: Path, *options: str | Path) -> Result:
    store = f"sqlite:{directory / 'croupier.db'}"
    return CliRunner().invoke(app, ["audit", "--store", store, *map(str, options)])


async def told(backend: Backend, table_id: str) -> Table:
    return await backend.get_table(table_id, "anna")


async def check_down(backend: Backend, table_id: str, number: int) -> None:
    while (table := await told(backend, table_id)).hand.hand_id == f"{table_id}/{number}":
        decision = table.next_decision
        legal = (await backend.get_legal_actions(table_id, decision.player_id)).decision
        can_check = legal.legal_actions.can_check
        action = hand_pb2.ACTION_KIND_CHECK if can_check else hand_pb2.ACTION_KIND_CALL
        await backend.act(table_id, legal, action)


async def open_table(backend: Backend) -> str:
    table = await backend.create_table(
        operator_house.HOUSE_ID,
        house_pb2.BET_STRUCTURE_NO_LIMIT,
        2,
        6,
        game=house_pb2.GAME_HOLDEM,
        hand_pause=timedelta(seconds=1),
    )
    for seat, player in enumerate(PLAYERS, start=1):
        await backend.deposit(player, "EUR", 1000)
        await backend.reserve_seat(table.table_id, player, seat)
        await backend.buy_in(table.table_id, player, 100)
    return table.table_id


async def started(backend: Backend, table_id: str, number: int) -> Table:
    while (table := await told(backend, table_id)).hand.hand_id != f"{table_id}/{number}":
        await asyncio.sleep(0.02)
    return table


async def play(backend: Backend) -> tuple[str, list[dict[str, Any]], list[str]]:
    """Two hands, the second dealt with both players' entropy; what is proved of them, and anna's cards."""
    table_id = await open_table(backend)
    await started(backend, table_id, 1)
    secrets = {player: token_bytes(32) for player in PLAYERS}
    for player, entropy in secrets.items():
        answer = await backend.commit_entropy(table_id, player, sha256(entropy).digest())
        assert answer.hand_id == f"{table_id}/2"
    await check_down(backend, table_id, 1)
    coming = (await told(backend, table_id)).coming_deal
    assert coming.hand_id == f"{table_id}/2"
    assert len(coming.deck_roots) == 1
    with pytest.raises(Refused, match="ENTROPY_MISMATCHED"):
        await backend.reveal_entropy(table_id, "anna", coming.hand_id, bytes(32))
    for player, entropy in secrets.items():
        await backend.reveal_entropy(table_id, player, coming.hand_id, entropy)
    table = await started(backend, table_id, 2)
    cards = [card for seat in table.hand.seats if seat.player_id == "anna" for card in seat.hole_cards]
    await check_down(backend, table_id, 2)
    await asyncio.sleep(0.7)
    proofs = [await backend.verify_hand(f"{table_id}/{number}", "anna") for number in (1, 2)]
    assert list(proofs[1].deal.deck_roots) == list(coming.deck_roots)
    assert {share.player_id: share.entropy for share in proofs[1].deal.shares} == secrets
    await started(backend, table_id, 3)
    return table_id, [MessageToDict(proof) for proof in proofs], cards


def test_a_hand_with_entropy_is_proved_and_the_auditor_opens_it(tmp_path: Path) -> None:
    escrow = Escrow(tmp_path)

    async def scenario() -> tuple[str, list[dict[str, Any]], list[str]]:
        async with (
            running(tmp_path, house_dir=str(escrow.houses)) as server,
            Backend(f"127.0.0.1:{server.port}") as backend,
        ):
            return await play(backend)

    table_id, proofs, cards = asyncio.run(scenario())
    assert verdicts(proofs) == ["proved: 9 cards", "proved: 9 cards"]
    opened = audit(tmp_path, "--hand", f"{table_id}/2", "--key", escrow.key, "--json")
    assert opened.exit_code == 0, opened.output
    hand = json.loads(opened.output)
    assert hand["as_committed"] is True
    assert {seat["player_id"]: seat["dealt"] for seat in hand["seats"]}["anna"] == cards
    proved = {opening["card"] for opening in proofs[1]["openings"]}
    assert proved == {*hand["board"], *(card for seat in hand["seats"] for card in seat["held"])}
    text = audit(tmp_path, "--hand", f"{table_id}/2", "--key", escrow.key)
    assert "the decks are those committed to before the first card" in text.output
    refused = audit(tmp_path, "--hand", f"{table_id}/3", "--key", escrow.key)
    assert refused.exit_code == 2
    assert "still played" in refused.output
    assert audit(tmp_path, "--hand", f"{table_id}/9", "--key", escrow.key).exit_code == 2
    assert audit(tmp_path, "--hand", f"{table_id}/2").exit_code == 2
    other = tmp_path / "other"
    other.mkdir()
    wrong = audit(tmp_path, "--hand", f"{table_id}/2", "--key", Escrow(other).key)
    assert wrong.exit_code == 2
    assert "another auditor's" in wrong.output
    redecided = audit(tmp_path, "--redecide")
    assert redecided.exit_code == 0, redecided.output
