"""Names under which the servers of a room call and tell one another. Knows no bus."""

from __future__ import annotations

from typing import Final

KINDS: Final = ("news", "node_call", "table_call", "table_presence", "table_records")
"""What subjects are for that servers serve and hear: as `kind_of` has it."""
ANSWER: Final = "answer"
"""What any other subject is for."""
_PLAIN: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


class Subjects:
    """Those of the room that has this name; one bus may carry several rooms."""

    def __init__(self, room: str) -> None:
        self._room: Final = f"croupier.{token(room)}"
        self.news: Final = f"{self._room}.news"
        """What all servers are told."""
        self.feed: Final = f"{self._room}.feed.>"
        """All that the feed is."""

    def calls(self, table_id: str) -> str:
        """Served by the table's owner."""
        return f"{self._room}.table.{token(table_id)}.call"

    def records(self, table_id: str) -> str:
        """Told by the table's owner."""
        return f"{self._room}.table.{token(table_id)}.records"

    def presence(self, table_id: str) -> str:
        """Told to the table's owner."""
        return f"{self._room}.table.{token(table_id)}.presence"

    def hands(self, house_id: str, table_id: str) -> str:
        """What the feed tells of a table's settled hands."""
        return f"{self._room}.feed.hands.{token(house_id)}.{token(table_id)}"

    def entries(self, currency: str) -> str:
        """What the feed tells of the ledger."""
        return f"{self._room}.feed.entries.{token(currency)}"

    def node(self, node_id: str) -> str:
        """Served by one server."""
        return f"{self._room}.node.{token(node_id)}.call"


def kind_of(subject: str) -> str:
    """What a subject of a room is for, whichever room, table or server it names; ANSWER for any other."""
    first, *parts = subject.split(".")
    kind = "_".join(parts[1::2])
    return kind if first == "croupier" and kind in KINDS else ANSWER


def token(text: str) -> str:
    """A text as one part of a subject, each text another: what is no letter, digit, - or _ is =XX for each byte."""
    return "".join(chr(byte) if byte in _PLAIN else f"={byte:02X}" for byte in text.encode()) or "="
