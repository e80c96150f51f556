"""What players have said in advance and prefer outlives a killed server; the time to show cards does not."""

from __future__ import annotations

import pytest
from tests.support.live_table import PATIENT, LiveTable
from tests.support.server import ServerProcess

from croupier.client import Croupier
from croupier.client.errors import Refused
from croupier.v1 import hand_pb2, table_pb2
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.hand_event_pb2 import ACTION_CAUSE_ADVANCE
from croupier.v1.house_pb2 import BET_STRUCTURE_NO_LIMIT, GAME_HOLDEM
from croupier.v1.table_service_pb2 import EventBatch

CALL_ANY = table_pb2.ADVANCE_ACTION_KIND_CALL_ANY


async def test_what_was_said_in_advance_is_done_after_a_kill(server: ServerProcess) -> None:
    async with Croupier(server.target, retry=PATIENT) as client:
        table = await LiveTable.open(client, ("anna", "bert"))
        decision = await table.decision()
        names = {table.named(name) for name in ("anna", "bert")}
        (other,) = names - {decision.player_id}
        wishes = table_pb2.Preferences(show_losing_hands=True)
        await client.set_advance_action(table.table_id, other, decision.hand_id, CALL_ANY)
        await client.set_preferences(table.table_id, other, wishes)
        before = await client.get_table(table.table_id, other)
        server.kill()
        server.start()
        after = await client.get_table(table.table_id, other)
        assert after.own == before.own
        assert after.own.advance_action.kind == CALL_ANY
        assert after.own.private_sequence == 2
        watch = client.watch(table.table_id, resume_after=after.sequence)
        acted = await client.act(table.table_id, decision, hand_pb2.ACTION_KIND_ALL_IN)
        called: list[TableEvent] = []
        while not called:
            news = await anext(watch)
            assert isinstance(news, EventBatch)
            called = [event for event in news.events if event.HasField("called")]
        assert called[0].sequence == acted.sequence
        assert called[0].called.cause == ACTION_CAUSE_ADVANCE
        await watch.aclose()


async def ocean_table(client: Croupier) -> str:
    """Two players at a house where cards may be shown for 5 s after a hand."""
    table = await client.create_table("poker_ocean", BET_STRUCTURE_NO_LIMIT, 2, 2, game=GAME_HOLDEM)
    for seat, name in enumerate(("anna", "bert"), start=1):
        await client.deposit(f"{table.table_id}-{name}", "USD", 1000)
        await client.reserve_seat(table.table_id, f"{table.table_id}-{name}", seat)
        await client.buy_in(table.table_id, f"{table.table_id}-{name}", 100)
    return table.table_id


async def test_cards_are_shown_until_the_server_is_killed(server: ServerProcess) -> None:
    """R-H9: folded ones too, one by one or all, to everybody; not what is not the player's."""
    async with Croupier(server.target, retry=PATIENT) as client:
        table_id = await ocean_table(client)
        while not (decision := (await client.get_table(table_id)).next_decision).player_id:
            pass
        folder = decision.player_id
        (winner,) = {f"{table_id}-{name}" for name in ("anna", "bert")} - {folder}
        held = {
            player: next(
                seat.hole_cards
                for seat in (await client.get_table(table_id, player)).hand.seats
                if seat.player_id == player
            )
            for player in (folder, winner)
        }
        with pytest.raises(Refused) as early:
            await client.show_cards(table_id, folder, decision.hand_id)
        assert early.value.reason == "SHOW_NOT_ALLOWED"
        await client.act(table_id, decision, hand_pb2.ACTION_KIND_FOLD)
        start = (await client.get_table(table_id)).sequence
        one = await client.show_cards(table_id, folder, decision.hand_id, held[folder][1:])
        rest = await client.show_cards(table_id, winner, decision.hand_id)
        with pytest.raises(Refused) as foreign:
            await client.show_cards(table_id, winner, decision.hand_id, held[folder][:1])
        assert (foreign.value.reason, foreign.value.facts) == (
            "SHOW_NOT_ALLOWED",
            {"hand_id": decision.hand_id},
        )
        shown: list[TableEvent] = []
        async for news in client.watch(table_id, resume_after=start):
            assert isinstance(news, EventBatch)
            shown += [event for event in news.events if event.HasField("cards_shown")]
            if len(shown) == 2:
                break
        assert [event.sequence for event in shown] == [one.sequence, rest.sequence]
        assert [list(event.cards_shown.cards) for event in shown] == [held[folder][1:], list(held[winner])]
        assert {event.cards_shown.hand_id for event in shown} == {decision.hand_id}
        server.kill()
        server.start()
        with pytest.raises(Refused) as late:
            await client.show_cards(table_id, winner, decision.hand_id)
        assert late.value.reason == "SHOW_NOT_ALLOWED"
