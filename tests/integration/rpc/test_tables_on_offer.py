"""ListHouses says all that CreateTable takes, and CreateTable takes nothing else; ListTables pages through them."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

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
    """R-T1 to R-T4."""
    houses = await backend.list_houses()
    assert [house.house_id for house in houses] == ["five_aces", "poker_ocean", "puzzle_pirates"]
    made = 0
    for house in houses:
        for offer in house.offers:
            seats = {0: house.default_seat_count}
            seats |= {number: number for number in (house.min_seat_count, offer.max_seat_count)}
            for asked, seat_count in seats.items():
                min_bet = offer.stakes.min_bet
                table = await backend.create_table(
                    house.house_id, offer.structure, min_bet, asked, game=offer.game
                )
                options = table.options
                assert (options.house_id, options.structure) == (house.house_id, offer.structure)
                assert (options.game, options.all_in_rule) == (offer.game, house_pb2.ALL_IN_RULE_NONE)
                assert (options.stakes, options.rake) == (offer.stakes, offer.rake)
                assert (options.currency, options.seat_count) == (house.currency, seat_count)
                assert options.min_experience == offer.min_experience
                assert options.action_time == house.default_action_time
                assert options.hand_pause == house.default_hand_pause
                assert (table.sequence, table.state) == (1, TableState.TABLE_STATE_OPEN)
                made += 1
    assert made == 3 * (10 + 36 + 1)


async def test_any_stakes_of_the_ocean_can_be_created(backend: Backend) -> None:
    """R-T3: at both ends of what an offer spans, all sizes grow with the minimum bet."""
    house = next(house for house in await backend.list_houses() if house.house_id == "poker_ocean")
    assert all(offer.any_min_bet for offer in house.offers)
    assert {offer.game for offer in house.offers} == {
        house_pb2.GAME_HOLDEM,
        house_pb2.GAME_OMAHA,
        house_pb2.GAME_OMAHA_HI_LO,
    }
    for offer in house.offers:
        bet, stakes = offer.max_min_bet, offer.stakes
        table = await backend.create_table(house.house_id, offer.structure, bet, game=offer.game)
        fixed = offer.structure == house_pb2.BET_STRUCTURE_FIXED_LIMIT
        assert table.options.stakes == house_pb2.Stakes(
            min_bet=bet,
            big_bet=2 * bet if fixed else 0,
            small_blind=bet // 2,
            big_blind=bet,
            min_buy_in=stakes.min_buy_in // stakes.min_bet * bet,
            max_buy_in=stakes.max_buy_in // stakes.min_bet * bet,
        )
        assert table.options.rake == offer.rake
        assert table.options.stakes.max_buy_in <= 10**12, "what a wallet may hold"


async def test_houses_say_what_else_can_be_chosen(backend: Backend) -> None:
    """R-H9, R-T5, R-T7, R-T10, R-T19, R-T20."""
    aces, ocean, parlour = await backend.list_houses()
    assert parlour.all_in_rules == [
        house_pb2.ALL_IN_RULE_ALL_IN_OR_FOLD,
        house_pb2.ALL_IN_RULE_ALL_IN_OR_ALL_IN,
    ]
    assert [parlour.offers_local_tables, ocean.offers_local_tables] == [True, False]
    assert [house.offers_banking_rule for house in (aces, ocean, parlour)] == [True] * 3
    asked = {offer.stakes.min_bet: offer.min_experience for offer in parlour.offers}
    assert asked == {2: "", 20: "Neophyte", 200: "Apprentice", 2000: "Narrow"}
    assert parlour.experience_levels[:3] == ["None", "Neophyte", "Apprentice"]
    assert parlour.free_days == [house_pb2.WEEKDAY_FRIDAY, house_pb2.WEEKDAY_SUNDAY]
    assert (parlour.time_zone, ocean.time_zone) == ("America/Los_Angeles", "")
    assert [house.newcomer_rule for house in (aces, ocean, parlour)] == [
        house_pb2.NEWCOMER_RULE_FREE,
        house_pb2.NEWCOMER_RULE_BRING_IN_OR_WAIT,
        house_pb2.NEWCOMER_RULE_BRING_IN,
    ]
    assert [house.losing_hands_mucked for house in (aces, ocean, parlour)] == [False, True, False]
    assert ocean.show_window == Duration(seconds=5)
    limit = next(
        offer for offer in ocean.offers if offer.structure == STRUCTURES[2] and offer.max_min_bet == 4999
    )
    assert limit.rake == house_pb2.RakeSchedule(
        step=5,
        step_of=100,
        no_flop_no_drop=True,
        caps=[
            house_pb2.RakeCap(max_player_count=players, cap=cap)
            for players, cap in ((2, 100), (4, 200), (10, 300))
        ],
    )


async def test_options_of_a_table_are_told_as_picked(backend: Backend) -> None:
    """R-T6, R-T19, R-T20."""
    table = await backend.create_table(
        HOUSE,
        STRUCTURES[0],
        20,
        game=house_pb2.GAME_HOLDEM,
        all_in_rule=house_pb2.ALL_IN_RULE_ALL_IN_OR_FOLD,
        local_scene="The Leaky Keg",
        forbid_banking=True,
    )
    options = table.options
    assert options.all_in_rule == house_pb2.ALL_IN_RULE_ALL_IN_OR_FOLD
    assert (options.local_scene, options.banking_forbidden) == ("The Leaky Keg", True)
    assert options.min_experience == "Neophyte"


@pytest.mark.parametrize(
    ("house", "picked", "reason", "facts"),
    [
        ("poker_ocean", {}, "FIELD_REQUIRED", {"field": "game"}),
        ("poker_ocean", {"game": 99}, "FIELD_MALFORMED", {"field": "game"}),
        (HOUSE, {"all_in_rule": 99}, "FIELD_MALFORMED", {"field": "all_in_rule"}),
        (HOUSE, {"game": house_pb2.GAME_OMAHA}, "OPTION_NOT_OFFERED", {"field": "game", "offered": "HOLDEM"}),
        (HOUSE, {"local_scene": "x" * 65}, "FIELD_TOO_LONG", {"field": "local_scene", "max_length": "64"}),
        (
            "poker_ocean",
            {"game": house_pb2.GAME_OMAHA, "local_scene": "inn"},
            "OPTION_NOT_OFFERED",
            {"field": "local_scene", "offered": ""},
        ),
        (
            "poker_ocean",
            {"game": house_pb2.GAME_OMAHA, "all_in_rule": house_pb2.ALL_IN_RULE_ALL_IN_OR_FOLD},
            "OPTION_NOT_OFFERED",
            {"field": "all_in_rule", "offered": "NONE"},
        ),
    ],
)
async def test_options_that_a_house_does_not_offer_are_refused(
    backend: Backend, house: str, picked: dict[str, Any], reason: str, facts: dict[str, str]
) -> None:
    """R-T1."""
    with pytest.raises(Refused) as refused:
        await backend.create_table(house, STRUCTURES[0], 2, **picked)
    assert (refused.value.reason, refused.value.facts) == (reason, facts)


async def test_a_creation_repeated_with_other_options_is_another_request(backend: Backend) -> None:
    create = partial(backend.create_table, HOUSE, STRUCTURES[0], 2, 6, request_id="once")
    first = await create(local_scene="inn")
    assert (await create(local_scene="inn")).table_id == first.table_id
    for other in ({}, {"local_scene": "den"}, {"local_scene": "inn", "forbid_banking": True}):
        with pytest.raises(Refused, match="REQUEST_ID_REUSED"):
            await create(**other)


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
    assert (house.min_seat_count, house.max_seat_count) == (2, 10)
    assert all(offer.rake == house_pb2.RakeSchedule(rate_bps=500) for offer in house.offers)


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


async def test_houses_tell_how_long_they_hold_seats(backend: Backend) -> None:
    """R-T8, R-T15: a reservation, a kept seat, an offer to who waits."""
    for house in await backend.list_houses():
        spans = house.reservation_time, house.sit_out_time, house.seat_offer_time
        assert [span.ToTimedelta().total_seconds() for span in spans] == [60, 600, 30]
        assert house.time_outs_to_sit_out == 2


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
