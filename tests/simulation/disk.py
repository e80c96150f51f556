"""The store: what is durable, what is on its way there, and commits that are slow, fail or are torn by a crash."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from tests.fakes.memory_store import Done
from tests.fakes.memory_tables import table_of
from tests.simulation.chance import Chance
from tests.simulation.durable import Durable
from tests.simulation.life import Life
from tests.simulation.scenario import Faults
from tests.simulation.world import MS, NS, World

from croupier.room.ledger import require_sound
from croupier.room.ports import DURABLE, Outcome, TableJournal, Unit

MOST_TOGETHER: Final = 256


class Disk(Durable):
    """Outlives the service; `life` is the one that writes."""

    def __init__(self, world: World, chance: Chance, faults: Faults) -> None:
        super().__init__(lambda: self.life.now())
        self.life: Life
        self.on_answered: Callable[[], None] = lambda: None
        self.on_power_cut: Callable[[], None] = lambda: None
        self._world = world
        self._chance = chance
        self._faults = faults
        self._writing: list[tuple[Unit, Done]] = []
        self._begun = False

    def begin(self, life: Life) -> None:
        """A new process has the file open."""
        self.life = life

    def crash(self) -> None:
        """Of the commit under way any number of units got to the disk, the first ones first."""
        kept = self._chance.below(len(self._writing) + 1) if self._begun else 0
        if self._begun:
            self._world.fault("torn commit" if len(self._writing) > 1 else "cut commit")
        for unit, _ in self._writing[:kept]:
            self._made_durable(unit)
        self._writing, self._waiting, self._begun = [], [], False
        self._halted.clear()

    def submit(self, unit: Unit, done: Done) -> None:
        require_sound(unit)
        self._waiting.append((unit, done))
        self._take()

    async def recover(self, table_id: str) -> TableJournal | None:
        """Waits for what was submitted before; now and then the store is away."""
        while any(table_of(unit) == table_id for unit, _ in (*self._writing, *self._waiting)):
            await self.life.pause(MS)
        if not self._world.healed and self._chance.one_in(self._faults.failed_recovery):
            self._world.fault("failed recovery")
            raise OSError("the disk does not answer")
        await self.life.pause(self._chance.below(MS))
        self._halted.discard(table_id)
        table = self._tables.get(table_id)
        return None if table is None else self._journal(table)

    def _take(self) -> None:
        """Begin a commit of what waits, unless one is under way."""
        if self._writing or not self._waiting:
            return
        count = self._chance.choice((1, 3, MOST_TOGETHER, MOST_TOGETHER))
        self._writing, self._waiting = self._waiting[:count], self._waiting[count:]
        span = self._chance.below(3 * MS)
        if not self._world.healed and self._chance.one_in(self._faults.slow_commit):
            self._world.fault("slow commit")
            span = self._chance.between(100 * MS, 4 * NS)
        self._begun = True
        if len(self._writing) > 1 and self._chance.one_in(self._faults.torn_commit):
            self._world.after(self._chance.below(span + 1), self.on_power_cut)
        self._world.at(self._world.now + span, self.life, self._end)

    def _end(self) -> None:
        """The disk has it, or has refused it; the service hears of that a step later."""
        units, self._begun = [unit for unit, _ in self._writing], False
        outcomes: list[Outcome]
        if not self._world.healed and self._chance.one_in(self._faults.failed_commit):
            self._world.fault("failed commit")
            outcomes = [self._fail(unit, "disk full") for unit in units]
        else:
            outcomes = [self._made_durable(unit) for unit in units]
        self._world.at(self._world.now, self.life, partial(self._answer, outcomes))

    def _answer(self, outcomes: list[Outcome]) -> None:
        written, self._writing = self._writing, []
        self.commits.append(len(written))
        for (_, done), outcome in zip(written, outcomes, strict=True):
            done(outcome)
        self._take()
        self.on_answered()

    def _made_durable(self, unit: Unit) -> Outcome:
        outcome = self._write(unit)
        if outcome is DURABLE:
            self.on_durable(unit)
        return outcome
