"""Whatever the houses offer can be opened over gRPC, and hands are dealt and played to their end on it."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from tests.support.live import PATIENCE, Backend, running
from tests.support.operator_house import HOUSE_ID, TEXT

from croupier.client import CroupierError
from croupier.client.load.policy import quiet
from croupier.v1.house_pb2 import AllInRule, BetStructure, Game, House, TableOffer
from croupier.v1.seat_service_pb2 import Vouched

NO_LIMIT = BetStructure.BET_STRUCTURE_NO_LIMIT


async def played_a_hand(
    backend: Backend,
    house: House,
    offer: TableOffer,
    *,
    players: int,
    rule: AllInRule.ValueType = AllInRule.ALL_IN_RULE_NONE,
) -> None:
    """Opens and fills a table, plays a hand quietly to the next one's first decision, and closes the table."""
    table = await backend.create_table(
        house.house_id,
        offer.structure,
        offer.stakes.min_bet,
        players,
        game=offer.game,
        all_in_rule=rule,
        hand_pause=timedelta(0),
    )
    levels = house.experience_levels
    vouched = Vouched(experience=levels[-1] if levels else "", has_pass=True)
    stakes = offer.stakes
    await backend.pause_table(table.table_id)
    for seat in range(1, players + 1):
        player = f"{table.table_id}-{seat}"
        await backend.deposit(player, house.currency, stakes.max_buy_in)
        await backend.reserve_seat(table.table_id, player, seat, vouched=vouched)
        await backend.buy_in(table.table_id, player, stakes.max_buy_in)
    watching = backend.watching(table.table_id)
    await backend.resume_table(table.table_id)
    decision = await backend.dealt(table.table_id)
    hand_id = decision.hand_id
    while decision.hand_id == hand_id:
        decision = (await backend.act(table.table_id, decision, *quiet(decision.legal_actions))).next_decision
    await watching.until(lambda stream: bool(stream.of("hand_ended")))
    await watching.cancel()
    await backend.close_table(table.table_id)


def seats_to_fill(offer: TableOffer) -> int:
    """As many as the deck deals where it is the deck that limits them."""
    return offer.max_seat_count if offer.max_seat_count < 10 else 3


@pytest.mark.parametrize("house_id", ["five_aces", "poker_ocean", "puzzle_pirates", HOUSE_ID])
async def test_a_hand_is_played_at_every_table_on_offer(tmp_path: Path, house_id: str) -> None:
    """R-T1 to R-T4."""
    own = tmp_path / "houses"
    own.mkdir()
    (own / "back.toml").write_text(TEXT)
    async with running(tmp_path, house_dir=str(own)) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        house = next(house for house in await backend.list_houses() if house.house_id == house_id)
        for offer in house.offers:
            async with asyncio.timeout(PATIENCE):
                await played_a_hand(backend, house, offer, players=seats_to_fill(offer))
            for rule in house.all_in_rules if offer.structure == NO_LIMIT else ():
                async with asyncio.timeout(PATIENCE):
                    await played_a_hand(backend, house, offer, players=3, rule=rule)
        assert house.offers


async def test_an_ocean_offers_nothing_above_its_cap(tmp_path: Path) -> None:
    """R-T2: Obsidian caps the minimum bet at 200."""
    async with (
        running(tmp_path, max_min_bet={"puzzle_pirates": 200}) as app,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        house = next(house for house in await backend.list_houses() if house.house_id == "puzzle_pirates")
        assert max(offer.stakes.min_bet for offer in house.offers) == 200
        with pytest.raises(CroupierError, match="OPTION_NOT_OFFERED"):
            await backend.create_table("puzzle_pirates", NO_LIMIT, 2000)


async def test_tables_of_a_house_outlive_its_file(tmp_path: Path) -> None:
    """A table is played by the rules it was created with."""
    own = tmp_path / "houses"
    own.mkdir()
    (own / "back.toml").write_text(TEXT)
    async with running(tmp_path, house_dir=str(own)) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        made = await backend.create_table(HOUSE_ID, NO_LIMIT, 2, game=Game.GAME_SIX_CARD_OMAHA)
        assert made.options.seat_count == 7
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        assert (await backend.get_table(made.table_id)).options == made.options
        with pytest.raises(CroupierError, match="HOUSE_UNKNOWN"):
            await backend.create_table(HOUSE_ID, NO_LIMIT, 2, game=Game.GAME_SIX_CARD_OMAHA)
