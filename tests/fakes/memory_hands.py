"""MemoryStore's index of settled hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.room.hand_ports import HandPlace, HandQuery, SettledHand
from croupier.room.ports import Record


class MemoryHands:
    """Hands by table and number."""

    def __init__(self) -> None:
        self.hands: dict[tuple[str, int], SettledHand] = {}

    def add(self, hands: Iterable[SettledHand]) -> None:
        for one in hands:
            self.hands.setdefault((one.place.table_id, one.place.hand_number), one)

    def missing(self, journals: Mapping[str, Iterable[Record]]) -> dict[str, int]:
        """Tables with a checkpoint after their last hand here, each with that hand's last sequence."""
        found = {}
        for table_id, records in journals.items():
            known = max(
                (one.place.last_sequence for one in self.hands.values() if one.place.table_id == table_id),
                default=0,
            )
            if any(record.checkpoint and record.sequence > known for record in records):
                found[table_id] = known
        return found

    def find(self, table_id: str, hand_number: int) -> HandPlace | None:
        found = self.hands.get((table_id, hand_number))
        return found.place if found else None

    def chosen(self, query: HandQuery, houses: Mapping[str, str]) -> list[HandPlace]:
        """`houses` by table, in the order of the tables' creation."""
        tables = list(houses)

        def order(place: HandPlace) -> tuple[int, int, int]:
            return place.ended_time, tables.index(place.table_id), place.hand_number

        found = [
            one.place
            for one in self.hands.values()
            if query.table_id in ("", one.place.table_id)
            and (not query.player_id or query.player_id in one.players)
            and query.from_time <= one.place.ended_time < query.to_time
            and (query.houses is None or houses[one.place.table_id] in query.houses)
            and (query.before is None or order(one.place) < order(query.before))
        ]
        return sorted(found, key=order, reverse=True)[: query.limit]
