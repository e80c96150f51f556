"""Server reflection: tells the contract to whoever has a credential, where any is configured."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import grpc
from google.protobuf import descriptor_pool
from grpc_reflection.v1alpha import reflection, reflection_pb2

from croupier.adapters.rpc.gate import Gate
from croupier.adapters.rpc.refusals import status_of
from croupier.room.failures import Refusal


class _Symbols:
    """The descriptors of the contract, where methods are found by their full names too: ghz asks for them so."""

    def __init__(self) -> None:
        self._pool: Any = descriptor_pool.Default()

    def FindFileContainingSymbol(self, symbol: str) -> Any:
        try:
            return self._pool.FindFileContainingSymbol(symbol)
        except KeyError:
            return self._pool.FindMethodByName(symbol).containing_service.file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)


class Reflection:
    """grpc.reflection behind the gate."""

    def __init__(self, gate: Gate, names: Sequence[str]) -> None:
        self._gate = gate
        self._servicer: Any = reflection.aio.ReflectionServicer(names, pool=_Symbols())

    def handlers(self) -> grpc.GenericRpcHandler:
        """To be added to a server."""
        method = grpc.stream_stream_rpc_method_handler(
            self._tell,
            request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
            response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
        )
        return grpc.method_handlers_generic_handler(reflection.SERVICE_NAME, {"ServerReflectionInfo": method})

    async def _tell(
        self, requests: AsyncIterator[Any], context: grpc.aio.ServicerContext[Any, Any]
    ) -> AsyncIterator[Any]:
        try:
            self._gate.caller(context)
        except Refusal as refusal:
            await context.abort_with_status(status_of(refusal))
        async for answer in self._servicer.ServerReflectionInfo(requests, context):
            yield answer
