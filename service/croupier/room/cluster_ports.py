"""What the room asks of several servers that share one store: nodes and owners of tables, and a bus between them.

Nothing here makes writes safe: the store judges each one by the epoch of its table, whatever nodes and bus believe.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from croupier.room.ports import TableJournal

NO_NODE: Final = ""
"""For a node's id: nobody has the table, and whoever claims it gets it."""


class Unanswered(Exception):
    """Why a request has no answer, unless it is TimeoutError."""


class NobodyThere(Unanswered):
    """Raised when a request's subject has nobody who serves it."""


class BusAway(Unanswered):
    """Raised when the bus cannot be reached, or is lost before the answer: what was asked may have been done."""


class AnswerFailed(Unanswered):
    """Raised when whoever serves a subject failed, and told its own log why, or answered what is not known here."""


class TooLong(Unanswered):
    """Raised when a request, or its answer, is longer than what the bus takes. Bytes."""

    def __init__(self, size: int, max_size: int) -> None:
        super().__init__(f"{size} bytes, where the bus takes {max_size}")
        self.size: Final = size
        self.max_size: Final = max_size


class Unreadable(Exception):
    """Raised by who serves or hears a subject for what is no message of this version's; nothing was done then.

    Its text holds nothing of the message.
    """


class Node(msgspec.Struct, frozen=True):
    """One server of the room. `serving`: takes tables, which it does not while it drains or has no bus.

    `address` is what callers reach its API by.
    """

    node_id: str
    address: str
    serving: bool


class Owner(msgspec.Struct, frozen=True):
    """Whose a table is: a node whose lease runs; None for nobody's, and for one that is closed or not known."""

    node: Node | None
    open: bool


class Place(msgspec.Struct, frozen=True):
    """An open table, and the node that owns it: NO_NODE where nobody's lease runs on it."""

    created_time: int
    table_id: str
    house_id: str
    owner: str

    @property
    def order(self) -> tuple[int, str]:
        """By which tables are listed."""
        return self.created_time, self.table_id


class Fleet(Protocol):
    """What the store knows of nodes and of who owns which table. Each raises StoreAway."""

    node_id: str

    def lapsed(self) -> bool:
        """Whether so long has passed since this node's lease was proven that others may own its tables by now."""
        ...

    async def nodes(self) -> list[Node]:
        """Those whose lease runs, by the database's clock, this one included, in the order of their ids."""
        ...

    async def set_serving(self, serving: bool) -> None:
        """Say whether this node takes tables."""
        ...

    async def owner(self, table_id: str) -> Owner:
        """Whose a table is."""
        ...

    async def owned(self) -> list[str]:
        """The open tables that are this node's."""
        ...

    async def ownerless_tables(self) -> list[str]:
        """The open tables on which nobody's lease runs."""
        ...

    async def listed(
        self, after: tuple[int, str], limit: int, houses: Sequence[str] | None = None
    ) -> list[Place]:
        """Open tables in the order of creation, those after a place; of all houses, or of some."""
        ...

    async def chips_at(self, player_id: str, house_id: str) -> list[str]:
        """The open tables of a house (empty: of all) at which a player has chips by the ledger."""
        ...

    async def log_read(self, number: int) -> None:
        """Note that this node knows the operator log up to an entry."""
        ...

    async def behind(self, number: int) -> list[str]:
        """Other nodes that may act, and are not known to have read the operator log up to an entry.

        Those may whose lease runs, and those that own open tables and were not declared dead.
        """
        ...

    async def claim(self, table_ids: Sequence[str]) -> list[TableJournal]:
        """Become the owner of those that are open and have none, or one whose lease has run out, or are ours already.

        Such an owner writes nothing more from then on. Told are those that are now ours, each in a new epoch, with
        what recovery reads.
        """
        ...

    async def hand_over(self, moves: Mapping[str, str]) -> set[str]:
        """Hand tables of ours over to others, or to whoever claims them (NO_NODE), after what was submitted of them.

        Told are those that are ours no more: units of them that are submitted later fail. A node that does not run,
        or takes none, gets none.
        """
        ...


class Ending(Protocol):
    """What is served or heard until it is ended."""

    async def end(self) -> None: ...


class Bus(Protocol):
    """Messages between nodes: at most once, and nothing is kept for whoever is away."""

    @property
    def connected(self) -> bool: ...

    async def request(self, subject: str, data: bytes, timeout_s: float) -> bytes:
        """The answer of whoever serves the subject.

        Raises NobodyThere, BusAway, AnswerFailed, TooLong; TimeoutError where no answer comes in time, and what was
        asked may have been done, or is still being done.
        """
        ...

    def misread(self, subject: str, size: int, why: str) -> None:
        """Count an answer to a request, of so many bytes, that is none of this version's; `why` holds nothing of it."""
        ...

    def publish(self, subject: str, data: bytes) -> None:
        """Tell who listens, in order for one subject; lost while the bus is away. Nobody publishes nothing (b"")."""
        ...

    async def serve(self, subject: str, answer: Callable[[bytes], Awaitable[bytes]]) -> Ending:
        """Answer requests for the subject, until ended. `answer` may raise: the asker is told that it failed."""
        ...

    async def subscribe(self, subject: str, heard: Callable[[bytes], None]) -> Ending:
        """Hear what is published under the subject, until ended; b"" where something may have been missed.

        `heard` raises Unreadable for what is none of this version's.
        """
        ...

    async def close(self) -> None: ...
