"""What a table's hands came to as they were watched, to which the ledger is held."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.v1.hand_event_pb2 import HandEnded


class Score:
    """`rake` of all hands seen; `net` is what each seat has won in them."""

    def __init__(self) -> None:
        self.rake = 0
        self.net: dict[int, int] = {}

    def add(self, ended: HandEnded) -> Iterator[str]:
        """Count a hand; what is wrong with its results."""
        total, last_seat = ended.rake, 0
        for result in ended.results:
            if result.seat_number <= last_seat:
                yield f"the results of {ended.hand_id} are not in the order of seats"
            total, last_seat = total + result.net, result.seat_number
            self.net[result.seat_number] = self.net.get(result.seat_number, 0) + result.net
        self.rake += ended.rake
        if total:
            yield f"the results and the rake of {ended.hand_id} add up to {total}"
