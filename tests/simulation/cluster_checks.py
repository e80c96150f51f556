"""What must hold beside where several nodes play: no hand is voided, nobody is timed out by our fault, every table
has an owner who plays it, and soon has one again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tests.simulation.checks import Checks
from tests.simulation.database import LEASE, Database
from tests.simulation.life import START
from tests.simulation.stream import Message
from tests.simulation.troubles import Troubles
from tests.simulation.world import MS, NS, World

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.room.clock import MOST_DELAY_NS
from croupier.room.membership import LOOK_NS, STRAYS_LOOKS
from croupier.room.ports import Record

if TYPE_CHECKING:
    from tests.simulation.node import Node
    from tests.simulation.shadow import Shadow
    from tests.simulation.watcher import Watcher

LONGEST_LOOK: Final = LOOK_NS * 3 // 2
OWNED_AGAIN: Final = LEASE + 4 * LONGEST_LOOK
"""A table that is nobody's has an owner by then, as long as there is a node in no trouble."""
PLAYED_AGAIN: Final = (STRAYS_LOOKS + 4) * LONGEST_LOOK
"""A node in no trouble plays what it owns by then."""
LOST_BY_TROUBLE: Final = LEASE + 1500 * MS
"""So much of its time may a decision lose to a trouble that is over before anybody takes it for one."""


class ClusterChecks(Checks):
    """`skews` are how wrong each node's clock is, nanoseconds."""

    snapshots_are_fresh = False
    """A node that follows a table may be a moment behind; whoever resumes is never told less."""

    def __init__(self, world: World, database: Database, troubles: Troubles) -> None:
        super().__init__(world, database)
        self.skews: dict[str, int] = {}
        self._database = database
        self._troubles = troubles
        self._arose: dict[str, tuple[int, int, int]] = {}
        self._without_owner: dict[str, int] = {}
        self._not_played: dict[str, int] = {}

    # automatic actions

    def _sees(self, record: Record, hand_key: bytes | None) -> None:
        shadow = self.shadows.get(record.table_id)
        time_outs = _time_outs(shadow) if shadow is not None else 0
        super()._sees(record, hand_key)
        shadow = self.shadows[record.table_id]
        fact = shadow.facts[-1]
        if isinstance(fact.command, cmd.TimeOut) and not time_outs:
            self._must_have_had_time(record, shadow)
        if any(isinstance(event, ev.HandVoided) for event in fact.public):
            self.violated(f"a hand at {record.table_id} was voided")
        hand = shadow.table.hand
        if hand is not None:
            arose = self._arose.get(record.table_id, (0, 0, 0))
            if arose[:2] != (hand.number, hand.action_sequence):
                self._arose[record.table_id] = (hand.number, hand.action_sequence, self._world.now)

    def _must_have_had_time(self, record: Record, shadow: Shadow) -> None:
        """The whole of it, in which the owner could be reached; clocks may be wrong, time as it is counts."""
        owner = self._database.owners.of(record.table_id)
        ended = record.recorded_time - START - self.skews[owner]
        began = max(self._arose[record.table_id][2], self._database.owners.since(record.table_id))
        lost, troubles = self._troubles.within(owner, began, ended)
        least = shadow.table.rules.action_time_ms * MS - MOST_DELAY_NS - troubles * LOST_BY_TROUBLE
        if ended - began - lost < least:
            had = (ended - began - lost) / NS
            self.violated(
                f"a player at {record.table_id} was timed out after {had:.2f} s: {owner} was in trouble"
            )

    def written(self, watcher: Watcher, message: Message) -> None:
        """Deadlines are told by clocks that differ: they are not believed."""
        super().written(watcher, message)
        for shadow in self.shadows.values():
            shadow.deadlines.clear()

    # owners

    def look(self, nodes: Sequence[Node]) -> None:
        """Once a second."""
        now = self._world.now
        calm = [now - self._troubles.calm_since(node) for node in nodes if node.ready and not node.leaving]
        playing = {node.node_id: node for node in nodes}
        for table_id in self._database.open_ids():
            owner = self._database.owners.of(table_id)
            node = playing.get(owner)
            owned = self._database.runs(owner)
            self._held_to(self._without_owner, table_id, owned, max(calm, default=0), OWNED_AGAIN, "an owner")
            played = not owned or node is None or node.room.has(table_id) or node.leaving or not node.ready
            quiet = now - self._troubles.calm_since(node) if node is not None else 0
            self._held_to(self._not_played, table_id, played, quiet, PLAYED_AGAIN, "a node that plays it")

    def _held_to(
        self, since: dict[str, int], table_id: str, fine: bool, calm: int, bound: int, what: str
    ) -> None:
        now = self._world.now
        if fine:
            since.pop(table_id, None)
            return
        began = since.setdefault(table_id, now)
        if min(now - began, calm) > bound:
            self.violated(f"{table_id} is without {what} for {(now - began) / NS:.1f} s")


def _time_outs(shadow: Shadow) -> int:
    """How often running whoever has to act has timed out before this."""
    hand = shadow.table.hand
    if hand is None or hand.actor < 0:
        return 0
    return shadow.table.carried.seats[hand.seats[hand.actor]].time_outs
