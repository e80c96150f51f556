"""Takes down every call with its times and what came of it. Decides nothing, and delays no call."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from functools import partial
from time import monotonic_ns
from typing import Final, Protocol

from google.protobuf.message import Message
from grpc import ChannelCredentials
from grpc.aio import AioRpcError, UnaryUnaryMultiCallable

from croupier.client import Croupier
from croupier.client.bearer import Token
from croupier.client.errors import CroupierError, Refused, error_of
from croupier.client.load.absence import Absence
from croupier.client.load.history.log import Log
from croupier.client.load.history.operation import Operation, Outcome, Try
from croupier.client.load.history.wording import asked, told
from croupier.client.retry import Request, Response, Retry, away, repeatedly
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse

Again = Callable[[CroupierError], None]
"""Is told why of each try that was not answered, and is repeated."""
Timed = Callable[[str, int, int], None]
"""Is told of each answer: the method, when the request was sent, when the answer came."""


class Recorder:
    """Writes operations as they end; `close` writes those under way, of which nobody knows what came. `absence` is told
    of answers and of what got none, and says until when calls are repeated.
    """

    def __init__(
        self,
        log: Log,
        timed: Timed | None = None,
        again: Again | None = None,
        absence: Absence | None = None,
    ) -> None:
        self.log: Final = log
        self._absence: Final = absence or Absence(math.inf)
        self._again: Final = again
        self._timed: Final = timed
        self._under_way: Final[dict[int, Operation]] = {}

    def sent(self, request: Message) -> Operation:
        """A request is about to be sent."""
        operation = asked(request, monotonic_ns())
        self._under_way[id(operation)] = operation
        return operation

    def answered(self, operation: Operation, response: Message) -> None:
        """Its answer is here."""
        operation.ended = monotonic_ns()
        operation.outcome = Outcome.ANSWERED
        self._absence.answered(operation.ended)
        if self._timed is not None:
            self._timed(operation.method, operation.sent, operation.ended)
        told(operation, response)
        self._over(operation)

    def failed(self, operation: Operation, error: CroupierError | None) -> None:
        """It was refused; with any other error, or none, it may have been done."""
        if isinstance(error, Refused):
            operation.ended = monotonic_ns()
            operation.outcome = Outcome.REFUSED
        if error is None or away(error):
            self._absence.failed(operation.sent)
        if error is not None:
            operation.reason = error.reason or error.code.name
        self._over(operation)

    def repeated(self, operation: Operation, error: CroupierError) -> None:
        """One try failed, and another follows; raises the error where none is to."""
        self._absence.wait(error)
        operation.tries += (Try(monotonic_ns(), error.reason or error.code.name),)
        if self._again is not None:
            self._again(error)

    def close(self) -> None:
        """Nothing more will come."""
        for operation in list(self._under_way.values()):
            self._over(operation)

    def _over(self, operation: Operation) -> None:
        if self._under_way.pop(id(operation), None) is not None:
            self.log.add(operation)


class RecordedCroupier(Croupier):
    """A client all of whose calls but watches are taken down; repetitions of one call are one operation."""

    def __init__(
        self,
        target: str,
        recorder: Recorder,
        *,
        credentials: ChannelCredentials | None = None,
        token: Token = None,
        retry: Retry | None = None,
    ) -> None:
        super().__init__(target, credentials=credentials, token=token, retry=retry)
        self._recorder: Final = recorder

    async def _call(self, method: UnaryUnaryMultiCallable[Request, Response], request: Request) -> Response:
        operation = self._recorder.sent(request)
        try:
            response = await repeatedly(
                self.retry, method, request, partial(self._recorder.repeated, operation)
            )
        except CroupierError as error:
            self._recorder.failed(operation, error)
            raise
        except BaseException:
            self._recorder.failed(operation, None)
            raise
        self._recorder.answered(operation, response)
        return response


class Act(Protocol):
    """Act with what is to be sent made already: raises CroupierError."""

    def __call__(self, request: ActRequest, *, timeout: float) -> Awaitable[ActResponse]: ...


class RecordedAct:
    """Act, taken down: without the client's patience, unless some is given."""

    def __init__(
        self,
        recorder: Recorder,
        method: UnaryUnaryMultiCallable[ActRequest, ActResponse],
        retry: Retry | None = None,
    ) -> None:
        self._recorder: Final = recorder
        self._method: Final = method
        self._retry: Final = retry

    async def __call__(self, request: ActRequest, *, timeout: float) -> ActResponse:
        operation = self._recorder.sent(request)
        try:
            if self._retry is None:
                response = await self._method(request, timeout=timeout)
            else:
                response = await repeatedly(
                    self._retry, self._method, request, partial(self._recorder.repeated, operation)
                )
        except AioRpcError as failure:
            error = error_of(failure)
            self._recorder.failed(operation, error)
            raise error from None
        except CroupierError as error:
            self._recorder.failed(operation, error)
            raise
        except BaseException:
            self._recorder.failed(operation, None)
            raise
        self._recorder.answered(operation, response)
        return response
