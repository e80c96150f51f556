"""A house whose file is taken away: its tables play on, and its chips remain their owners'."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.live import Backend
from tests.support.server import ServerProcess

from croupier.client.errors import Refused
from croupier.v1 import house_pb2

PUZZLE_PIRATES = Path(__file__).parents[2] / "service" / "croupier" / "houses" / "puzzle_pirates.toml"


async def test_chips_of_a_house_without_its_file_can_be_seen_and_withdrawn(tmp_path: Path) -> None:
    houses = tmp_path / "houses"
    houses.mkdir()
    own = PUZZLE_PIRATES.read_text().replace('"puzzle_pirates"', '"tavern"').replace('"PoE"', '"groats"')
    (houses / "tavern.toml").write_text(own)
    server = ServerProcess(tmp_path)
    server.start("--house-dir", str(houses))
    try:
        async with Backend(server.target) as backend:
            await backend.deposit("anna", "groats", 500)
            table = await backend.create_table("tavern", house_pb2.BET_STRUCTURE_NO_LIMIT, 2)
        server.kill()
        server.start()
        async with Backend(server.target) as backend:
            assert (await backend.get_balance("anna", "groats")).available == 500
            listed = await backend.list_tables("tavern")
            assert [one.table_id for one in listed.tables] == [table.table_id]
            assert (await backend.withdraw("anna", "groats", 500)).available == 0
            with pytest.raises(Refused, match="CURRENCY_UNKNOWN"):
                await backend.deposit("anna", "groats", 1)
            with pytest.raises(Refused, match="CURRENCY_UNKNOWN"):
                await backend.withdraw("bert", "groats", 1)
    finally:
        server.kill()
