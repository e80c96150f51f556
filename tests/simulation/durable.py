"""What is durable, as the checks read it: it outlives every process."""

from __future__ import annotations

from collections.abc import Callable

from tests.fakes.memory_store import MemoryStore

from croupier.room.ports import Unit


class Durable(MemoryStore):
    """`on_durable` hears of each unit that is written."""

    def __init__(self, clock: Callable[[], int]) -> None:
        super().__init__(clock)
        self.on_durable: Callable[[Unit], None] = lambda _: None

    def held(self, prefix: str) -> int:
        """Chips in all accounts whose name begins so."""
        return sum(chips for (name, _), chips in self._balances.items() if name.startswith(prefix))

    def chips(self) -> dict[str, int]:
        """Chips by account."""
        return {name: chips for (name, _), chips in self._balances.items() if chips}

    def sums(self) -> int:
        return sum(self._balances.values())

    def brought(self) -> dict[str, int]:
        """What came from the world into each wallet, less what went there."""
        sums: dict[str, int] = {}
        for entry in self._entries:
            if entry.kind in ("deposit", "withdrawal"):
                sums[entry.account] = sums.get(entry.account, 0) + entry.amount
        return sums

    def table_count(self) -> int:
        return len(self._tables)
