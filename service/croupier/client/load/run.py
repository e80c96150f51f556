"""A run from its first table to its report: opens, plays for the time planned, leaves, reads ledger and history."""

from __future__ import annotations

import asyncio
import uuid
from collections import defaultdict
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, suppress
from typing import Any, Final, TypeVar

from grpc.aio import AioRpcError

from croupier.client import Croupier, CroupierError
from croupier.client.errors import denied, error_of
from croupier.client.load.audit import audit
from croupier.client.load.conditions import Conditions, conditions
from croupier.client.load.dice import Dice
from croupier.client.load.guard import Guard, together, unless
from croupier.client.load.history.check import Checked, Told, check
from croupier.client.load.history.heard import Heard
from croupier.client.load.history.recorder import Act
from croupier.client.load.means import Means, acting, means_of
from croupier.client.load.mix import TableKind, spread
from croupier.client.load.patience import FIRST, planned
from croupier.client.load.plan import Plan
from croupier.client.load.playing import Playing
from croupier.client.load.progress import Now, Progress, showing
from croupier.client.load.report import Proved, Report, report
from croupier.client.load.rights import must_be_allowed
from croupier.client.load.score import Score
from croupier.client.load.seating import Seating, house_of, offer_of, open_table
from croupier.client.load.table import LoadTable, Setting
from croupier.client.load.tally import Tally, TooManyWrong
from croupier.client.load.watcher import Watcher
from croupier.client.retry import away
from croupier.v1.house_pb2 import House
from croupier.v1.table_service_pb2_grpc import TableServiceStub

_AT_ONCE: Final = 32
_LAST_NEWS_SECONDS: Final = 10.0
_LOOK_SECONDS: Final = 0.5

T = TypeVar("T")


async def run(plan: Plan, progress: Progress | None = None, stop: asyncio.Event | None = None) -> Report:
    """Plays as planned, or until `stop`, after which tables are closed and everything is checked all the same. Wrong
    answers are in the report; raises Unanswered where there is no server, ValueError where a house does not offer what
    is planned or the credential does not allow it. One that is refused later ends the run.
    """
    tally, run_id = Tally(plan.patience), uuid.uuid4().hex[:8]
    async with AsyncExitStack() as opened:
        first = Croupier(
            plan.target, credentials=plan.credentials, token=plan.token, retry=planned(plan) or FIRST
        )
        async with first:
            about = await conditions(first, plan)
            await must_be_allowed(first, run_id)
        means = await means_of(plan, run_id, tally, opened)
        act = await acting(plan, means, opened)
        async with showing(progress, tally.absence) as show:
            return await _Run(plan, tally, means, act, show, stop or asyncio.Event()).whole(about)


