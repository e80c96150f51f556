"""What the room asks of the store's index of settled hands; a part of `ports`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from croupier.numbers import INT64_MAX


class HandPlace(msgspec.Struct, frozen=True, gc=False):
    """Where a settled hand lies in its table's journal: from the record that has its start to that of its end.

    Both by their public sequence. `ended_time` is the latter's.
    """

    table_id: str
    hand_number: int
    first_sequence: int
    last_sequence: int
    ended_time: int


class SettledHand(msgspec.Struct, frozen=True, gc=False):
    """What the index of hands is told of one: its place, and who was dealt in."""

    place: HandPlace
    players: tuple[str, ...]


class HandQuery(msgspec.Struct, frozen=True):
    """Which hands of the index to list: those of a table, of a player, or both; of tables of some houses (None: all).

    Times are those of the hands' ends, `from_time` included and `to_time` not; `before` is the last hand of the
    page before.
    """

    limit: int
    table_id: str = ""
    player_id: str = ""
    from_time: int = 0
    to_time: int = INT64_MAX
    before: HandPlace | None = None
    houses: tuple[str, ...] | None = None


class HandStore(Protocol):
    """Which hands were settled, by table and by player: a projection of the journal."""

    async def index_hands(self, hands: Sequence[SettledHand]) -> None:
        """Keep settled hands in the index, apart from what units write; those known already stay as they are."""
        ...

    async def unindexed(self) -> dict[str, int]:
        """Tables whose journal goes on after the last hand of theirs in the index, each with that hand's last
        sequence (0: none)."""
        ...

    async def find_hand(self, table_id: str, hand_number: int) -> HandPlace | None: ...

    async def hands(self, query: HandQuery) -> list[HandPlace]:
        """Hands of the index, latest first: by the time they ended, then by table, then by number."""
        ...
