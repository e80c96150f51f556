"""Two servers tied by a bus within the process, each of which has a table: calls go from one to the other."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.buses import LocalBus, Wires
from tests.support.forwarders import Forwarder

from croupier.room.failures import Refusal


class Pair:
    """Two servers on one bus; the second has table "t"."""

    def __init__(self) -> None:
        self.wires = Wires()
        self.near = Forwarder(LocalBus(self.wires), "near")
        self.far = Forwarder(LocalBus(self.wires), "far")


async def refused(call: Any) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        await call
    return refusal.value
