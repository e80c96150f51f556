"""A lying proxy before a wallet: requests and answers get lost, come late or twice, and calls can be held."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from enum import Enum, auto
from typing import Final

import grpc
from grpc import StatusCode, aio

Context = aio.ServicerContext[bytes, bytes]


class Fault(Enum):
    """What becomes of one call."""

    NONE = auto()
    REQUEST_LOST = auto()
    ANSWER_LOST = auto()
    ANSWER_LATE = auto()
    DOUBLED = auto()
    REQUEST_LATE = auto()
    """The caller is told that the wallet is away; the request comes to it later all the same."""


class WalletProxy(grpc.GenericRpcHandler):
    """`fault` is asked for every call, by the RPC's name, until it is taken back; late is `late` seconds later."""

    def __init__(self, upstream: aio.Channel, late: float) -> None:
        self._upstream = upstream
        self._late = late
        self._floating: set[asyncio.Task[bytes]] = set()
        self.fault: Callable[[str], Fault] = lambda _: Fault.NONE
        self.counts: dict[Fault, int] = dict.fromkeys(Fault, 0)
        self._held: tuple[str, str] | None = None
        self.holding: Final = asyncio.Event()
        self._let_go = asyncio.Event()

    def hold(self, moment: str, name: str) -> None:
        """Hold the next call of an RPC "before" the wallet hears of it, or "after" it has done it."""
        self._held = (moment, name)
        self.holding.clear()
        self._let_go.clear()

    def let_go(self) -> None:
        """Let the call that is held go on."""
        self._held = None
        self._let_go.set()

    async def calm(self) -> None:
        """No more faults; what is late has come."""
        self.fault = lambda _: Fault.NONE
        self.let_go()
        await asyncio.gather(*self._floating)

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        path = handler_call_details.method
        return grpc.unary_unary_rpc_method_handler(self._handler(path, path.rpartition("/")[2]))

    def _handler(self, path: str, name: str) -> Callable[..., object]:
        async def handle(request: bytes, context: Context) -> bytes:
            """A caller that has gone away does not take back what is on its way."""
            await self._pass("before", name)
            fault = self.fault(name)
            self.counts[fault] += 1
            if fault is Fault.REQUEST_LOST:
                await context.abort(StatusCode.UNAVAILABLE, "lost on its way")
            if fault is Fault.REQUEST_LATE:
                self._float(self._sent(path, request, self._late))
                await context.abort(StatusCode.UNAVAILABLE, "late")
            sent = [self._float(self._sent(path, request))]
            if fault is Fault.DOUBLED:
                sent.append(self._float(self._sent(path, request)))
            answers = await asyncio.shield(asyncio.gather(*sent))
            await self._pass("after", name)
            if fault is Fault.ANSWER_LOST:
                await context.abort(StatusCode.UNAVAILABLE, "the answer was lost")
            if fault is Fault.ANSWER_LATE:
                await asyncio.sleep(self._late)
            return answers[-1]

        return handle

    def _float(self, sending: asyncio.Future[bytes] | object) -> asyncio.Task[bytes]:
        task: asyncio.Task[bytes] = asyncio.ensure_future(sending)  # type: ignore[arg-type]
        self._floating.add(task)
        task.add_done_callback(self._floating.discard)
        return task

    async def _sent(self, path: str, request: bytes, after: float = 0) -> bytes:
        await asyncio.sleep(after)
        call: aio.UnaryUnaryMultiCallable[bytes, bytes] = self._upstream.unary_unary(path)
        return await call(request)

    async def _pass(self, moment: str, name: str) -> None:
        if self._held == (moment, name):
            self._held = None
            self.holding.set()
            await self._let_go.wait()


@asynccontextmanager
async def proxied(target: str, port: int, *, late: float) -> AsyncIterator[WalletProxy]:
    """A proxy of the wallet at `target`, listening on a port."""
    async with aio.insecure_channel(target) as upstream:
        server = aio.server(options=[("grpc.so_reuseport", 0)])
        proxy = WalletProxy(upstream, late)
        server.add_generic_rpc_handlers([proxy])
        assert server.add_insecure_port(f"127.0.0.1:{port}") == port
        await server.start()
        try:
            yield proxy
        finally:
            await proxy.calm()
            await server.stop(None)
