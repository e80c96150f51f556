"""Which of the other servers answer over the bus: one that has split is there, and carries to some of them alone.

A few are asked at a time, so that many servers do not ask one another all the time; those who are silent, again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import Enum
from typing import Final

from croupier.room.clock import NS_PER_MS, pause
from croupier.room.cluster_ports import BusAway, Fleet, NobodyThere, Unanswered
from croupier.room.everyone import ASK_S, together
from croupier.room.failures import StoreAway
from croupier.room.listing import ListedTable
from croupier.room.membership import Membership
from croupier.room.node_calls import Describe, NodeCalls
from croupier.room.ports import Runtime

LOOK_NS: Final = 2_000 * NS_PER_MS
"""Half as much again at most lies between two looks."""
UNHEARD_NS: Final = 4_000 * NS_PER_MS
"""Who has not answered for so long is not heard: servers that died are no longer there by then."""
MOST_TURN_NS: Final = 4_000 * NS_PER_MS
"""Of several that hear nobody, each waits a part of this more: who is left with one other stays."""
FEW: Final = 4
"""Others that are asked at a look, beside those who are silent."""
MOST_SILENT: Final = 8
"""Silent ones that are kept in mind."""
_BYTES_OF_CHANCE: Final = 4


class Heard(Enum):
    """ANSWER: from whatever is there. NOBODY: the bus itself says so."""

    ANSWER = 1
    NOBODY = 2
    NOTHING = 3


class Hearing:
    """`run` looks until `end`, and has the membership know where this server is apart from all others."""

    def __init__(self, runtime: Runtime, fleet: Fleet, calls: NodeCalls, membership: Membership) -> None:
        self._runtime = runtime
        self._fleet = fleet
        self._calls = calls
        self._membership = membership
        self._silent: dict[str, int] = {}
        """Since when."""
        self.unheard: tuple[str, ...] = ()
        """Those that take tables, and have not answered for a while; MOST_SILENT at most."""
        self._alone_since = 0
        self._turn = 0
        self._over = False

    def end(self) -> None:
        """Ask nobody any more."""
        self._over = True
        self._forget()

    async def run(self) -> None:
        """Until `end`."""
        while not self._over:
            with suppress(StoreAway):  # the membership tells of it
                await self.look()
            await pause(self._runtime, LOOK_NS + self._chance(LOOK_NS // 2))

    async def look(self) -> None:
        """Ask some of those that take tables; and this server, whose own calls may not get to it. Raises StoreAway."""
        membership = self._membership
        if not membership.others:
            membership.apart = False
        if not membership.others or not self._calls.reachable:
            self._forget()
            return
        asked, own = self._runtime.now(), self._fleet.node_id
        answers = await self._ask([own, *self._some(membership.others)])
        if self._over or not self._calls.reachable:
            self._forget()
            return
        unserved = answers.pop(own) is Heard.NOBODY
        self._note(answers, asked)
        if not unserved and Heard.ANSWER in answers.values():
            membership.apart = False
        if not unserved and {*answers.values()} != {Heard.NOBODY}:
            self._alone_since = 0
        elif not self._alone_since:
            self._alone_since, self._turn = asked, self._chance(MOST_TURN_NS)
        elif not membership.apart and asked - self._alone_since >= UNHEARD_NS + self._turn:
            membership.apart = unserved or await self._hears_nobody()

    def _note(self, answers: dict[str, Heard], asked: int) -> None:
        for node_id, answer in answers.items():
            if answer is Heard.ANSWER:
                self._silent.pop(node_id, None)
            elif len(self._silent) < MOST_SILENT:
                self._silent.setdefault(node_id, asked)
        for gone in self._silent.keys() - {*self._membership.others}:
            del self._silent[gone]
        self.unheard = tuple(
            sorted(one for one, since in self._silent.items() if asked - since >= UNHEARD_NS)
        )

    def _forget(self) -> None:
        """Nothing is known."""
        self._silent.clear()
        self.unheard = ()
        self._alone_since = 0

    async def _hears_nobody(self) -> bool:
        """Whether others take tables just now, several of them, and the bus says of each that it is not there.

        Of two servers nobody knows which is apart: each keeps what it has. Raises StoreAway.
        """
        nodes = await self._fleet.nodes()
        others = [node.node_id for node in nodes if node.serving and node.node_id != self._fleet.node_id]
        answers = await self._ask(others)
        return len(others) > 1 and {*answers.values()} == {Heard.NOBODY} and self._calls.reachable

    def _some(self, others: Sequence[str]) -> list[str]:
        """Those who are silent, and a few neighbours of one by lot."""
        rest = [node_id for node_id in others if node_id not in self._silent]
        begin = self._chance(len(rest)) if rest else 0
        return [*self._silent, *(rest[begin:] + rest[:begin])[:FEW]]

    async def _ask(self, node_ids: Iterable[str]) -> dict[str, Heard]:
        async def ask(node_id: str) -> tuple[str, Heard]:
            try:
                await self._calls.ask(node_id, Describe([]), list[ListedTable], ASK_S)
            except NobodyThere:
                return node_id, Heard.NOBODY
            except (BusAway, TimeoutError):
                return node_id, Heard.NOTHING
            except Unanswered:
                pass  # it is there, and could not
            return node_id, Heard.ANSWER

        return dict(await together(self._runtime, [ask(node_id) for node_id in node_ids]))

    def _chance(self, below: int) -> int:
        return int.from_bytes(self._runtime.entropy(_BYTES_OF_CHANCE)) * below >> 8 * _BYTES_OF_CHANCE
