"""Keys and their mark: of a hand in play whose house destroys keys, the row must be there and open."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.support import operator_house
from tests.support.audited import audited, changed, copied
from tests.support.live import Backend, running

from croupier.v1 import house_pb2


@pytest.fixture(scope="module")
def in_play(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a hand in play, whose key is destroyed as it settles."""
    directory = tmp_path_factory.mktemp("keyed")
    houses = directory / "houses"
    houses.mkdir()
    (houses / "back_room.toml").write_text(f'{operator_house.TEXT}\n[seal]\nhand_keys = "destroy"\n')

    async def play() -> None:
        async with (
            running(directory, house_dir=str(houses)) as server,
            Backend(f"127.0.0.1:{server.port}") as backend,
        ):
            table = await backend.create_table(
                operator_house.HOUSE_ID, house_pb2.BET_STRUCTURE_NO_LIMIT, 2, 6, game=house_pb2.GAME_HOLDEM
            )
            for seat, player in enumerate(("anna", "bert"), start=1):
                await backend.deposit(player, "EUR", 1000)
                await backend.reserve_seat(table.table_id, player, seat)
                await backend.buy_in(table.table_id, player, 100)
            await backend.check_or_call(table.table_id, await backend.dealt(table.table_id))

    asyncio.run(play())
    return directory / "croupier.db"


def test_a_hand_in_play_has_its_key(in_play: Path) -> None:
    assert audited(in_play, redecide=True).findings == []


@pytest.mark.parametrize(
    ("change", "with_key"),
    [
        ("DELETE FROM hand_keys", False),
        ("UPDATE hand_keys SET hand_key = x''", False),
        ("UPDATE hand_keys SET hand_key = CAST(x'00' || hand_key AS BLOB)", False),
        (
            "UPDATE hand_keys SET hand_key = CAST(substr(hand_key, 1, 60) || x'0000000000000000' AS BLOB)",
            True,
        ),
        ("UPDATE hand_keys SET table_key = table_key + 1", False),
        ("UPDATE master_key SET mark = substr(mark, 1, 31)", False),
        ("UPDATE master_key SET mark = CAST(x'00' || substr(mark, 2) AS BLOB)", True),
    ],
)
def test_a_spoilt_key_is_found(in_play: Path, tmp_path: Path, change: str, with_key: bool) -> None:
    """What is spoilt inside is found by whoever has the master key."""
    store = copied(in_play, tmp_path)
    changed(store, "PRAGMA foreign_keys = OFF", change)
    assert audited(store, redecide=with_key).findings
