"""Server reflection: tells the contract to whoever has a credential, where any is configured."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

from croupier.adapters.rpc.gate import Gate
from croupier.adapters.rpc.refusals import status_of
from croupier.room.failures import Refusal


class Reflection:
    """grpc.reflection behind the gate."""

    def __init__(self, gate: Gate, names: Sequence[str]) -> None:
        self._gate = gate
        self._servicer: Any = reflection.aio.ReflectionServicer(names)

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