class _Run:
    def __init__(
        self, plan: Plan, tally: Tally, means: Means, act: Act, progress: Progress, stop: asyncio.Event
    ) -> None:
        self.plan: Final = plan
        self.tally: Final = tally
        self.progress: Final = progress
        self.stop: Final = stop
        self.run_id, self._client, self._reader, self._recorder = means
        self._act: Final = act
        self._watch: Final = TableServiceStub(means.reader.channel).WatchTable
        self._guard: Final = Guard(tally)
        self._tables: Final[list[LoadTable]] = []
        self._scores: Final[list[tuple[Seating, Score | None]]] = []
        self._watchers: Final[list[Watcher]] = []
        self._watching: Final[list[asyncio.Task[bool]]] = []
        self._heard: Final[defaultdict[str, list[Heard]]] = defaultdict(list)
        self._quiet: Seating | None = None

    async def whole(self, about: Conditions) -> Report:
        plan, tally = self.plan, self.tally
        houses = await self._houses()
        playing = Playing(
            plan, self._tables, self._guard, tally, self._recorder.log, self.progress, self.stop
        )
        ledger_entries, rake = 0, 0
        try:
            await self._unless_denied(self._play(houses, playing))
            await self._unless_denied(self._last_news())
            self.progress(Now("checking"))
            ledger_entries, rake = await self._unless_denied(self._audit()) or (0, 0)
        except* TooManyWrong as too_many:
            tally.wrong.append(f"given up after {too_many.exceptions[0]}")
        finally:
            for task in self._watching:
                task.cancel()
            await asyncio.gather(*self._watching, return_exceptions=True)
            self._recorder.close()
        proved = Proved(ledger_entries, rake, await self._unless_denied(self._check()))
        if tally.denied.is_set():
            left = sum(not seating.left for seating, _ in self._scores)
            tally.unchecked.append(f"ledger and history; {left} tables were left open")
        return self._report(playing, about, proved)

    async def _unless_denied(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Does the work; None where the credential is refused before it is done."""
        return await unless(self.tally.denied, work, self.stop.set)

    async def _play(self, houses: dict[str, House], playing: Playing) -> None:
        """Leaves no table open, whatever goes wrong; when cancelled it leaves them as they are."""
        try:
            self.progress(Now("opening"))
            await self._open(houses)
            await playing.play()
            self.progress(Now("closing"))
            await self._leave()
        except Exception:
            await self._abandon({seating.table_id for seating, _ in self._scores})
            raise
        played = {table.table_id for table in self._tables}
        await self._abandon({seating.table_id for seating, _ in self._scores} - played)

    async def _abandon(self, table_ids: set[str]) -> None:
        """Closes tables at which nobody acts any more, as long as there is a server: hands in play end by time-outs."""
        if self._quiet is not None:
            table_ids = table_ids | {self._quiet.table_id}
        for table_id in sorted(table_ids):
            if self.tally.absence.over:
                return
            with suppress(CroupierError, AioRpcError):
                await self._client.close_table(table_id)

    def _report(self, playing: Playing, about: Conditions, proved: Proved) -> Report:
        return report(
            self.tally,
            playing.begin,
            playing.end,
            about,
            proved,
            request_prefix=f"act-{self.run_id}-",
            interrupted=self.stop.is_set(),
        )

    async def _audit(self) -> tuple[int, int]:
        """Reads the ledger and holds it against the scores; how many entries it has, and the rake of the run."""
        for seating, _ in self._scores:
            if not seating.left:
                self.tally.unchecked.append(
                    f"the chips at table {seating.table_id}, which could not be closed"
                )
        try:
            ledger, wrong = await audit(self._client, self._scores)
        except (CroupierError, AioRpcError) as failure:
            self._unread("the ledger", failure)
            return 0, 0
        self.tally.wrong.extend(wrong)
        return ledger.entries, sum(ledger.rake[seating.table_id] for seating, _ in self._scores)

    def _unread(self, what: str, failure: CroupierError | AioRpcError) -> None:
        """Something could not be read back: the server's fault where there is one."""
        error = error_of(failure) if isinstance(failure, AioRpcError) else failure
        if away(error):
            self.tally.give_up(error)
            self.tally.unchecked.append(f"{what}: {error}")
        elif denied(error):
            self.tally.deny(what, error)
        else:
            self.tally.wrong.append(f"{what} cannot be read: {error}")

    async def _check(self) -> Checked | None:
        """Holds all that was recorded against the service's history; None where that could not be read."""
        try:
            checked = await check(self._reader, self._watch, Told(self._recorder.log, self._heard))
        except (CroupierError, AioRpcError) as failure:
            self._unread("the history", failure)
            return None
        self.tally.wrong.extend(str(finding) for finding in checked.findings)
        return checked

    async def _houses(self) -> dict[str, House]:
        """Those of the mix, all of which offer what they are to."""
        houses = {kind.house_id: await house_of(self._client, kind.house_id) for kind in self.plan.mix}
        for kind in self.plan.mix:
            offer_of(houses[kind.house_id], kind, self.plan.players_per_table)
        return houses

    async def _open(self, houses: dict[str, House]) -> None:
        """All tables with their watchers and players, a few at a time."""
        plan, some = self.plan, asyncio.Semaphore(_AT_ONCE)

        async def one(kind: TableKind, number: int) -> None:
            async with some:
                seating = await self._open_one(houses, kind, number)
                self._scores.append((seating, self._watch_table(seating)))
                await seating.seat_all()
                setting = Setting(self._client, self._act, self.tally, plan.probes)
                dice = Dice(plan.seed * 1_000_003 + number)
                self._tables.append(LoadTable(setting, seating, f"{self.run_id}-{number}", dice))

        kinds = spread(plan.mix, plan.tables)
        await together(self._guard("opening a table", one(kind, number)) for number, kind in enumerate(kinds))
        if plan.idle_watchers:
            self._quiet = await self._open_one(houses, plan.mix[0], plan.tables)
            for _ in range(plan.idle_watchers):
                self._add_watcher(self._quiet)

    async def _open_one(self, houses: dict[str, House], kind: TableKind, number: int) -> Seating:
        house = houses[kind.house_id]
        return await open_table(self._client, house, kind, self.plan.players_per_table, self.run_id, number)

    def _watch_table(self, seating: Seating) -> Score | None:
        """What its first watcher makes of it; None where it has none."""
        watchers = [self._add_watcher(seating) for _ in range(self.plan.watchers_per_table)]
        return watchers[0].score if watchers else None

    def _add_watcher(self, seating: Seating) -> Watcher:
        watcher = Watcher(seating.table_id, seating.sequence, self.tally)
        self._watchers.append(watcher)
        self._heard[seating.table_id].append(watcher.heard)
        where = f"watching {seating.table_id}"
        follow = self._guard(where, watcher.follow(self._watch))
        self._watching.append(asyncio.create_task(follow, name=where))
        return watcher

    async def _leave(self) -> None:
        """Closes all tables; none any more once one could not be for want of a server."""
        self._guard.away = False
        some = asyncio.Semaphore(_AT_ONCE)

        async def one(table: LoadTable) -> None:
            async with some:
                if self._guard.away:
                    return
                await self._guard(f"leaving {table.table_id}", table.leave())

        await together(one(table) for table in self._tables)

    async def _last_news(self) -> None:
        """Waits for the watchers to hear that their tables have closed."""
        now, absence = asyncio.get_running_loop().time, self.tally.absence
        last_away = now()
        longest = last_away + absence.limit + _LAST_NEWS_SECONDS
        open_tables = {seating.table_id for seating, _ in self._scores if not seating.left}
        awaited = {task for task, one in self._watched() if one.table_id not in open_tables}
        while awaited and not absence.over and now() < min(last_away + _LAST_NEWS_SECONDS, longest):
            done, awaited = await asyncio.wait(awaited, timeout=_LOOK_SECONDS)
            for task in done:
                task.result()
            if any(one.away for _, one in self._watched()):
                last_away = now()
        for task, one in self._watched():
            if task in awaited and one.away:
                self.tally.unchecked.append(f"{task.get_name()}: there is no server")
            elif task in awaited:
                self.tally.complain(task.get_name(), "not told that the table has closed")

    def _watched(self) -> Iterator[tuple[asyncio.Task[bool], Watcher]]:
        return zip(self._watching, self._watchers, strict=True)
