"""A table whose records do not become durable tries what is due by itself now and then, not without rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable

from croupier.engine import events as ev


@simulated()
async def test_a_hand_that_cannot_be_dealt_is_tried_again_with_rests(runtime: SimulatedRuntime) -> None:
    table = await SimulatedTable.open(runtime, hand_pause_ms=1)
    await table.sit("anna", 1)
    await table.sit("bert", 2)
    while table.actor.decision() is None:
        await table.sleep(0.001)
    await table.check_down()
    submit: Callable[..., Any] = table.store.submit
    tries = 0

    def fail(*arguments: Any) -> None:
        nonlocal tries
        tries += 1
        table.store.fail_next()
        submit(*arguments)

    with patch.object(table.store, "submit", fail):
        await table.sleep(5)
    assert 3 <= tries <= 15
    assert table.actor.decision() is None
    table.store.fail_next("")
    await table.sleep(2)
    assert [event.hand_number for event in table.heard(ev.HandStarted)] == [1, 2]
