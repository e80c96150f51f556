"""Makes what tests/journals/ keeps of the present format: a server's file, its key, and how its tables stood.

python -m tests.support.journal_maker — once for each new format; what is there already is never made anew.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.support.live_table import CURRENCY, LiveTable, quiet
from tests.support.server import ServerProcess
from tests.support.vouching import PASS

from croupier.client import Croupier
from croupier.room.codec import FORMAT
from croupier.v1.hand_pb2 import ACTION_KIND_RAISE_TO
from croupier.v1.table_pb2 import Table, TableState

JOURNALS: Final = Path(__file__).parents[1] / "journals"
SEATED: Final = ("anna", "bert", "cleo")


async def played(table: LiveTable, hands: int) -> None:
    """Hands of calls and checks, each with a raise of the least before the flop."""
    raised = ""
    while True:
        decision = await table.decision()
        if int(decision.hand_id.rpartition("/")[2]) > hands:
            return
        least = decision.legal_actions.min_raise_to
        if least and raised != decision.hand_id:
            raised = decision.hand_id
            await table.client.act(table.table_id, decision, ACTION_KIND_RAISE_TO, least)
        else:
            await table.client.act(table.table_id, decision, quiet(decision))


async def left_in_mid_hand(client: Croupier) -> LiveTable:
    """Six hands, the last on its flop; seats that play, sit out and are reserved; a rebuy that waits."""
    table = await LiveTable.open(client, SEATED, 100)
    await table.sit("dora", 4, 100)
    await played(table, 2)
    await client.sit_out(table.table_id, table.named("dora"))
    await client.rebuy(table.table_id, table.named("anna"), 25)
    await played(table, 5)
    decision = await table.decision()
    await client.act(table.table_id, decision, ACTION_KIND_RAISE_TO, decision.legal_actions.min_raise_to)
    while not (await client.get_table(table.table_id)).hand.board:
        await table.act(await table.decision())
    await client.rebuy(table.table_id, table.named("bert"), 10)
    await client.deposit(table.named("emil"), CURRENCY, 500)
    await client.reserve_seat(table.table_id, table.named("emil"), 6, vouched=PASS)
    return table


async def closed(client: Croupier) -> LiveTable:
    """A hand, then everybody is paid out."""
    table = await LiveTable.open(client, SEATED[:2])
    await played(table, 1)
    await client.close_table(table.table_id)
    while (await client.get_table(table.table_id)).HasField("hand"):
        await table.act(await table.decision())
    return table


async def left_with_a_buy_in_on_its_way(server: ServerProcess, client: Croupier) -> LiveTable:
    """The wallet has reserved it, and the table has not yet heard: the server is killed there."""
    table = await LiveTable.open(client)
    player = table.named("fred")
    await client.deposit(player, CURRENCY, 500)
    await client.reserve_seat(table.table_id, player, 2, vouched=PASS)
    server.hold.shut(after=2)
    buying = asyncio.create_task(client.buy_in(table.table_id, player, 150))
    await asyncio.to_thread(server.hold.wait)
    buying.cancel()
    return table


async def facts_of(client: Croupier, table_id: str, *players: str) -> dict[str, Any]:
    """How a table stands, cards included."""
    views = {player: await client.get_table(table_id, player) for player in players}
    table = await client.get_table(table_id)
    number = table.hand.hand_id.rpartition("/")[2]
    return {
        "table_id": table_id,
        "state": TableState.Name(table.state).removeprefix("TABLE_STATE_"),
        "sequence": table.sequence,
        "stacks": {seat.player_id: seat.stack for seat in table.seats},
        "queued": {seat.player_id: seat.queued_rebuy for seat in table.seats if seat.queued_rebuy},
        "bets": {seat.player_id: seat.contribution for seat in table.hand.seats},
        "hand": int(number or 0),
        "board": "".join(table.hand.board),
        "cards": {player: cards for player in players if (cards := cards_of(views[player], player))},
        "actor": table.next_decision.player_id,
        "action_sequence": table.next_decision.action_sequence,
        "transfers": [],
    }


def cards_of(table: Table, player: str) -> str:
    """The player's hole cards in the hand in play."""
    return "".join(card for seat in table.hand.seats if seat.player_id == player for card in seat.hole_cards)


async def make(server: ServerProcess) -> list[dict[str, Any]]:
    async with Croupier(server.target) as client:
        playing = await left_in_mid_hand(client)
        over = await closed(client)
        names = [playing.named(name) for name in (*SEATED, "dora", "emil")]
        facts = [
            await facts_of(client, playing.table_id, *names),
            await facts_of(client, over.table_id),
        ]
        waiting = await left_with_a_buy_in_on_its_way(server, client)
        fred = waiting.named("fred")
        facts.append(
            {
                "table_id": waiting.table_id,
                "state": "OPEN",
                "sequence": 2,
                "stacks": {fred: 0},
                "queued": {},
                "bets": {},
                "hand": 0,
                "board": "",
                "cards": {},
                "actor": "",
                "action_sequence": 0,
                "transfers": [["buy_in", fred, 150]],
            }
        )
    return facts


def main() -> None:
    name = JOURNALS / f"format_{FORMAT}"
    if name.with_suffix(".db").exists():
        raise SystemExit(f"{name}.db is there already")
    with tempfile.TemporaryDirectory() as directory:
        server = ServerProcess(Path(directory), holding=True)
        try:
            server.start()
            facts = asyncio.run(make(server))
        finally:
            server.kill()
        JOURNALS.mkdir(exist_ok=True)
        connection = sqlite3.connect(server.store)
        connection.execute("VACUUM INTO ?", (str(name.with_suffix(".db")),))
        connection.close()
        shutil.copy(server.store.with_suffix(".key"), name.with_suffix(".key"))
    name.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
