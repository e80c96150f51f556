"""The connections of a run: all that one does is recorded, what the other reads is not. Decides nothing."""

from __future__ import annotations

from contextlib import AsyncExitStack
from time import monotonic_ns
from typing import Final, NamedTuple

from grpc.aio import UnaryUnaryMultiCallable

from croupier.client import Croupier
from croupier.client.load.absence import Absence
from croupier.client.load.history.log import Log
from croupier.client.load.history.recorder import Act, RecordedAct, RecordedCroupier, Recorder
from croupier.client.load.patience import UPKEEP, planned
from croupier.client.load.plan import Plan
from croupier.client.load.play_acts import PlayActs, streams_for
from croupier.client.load.tally import Tally
from croupier.client.retry import Request, Response, Retry, repeatedly
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub


class Means(NamedTuple):
    """What a run has to itself."""

    run_id: str
    client: RecordedCroupier
    reader: Croupier
    recorder: Recorder


class _Reader(Croupier):
    """Waits for a server no longer than the run does."""

    def __init__(self, plan: Plan, retry: Retry, absence: Absence) -> None:
        super().__init__(plan.target, credentials=plan.credentials, token=plan.token, retry=retry)
        self._absence: Final = absence

    async def _call(self, method: UnaryUnaryMultiCallable[Request, Response], request: Request) -> Response:
        response = await repeatedly(self.retry, method, request, self._absence.wait)
        self._absence.answered(monotonic_ns())
        return response


async def means_of(plan: Plan, run_id: str, tally: Tally, opened: AsyncExitStack) -> Means:
    """They last as long as what is `opened`."""
    retry = planned(plan) or UPKEEP
    log = opened.enter_context(Log(plan.history))
    recorder = Recorder(log, tally.timing.other, tally.again, tally.absence)
    client = RecordedCroupier(
        plan.target, recorder, credentials=plan.credentials, token=plan.token, retry=retry
    )
    reader = _Reader(plan, retry, tally.absence)
    return Means(
        run_id,
        await opened.enter_async_context(client),
        await opened.enter_async_context(reader),
        recorder,
    )


async def acting(plan: Plan, means: Means, opened: AsyncExitStack) -> Act:
    """How actions are sent; streams last as long as what is `opened`."""
    if plan.via == "act":
        return RecordedAct(means.recorder, BettingServiceStub(means.client.channel).Act, planned(plan))
    streams = [
        await opened.enter_async_context(means.client.play_stream(f"load-{means.run_id}-{number}"))
        for number in range(streams_for(plan.tables))
    ]
    return PlayActs(means.recorder, streams)
