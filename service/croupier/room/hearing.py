"""Which of the other servers answer over the bus: one that has split is there, and carries to some of them alone.

A few are asked at a time, so that many servers do not ask one another all the time; those who are silent, again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import Enum
from typing import Final

from croupier.numbers import NS_PER_MS
from croupier.room.clock import pause
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
DEAF_NS: Final = 2_000 * NS_PER_MS
"""Whom nobody can ask for so long gives way to who can be asked, and looks often meanwhile."""
DEAF_LOOK_NS: Final = 500 * NS_PER_MS
DEAF_FIRST_NS: Final = 5_000 * NS_PER_MS
"""Who hears nobody waits so much longer: by then those have given way whom nobody can ask."""
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
        self._denied: dict[str, int] = {}
        """Since when the bus has said of each, whenever it was asked, that it is not there."""
        self.unheard: tuple[str, ...] = ()
        """Those that take tables, and this server, that have not answered for a while; MOST_SILENT others at most."""
        self.hears = False
        """Whether any other answered at the last look."""
        self._alone_since = 0
        self._turn = 0
        self._over = False

    @property
    def deaf(self) -> bool:
        """Whether the bus says that this server itself is not there."""
        return self._fleet.node_id in self._denied

    def end(self) -> None:
        """Ask nobody any more."""
        self._over = True
        self._forget()

    async def run(self) -> None:
        """Until `end`."""
        while not self._over:
            with suppress(StoreAway):  # the membership tells of it
                await self.look()
            span = DEAF_LOOK_NS if self.deaf and not self._membership.apart else LOOK_NS
            await pause(self._runtime, span + self._chance(span // 2))

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
        self._note(answers, asked)
        found = {answer for node_id, answer in answers.items() if node_id != own}
        self.hears = Heard.ANSWER in found
        if self.hears and not self.deaf:
            membership.apart = False
        if not self.deaf and found != {Heard.NOBODY}:
            self._alone_since = 0
        elif not self._alone_since:
            self._alone_since, self._turn = asked, DEAF_FIRST_NS + self._chance(MOST_TURN_NS)
        elif not membership.apart:
            waited = asked - self._alone_since
            late = waited >= UNHEARD_NS + self._turn
            due = late or (self.deaf and waited >= DEAF_NS)
            if due and await self._must_give_way(asked, late=late):
                await membership.give_way()

    def _note(self, answers: dict[str, Heard], asked: int) -> None:
        own = self._fleet.node_id
        for node_id, answer in answers.items():
            if answer is Heard.ANSWER:
                self._silent.pop(node_id, None)
            elif node_id == own or len(self._silent) < MOST_SILENT:
                self._silent.setdefault(node_id, asked)
            if answer is Heard.NOBODY and node_id in self._silent:
                self._denied.setdefault(node_id, asked)
            else:
                self._denied.pop(node_id, None)
        for gone in sorted(self._silent.keys() - {own, *self._membership.others}):
            del self._silent[gone]
            self._denied.pop(gone, None)
        self.unheard = tuple(
            sorted(one for one, since in self._silent.items() if asked - since >= UNHEARD_NS)
        )

    def _forget(self) -> None:
        """Nothing is known."""
        self._silent.clear()
        self._denied.clear()
        self.unheard = ()
        self.hears = False
        self._alone_since = 0

    async def _must_give_way(self, now: int, *, late: bool) -> bool:
        """Whether the others, as they are just now, had better have this server's tables. Raises StoreAway.

        Whom nobody can ask gives way to who can be asked. Anyone does, `late`, where the bus has said for long of the
        same others, several of them, that they are not there, and says so of all: of two servers nobody knows which is
        apart, each keeps what it has; and of others that come and go nothing is known.
        """
        nodes = await self._fleet.nodes()
        others = [node.node_id for node in nodes if node.serving and node.node_id != self._fleet.node_id]
        answers = await self._ask(others)
        found = {*answers.values()}
        long = [one for one in others if now - self._denied.get(one, now) >= UNHEARD_NS]
        if self.deaf and Heard.ANSWER in found:
            return self._calls.reachable
        return late and len(long) > 1 and found == {Heard.NOBODY} and self._calls.reachable

    def _some(self, others: Sequence[str]) -> list[str]:
        """Those who are silent, and a few neighbours of one by lot."""
        silent = [node_id for node_id in self._silent if node_id != self._fleet.node_id]
        rest = [node_id for node_id in others if node_id not in self._silent]
        begin = self._chance(len(rest)) if rest else 0
        return [*silent, *(rest[begin:] + rest[:begin])[:FEW]]

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
