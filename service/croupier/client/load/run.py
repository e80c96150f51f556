"""A run from its first table to its report: opens, plays for the time planned, leaves, reads ledger and history."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final

from grpc.aio import AioRpcError

from croupier.client import Croupier, CroupierError, Retry
from croupier.client.load.audit import audit
from croupier.client.load.dice import Dice
from croupier.client.load.history.check import Checked, Told, check
from croupier.client.load.history.heard import Heard
from croupier.client.load.history.log import Log
from croupier.client.load.history.recorder import RecordedAct, RecordedCroupier, Recorder
from croupier.client.load.plan import Plan
from croupier.client.load.report import Report, mark, report
from croupier.client.load.score import Watcher
from croupier.client.load.seating import Seating, house_of, offer_of, open_table
from croupier.client.load.table import GivenUp, LoadTable, Setting
from croupier.client.load.tally import Tally, TooManyWrong
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub
from croupier.v1.house_pb2 import House
from croupier.v1.table_service_pb2_grpc import TableServiceStub

Progress = Callable[[float, Tally], None]
"""Called a few times a second with the seconds measured so far, negative while warming up."""

_AT_ONCE: Final = 32
_LAST_NEWS_SECONDS: Final = 10.0


async def run(plan: Plan, progress: Progress | None = None) -> Report:
    """Plays as planned. Wrong answers are in the report; raises Unanswered where there is no server,
    ValueError where the house does not offer what is planned.
    """
    retry = Retry(attempts=4, timeout=30.0)
    with Log(plan.history) as log:
        recorder = Recorder(log)
        async with (
            RecordedCroupier(
                plan.target, recorder, credentials=plan.credentials, token=plan.token, retry=retry
            ) as client,
            Croupier(plan.target, credentials=plan.credentials, token=plan.token) as spectator,
        ):
            show = progress or (lambda _seconds, _tally: None)
            return await _Run(plan, client, spectator, recorder, show).whole()


class _Run:
    def __init__(
        self, plan: Plan, client: Croupier, spectator: Croupier, recorder: Recorder, progress: Progress
    ) -> None:
        self.plan: Final = plan
        self.client: Final = client
        self.tally: Final = Tally()
        self.run_id: Final = uuid.uuid4().hex[:8]
        self.over = False
        self.tables: list[LoadTable] = []
        self.scores: list[tuple[Seating, Watcher | None]] = []
        self.watching: list[asyncio.Task[bool]] = []
        self._heard: Final[defaultdict[str, list[Heard]]] = defaultdict(list)
        self._recorder: Final = recorder
        self._reader: Final = spectator
        self._quiet: Seating | None = None
        self._watch: Final = TableServiceStub(spectator.channel).WatchTable
        self._act: Final = RecordedAct(recorder, BettingServiceStub(client.channel).Act)
        self._progress: Final = progress
        now = mark(self.tally, time.monotonic())
        self._begin, self._end = now, now

    async def whole(self) -> Report:
        house = await self._house()
        ledger_entries, rake = 0, 0
        try:
            await self._open(house)
            await self._play()
            await self._leave()
            await self._last_news()
            ledger, wrong = await audit(self.client, self.scores)
            ledger_entries = ledger.entries
            rake = sum(ledger.rake[seating.table_id] for seating, _ in self.scores)
            for what in wrong:
                self.tally.wrong.append(what)
        except* TooManyWrong as too_many:
            self.tally.wrong.append(f"given up after {too_many.exceptions[0]}")
        finally:
            for task in self.watching:
                task.cancel()
            await asyncio.gather(*self.watching, return_exceptions=True)
            self._recorder.close()
        checked = await self._check()
        return report(
            self.tally,
            self._begin,
            self._end,
            request_prefix=f"act-{self.run_id}-",
            ledger_entries=ledger_entries,
            rake=rake,
            checked=checked,
        )

    async def _check(self) -> Checked | None:
        """Holds all that was recorded against the service's history; None where that could not be read."""
        try:
            checked = await check(self._reader, self._watch, Told(self._recorder.log, self._heard))
        except (CroupierError, AioRpcError) as failure:
            self.tally.wrong.append(f"the history cannot be read: {failure}")
            return None
        self.tally.wrong.extend(str(finding) for finding in checked.findings)
        return checked

    async def _house(self) -> House:
        house = await house_of(self.client, self.plan.house_id)
        offer_of(house, self.plan)
        return house

    async def _open(self, house: House) -> None:
        """All tables with their watchers and players, a few at a time."""
        turn = asyncio.Semaphore(_AT_ONCE)

        async def one(number: int) -> None:
            async with turn:
                seating = await open_table(self.client, self.plan, house, self.run_id, number)
                self.scores.append((seating, self._spectators(seating)))
                await seating.seat_all()
                setting = Setting(self.client, self._act, self.tally, self.plan.probes)
                dice = Dice(self.plan.seed * 1_000_003 + number)
                self.tables.append(LoadTable(setting, seating, f"{self.run_id}-{number}", dice))

        await _together(self._guarded("opening a table", one(number)) for number in range(self.plan.tables))
        if self.plan.idle_watchers:
            self._quiet = await open_table(self.client, self.plan, house, self.run_id, self.plan.tables)
            for _ in range(self.plan.idle_watchers):
                self._spectator(self._quiet)

    def _spectators(self, seating: Seating) -> Watcher | None:
        watchers = [self._spectator(seating) for _ in range(self.plan.watchers_per_table)]
        return watchers[0] if watchers else None

    def _spectator(self, seating: Seating) -> Watcher:
        watcher = Watcher(seating.table_id, seating.sequence, self.tally)
        self._heard[seating.table_id].append(watcher.heard)
        where = f"watching {seating.table_id}"
        follow = self._guarded(where, watcher.follow(self._watch))
        self.watching.append(asyncio.create_task(follow, name=where))
        return watcher

    async def _play(self) -> None:
        callers = min(self.plan.callers or len(self.tables), len(self.tables))
        async with asyncio.TaskGroup() as group:
            group.create_task(self._keep_time())
            for number in range(callers):
                group.create_task(self._drive(self.tables[number::callers]))

    async def _drive(self, tables: list[LoadTable]) -> None:
        """One caller: the tables in turn, one request under way. Tables that fail are left alone."""
        playing = list(tables)
        while playing and not self.over:
            for table in tables:
                if self.over or table not in playing:
                    continue
                if not await self._guarded(f"table {table.table_id}", table.step()):
                    playing.remove(table)

    async def _keep_time(self) -> None:
        begin = time.monotonic() + self.plan.warm_up
        await self._wait_until(begin, begin)
        self._begin = mark(self.tally, time.monotonic())
        await self._wait_until(begin + self.plan.seconds, begin)
        while self._recorder.log.count < self.plan.operations:
            await self._wait_until(time.monotonic() + 1, begin)
        self._end = mark(self.tally, time.monotonic())
        self.over = True

    async def _wait_until(self, moment: float, begin: float) -> None:
        while (left := moment - time.monotonic()) > 0:
            self._progress(moment - left - begin, self.tally)
            await asyncio.sleep(min(0.25, left))

    async def _leave(self) -> None:
        turn = asyncio.Semaphore(_AT_ONCE)

        async def one(table: LoadTable) -> None:
            async with turn:
                await self._guarded(f"leaving {table.table_id}", table.leave())

        await _together(one(table) for table in self.tables)
        if self._quiet is not None:
            await self.client.close_table(self._quiet.table_id)

    async def _last_news(self) -> None:
        """Waits for the watchers to hear that their tables have closed."""
        if self.watching:
            done, pending = await asyncio.wait(self.watching, timeout=_LAST_NEWS_SECONDS)
            for task in done:
                task.result()
            for task in pending:
                self.tally.complain(task.get_name(), "not told that the table has closed")

    async def _guarded(self, where: str, work: Coroutine[Any, Any, None]) -> bool:
        """Does the work; what goes wrong with it is a wrong answer of the server's. Whether it went well."""
        try:
            await work
        except (GivenUp, CroupierError, AioRpcError) as failure:
            self.tally.complain(where, str(failure))
            return False
        return True


async def _together(work: Iterable[Coroutine[Any, Any, Any]]) -> None:
    async with asyncio.TaskGroup() as group:
        for each in work:
            group.create_task(each)
