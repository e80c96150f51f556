"""A request whose lasting answer was deleted behind the server's back: what it moved stands, and says what it was."""

from __future__ import annotations

from tests.support.live import CURRENCY
from tests.support.operated import WHY, Kept, refusal, tell


async def test_a_lost_answer_is_told_again_and_to_nobody_else(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        await backend.open_table("anna", "bert")
        deposited = await backend.deposit("anna", CURRENCY, 7, request_id="in")
        withdrawn = await backend.withdraw("anna", CURRENCY, 5, request_id="out")
        adjusted = await backend.adjust_balance("anna", CURRENCY, -4, WHY, request_id="adjusted")
        await backend.deposit("anna", CURRENCY, 50)
        entries = [entry async for entry in backend.list_entries()]
        operations = [one async for one in backend.list_operations()]
    await tell(kept, "DELETE FROM requests WHERE request_id IN ('in', 'out', 'adjusted')")
    async with kept.served() as (_, backend):
        for call in (
            backend.deposit("bert", CURRENCY, 7, request_id="in"),
            backend.deposit("new", CURRENCY, 7, request_id="in"),
            backend.deposit("anna", CURRENCY, 8, request_id="in"),
            backend.withdraw("bert", CURRENCY, 5, request_id="out"),
            backend.withdraw("anna", CURRENCY, 6, request_id="out"),
            backend.adjust_balance("bert", CURRENCY, -4, WHY, request_id="adjusted"),
            backend.adjust_balance("anna", CURRENCY, 4, WHY, request_id="adjusted"),
        ):
            assert await refusal(call) == "REQUEST_ID_REUSED"
        for _ in range(2):
            assert await backend.deposit("anna", CURRENCY, 7, request_id="in") == deposited
            assert await backend.withdraw("anna", CURRENCY, 5, request_id="out") == withdrawn
            again = await backend.adjust_balance("anna", CURRENCY, -4, WHY, request_id="adjusted")
            assert again == adjusted
        assert (await backend.get_balance("anna", CURRENCY)).available == adjusted.after + 50
        assert [entry async for entry in backend.list_entries()] == entries
        assert [one async for one in backend.list_operations()] == operations
