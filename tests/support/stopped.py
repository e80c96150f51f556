"""Tables that stand still, and an operator who resolves them."""

from __future__ import annotations

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime
from tests.fakes.simulated_table import CURRENCY, SimulatedTable

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import hand as hands
from croupier.engine.rejection import InvariantViolation
from croupier.room.accounts import rake, stack
from croupier.room.answers import ResolvedAnswer
from croupier.room.failures import Refusal, TableHalted
from croupier.room.resolving import Resolution

PLAYERS = ("anna", "bert", "cleo")
WHY = "the cards stuck together"


async def seated(runtime: SimulatedRuntime, *players: str, **changed: object) -> SimulatedTable:
    """A table whose first hand is dealt to all of them."""
    table = await SimulatedTable.open(runtime, **changed)  # type: ignore[arg-type]
    await table.change_state(cmd.PauseTable())
    for seat, player_id in enumerate(players or PLAYERS, start=1):
        await table.sit(player_id, seat)
    await table.change_state(cmd.ResumeTable())
    return table


async def halt(table: SimulatedTable) -> None:
    """By a chip too many, which the next command finds."""
    hand = table.actor.table.hand
    assert hand is not None
    hand.pot += 1
    with pytest.raises(TableHalted):
        await table.check_or_call()
    await table.runtime.idle()
    assert table.actor.halted


def unfoldable(patch: pytest.MonkeyPatch) -> None:
    """As after an upgrade that cannot take in what was played before."""

    def fails(hand: hands.Hand, _: ev.Raised) -> None:
        hand.pot += 5
        raise InvariantViolation("raises are not what they were")

    evolving: dict[type, object] = hands._EVOLVE  # type: ignore[assignment]
    patch.setitem(evolving, ev.Raised, fails)


async def tried(table: SimulatedTable, *, void: bool) -> ResolvedAnswer:
    return await table.room.resolving.try_out(Resolution(table.table_id, void, WHY))


async def resolve(table: SimulatedTable, *, void: bool, token: str = "") -> ResolvedAnswer:
    """With the token of a dry run, unless another is given."""
    token = token or (await tried(table, void=void)).token
    wanted = Resolution(table.table_id, void, WHY)
    answer = await table.room.resolving.resolve(table.key("ResolveTable"), wanted, token)
    await table.runtime.idle()
    return answer


async def refused(table: SimulatedTable, *, void: bool, token: str = "") -> str:
    with pytest.raises(Refusal) as failure:
        await resolve(table, void=void, token=token)
    return failure.value.reason


async def must_stand_as(table: SimulatedTable, stacks: dict[str, int]) -> None:
    """Each stack at the table and in the ledger; no rake."""
    found = {seat.player_id: seat.stack for seat in table.actor.table.seats.values()}
    assert found == stacks
    for player_id, chips in stacks.items():
        assert await table.store.balance(stack(table.table_id, player_id), CURRENCY) == chips
    assert await table.store.balance(rake(table.actor.table.rules.house_id), CURRENCY) == 0
    assert await table.store.imbalance() == {CURRENCY: 0}


EVEN = dict.fromkeys(PLAYERS, 200)
"""As they sat down."""
