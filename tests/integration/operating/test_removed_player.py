"""RemovePlayer over gRPC, on both stores: out of a hand at once, in one after it."""

from __future__ import annotations

from tests.support.live import CURRENCY, WEALTH, Backend
from tests.support.operated import PLAYERS, WHY, Kept, balanced, played, raised, refusal, until
from tests.support.vouching import PASS


async def gone(backend: Backend, player_id: str) -> None:
    async def home() -> bool:
        balance = await backend.get_balance(player_id, CURRENCY)
        return not balance.tables and not balance.reserved

    await until(home)


async def test_who_is_in_a_hand_folds_it_and_is_cashed_out_after_it(kept: Kept) -> None:
    """R-T11."""
    async with kept.served() as (_, backend):
        table_id = await raised(backend)
        actor = (await backend.decision(table_id)).player_id
        answer = await backend.remove_player(table_id, actor, WHY, request_id="once")
        assert (answer.returned, answer.leaving) == (0, True)
        assert (await backend.decision(table_id)).player_id not in ("", actor)
        assert await refusal(backend.remove_player(table_id, actor, WHY)) == "PLAYER_LEAVING"
        await played(backend, table_id)
        await gone(backend, actor)
        assert await backend.remove_player(table_id, actor, WHY, request_id="once") == answer
        assert await refusal(backend.remove_player(table_id, actor, WHY)) == "PLAYER_NOT_SEATED"
        assert await refusal(backend.reserve_seat(table_id, actor, 6, vouched=PASS)) == ""
        (logged,) = [one async for one in backend.list_operations()]
        leaving = {seat.player_id: seat.leaving for seat in logged.after.table.seats}
        assert leaving == {player: player == actor for player in PLAYERS}
        assert not any(seat.leaving for seat in logged.before.table.seats)


async def test_who_is_in_no_hand_goes_at_once_with_all_chips(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        table_id = await backend.open_table("anna")
        answer = await backend.remove_player(table_id, "anna", WHY)
        assert (answer.returned, answer.leaving) == (100, False)
        await gone(backend, "anna")
        assert (await backend.get_balance("anna", CURRENCY)).available == WEALTH
        assert list((await backend.get_table(table_id)).seats) == []
        (logged,) = [one async for one in backend.list_operations()]
        assert [seat.player_id for seat in logged.before.table.seats] == ["anna"]
        assert list(logged.after.table.seats) == []
        await balanced(backend)


async def test_reservations_and_places_in_the_waiting_list_are_given_up_at_once(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        full = await backend.open_table("anna", "bert", seat_count=2)
        reserved = await backend.open_table("cleo")
        await backend.deposit("zoe", CURRENCY, WEALTH)
        await backend.join_waiting_list(full, "zoe", vouched=PASS)
        await backend.remove_player(full, "zoe", WHY)
        assert list((await backend.get_table(full)).waiting_list) == []
        await backend.reserve_seat(reserved, "zoe", 2, vouched=PASS)
        answer = await backend.remove_player(reserved, "zoe", WHY)
        assert (answer.returned, answer.leaving) == (0, False)
        assert [seat.player_id for seat in (await backend.get_table(reserved)).seats] == ["cleo"]
        assert await refusal(backend.remove_player(reserved, "zoe", WHY)) == "PLAYER_NOT_SEATED"
        assert await refusal(backend.remove_player("nowhere", "zoe", WHY)) == "TABLE_UNKNOWN"
