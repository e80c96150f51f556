"""ListHouses says all that CreateTable takes, and CreateTable takes nothing else; ListTables pages through them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from google.protobuf.duration_pb2 import Duration
from tests.support.live import HOUSE, Backend

from croupier.client.errors import Refused
from croupier.v1 import house_pb2
from croupier.v1.table_pb2 import TableState

STRUCTURES = (
    house_pb2.BET_STRUCTURE_NO_LIMIT,
    house_pb2.BET_STRUCTURE_POT_LIMIT,
    house_pb2.BET_STRUCTURE_FIXED_LIMIT,
)


async def test_every_offer_of_every_house_can_be_created(backend: Backend) -> None:
    houses = await backend.list_houses()
    assert [house.house_id for house in houses] == sorted(house.house_id for house in houses)
    made = 0
    for house in houses:
        for offer in house.offers:
            for seat_count in range(house.min_seat_count, house.max_seat_count + 1):
                table = await backend.create_table(
                    house.house_id, offer.structure, offer.stakes.min_bet, seat_count
                )
                options = table.options
                assert (options.house_id, options.structure) == (house.house_id, offer.structure)
                assert (options.stakes, options.rake) == (offer.stakes, house.rake)
                assert (options.currency, options.seat_count) == (house.currency, seat_count)
                assert options.action_time == house.default_action_time
                assert options.hand_pause == house.default_hand_pause
                assert (table.sequence, table.state) == (1, TableState.TABLE_STATE_OPEN)
                made += 1
    assert made >= 90


async def test_the_parlour_offers_ten_structures(backend: Backend) -> None:
    """R-T1, R-T2."""
    house = next(house for house in await backend.list_houses() if house.house_id == HOUSE)
    offers = {(offer.structure, offer.stakes.min_bet): offer.stakes for offer in house.offers}
    limited = [(structure, bet) for structure in STRUCTURES[1:] for bet in (2, 20, 200)]
    assert set(offers) == {(STRUCTURES[0], bet) for bet in (2, 20, 200, 2000)} | set(limited)
    for (structure, bet), stakes in offers.items():
        assert (stakes.small_blind, stakes.big_blind) == (bet // 2, bet)
        assert (stakes.min_buy_in, stakes.max_buy_in) == (10 * bet, 100 * bet)
        assert stakes.big_bet == (2 * bet if structure == house_pb2.BET_STRUCTURE_FIXED_LIMIT else 0)
    assert [time.seconds for time in house.action_times] == [10, 20, 30]
    assert house.default_action_time == Duration(seconds=20)
    assert (house.min_seat_count, house.max_seat_count, house.rake.rate_bps) == (2, 10, 500)


@pytest.mark.parametrize("seconds", [0, 1, 9, 11, 20.5, 60])
async def test_action_times_that_are_not_offered_are_refused_with_what_is(
    backend: Backend, seconds: float
) -> None:
    with pytest.raises(Refused) as refused:
        await backend.create_table(HOUSE, STRUCTURES[0], 2, 6, action_time=timedelta(seconds=seconds))
    assert refused.value.reason == "OPTION_NOT_OFFERED"
    assert refused.value.facts == {"field": "action_time", "offered": "10s,20s,30s"}


async def test_what_is_not_offered_is_refused_with_what_is(backend: Backend) -> None:
    house = next(house for house in await backend.list_houses() if house.house_id == HOUSE)
    for structure in STRUCTURES:
        offered = [str(offer.stakes.min_bet) for offer in house.offers if offer.structure == structure]
        for bet in (1, 3, 4, 21, 2000, 10**12):
            if str(bet) in offered:
                continue
            with pytest.raises(Refused) as refused:
                await backend.create_table(HOUSE, structure, bet, 6)
            assert refused.value.facts == {"field": "min_bet", "offered": ",".join(offered)}


async def test_spans_on_offer_are_kept_as_given(backend: Backend) -> None:
    for seconds, pause in ((10, 0.0), (20, 0.25), (30, 60.0)):
        table = await backend.create_table(
            HOUSE,
            STRUCTURES[0],
            2,
            6,
            name="Zur Glücksfee 🂡",
            action_time=timedelta(seconds=seconds),
            hand_pause=timedelta(seconds=pause),
        )
        assert table.options.action_time.ToTimedelta() == timedelta(seconds=seconds)
        assert table.options.hand_pause.ToTimedelta() == timedelta(seconds=pause)
        assert table.options.HasField("hand_pause"), "none is not unset"
        assert table.options.name == "Zur Glücksfee 🂡"


async def test_tables_are_listed_page_by_page_oldest_first(backend: Backend) -> None:
    made = [await backend.open_table(name=str(number)) for number in range(7)]
    await backend.close_table(made[3])
    listed: list[str] = []
    token = ""
    while True:
        page = await backend.list_tables(page_size=2, page_token=token)
        listed += [table.table_id for table in page.tables]
        assert len(page.tables) <= 2
        token = page.next_page_token
        if not token:
            break
    assert listed == made[:3] + made[4:]
    summaries = (await backend.list_tables(HOUSE)).tables
    assert [table.table_id for table in summaries] == listed
    await backend.sit(made[0], "anna", 1)
    assert (await backend.list_tables()).tables[0].taken_seat_count == 1
