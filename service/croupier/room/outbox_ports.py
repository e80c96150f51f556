"""What the feed of settled hands and ledger entries asks of the store, and of whatever takes it; a part of `ports`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

import msgspec

from croupier.room.hand_ports import HandPlace
from croupier.room.ports import LedgerEntry
from croupier.room.records import HandRecord

WALLETS: Final = ""
"""For a table's id: the entries that concern no table."""


class FeedAway(Exception):
    """Raised where the feed takes nothing just now; what was given may have been taken."""


class FeedIsAnother(Exception):
    """Raised where the store's feed has another name, this one."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"this store's feed is {name!r}; croupier audit --rebuild-feed NAME begins another one"
        )


class Share(msgspec.Struct, frozen=True):
    """This server's part of what belongs to no server: one of `count`, counting from 0, which has the wallets."""

    place: int
    count: int


class Fed(msgspec.Struct, frozen=True):
    """How far a table is told: its last hand's number and its last entry's id; `over` where nothing more can come.

    `table_id` may be WALLETS.
    """

    table_id: str
    hands: int
    entries: int
    over: bool = False


class Unfed(msgspec.Struct, frozen=True):
    """A table of which something is not told, or that is closed: how far it is, and its last settled hand.

    `since` is when the first hand not told of ended, 0 where all are. `indexed`: the store's index has all its hands.
    """

    fed: Fed
    house_id: str
    closed: bool
    last_hand: int
    since: int
    indexed: bool


class FeedStanding(msgspec.Struct, frozen=True):
    """What is to be told. Each `telling` of all there is begins with nothing; `begun`: this one has come further."""

    telling: int
    begun: bool
    wallets: Fed
    tables: Sequence[Unfed]


class FeedStore(Protocol):
    """How far the feed is; one feed a store. Each raises StoreAway."""

    async def begin_feed(self, name: str) -> None:
        """Have the store's feed bear this name. Raises FeedIsAnother where it bears another one."""
        ...

    async def unfed(self, name: str, share: Share, limit: int) -> FeedStanding:
        """Tables of this server that are behind, and so many at most of the closed ones in its share.

        Raises FeedIsAnother.
        """
        ...

    async def hands_after(self, table_id: str, hand_number: int, limit: int) -> list[HandPlace]:
        """A table's settled hands after this one, by number, as far as the index has them."""
        ...

    async def sets_after(self, table_id: str, entry_id: int, limit: int) -> list[LedgerEntry]:
        """The entries, oldest first, of so many sets that concern the table, or none (WALLETS), after this entry."""
        ...

    async def note_fed(self, telling: int, fed: Sequence[Fed]) -> None:
        """Keep how far tables are told; nothing of it where another telling has begun."""
        ...


class Publisher(Protocol):
    """What takes the feed. Each raises FeedAway."""

    async def prepare(self, *, begun: bool) -> None:
        """See that it can take something. It is made where it is missing, unless it was `begun`: then it is gone."""
        ...

    async def hand(self, record: HandRecord) -> None:
        """Return once a settled hand is kept."""
        ...

    async def entry_set(self, entries: Sequence[LedgerEntry]) -> None:
        """Return once a whole entry set is kept."""
        ...


class OutboxObserver(Protocol):
    """Told of what the feed comes to."""

    def fed(self, kind: str) -> None:
        """A message was taken: a `hand` or an `entry_set`."""
        ...

    def feed_failed(self, failure: Exception, *, expected: bool) -> None:
        """Something was not taken; `expected` where the feed is away."""
        ...

    def store_failed(self, failure: Exception) -> None: ...
