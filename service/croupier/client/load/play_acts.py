"""Act by Play streams: what is taken down is what the client library's stream was asked for and answered."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final
from zlib import crc32

from grpc import StatusCode

from croupier.client.errors import CroupierError, Unanswered
from croupier.client.load.history.recorder import Recorder
from croupier.client.play import MOST_ACTS, Play
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.hand_pb2 import Decision


def streams_for(tables: int) -> int:
    """So many streams that no action has to wait for another's result."""
    return -(-tables // MOST_ACTS) if tables else 1


class PlayActs:
    """A table's actions always go by the same stream. The stream is patient: what a broken one left is sent again."""

    def __init__(self, recorder: Recorder, streams: Sequence[Play]) -> None:
        self._recorder: Final = recorder
        self._streams: Final = streams

    async def __call__(self, request: ActRequest, *, timeout: float) -> ActResponse:
        stream = self._streams[crc32(request.table_id.encode()) % len(self._streams)]
        operation = self._recorder.sent(request)
        try:
            async with asyncio.timeout(timeout):
                response = await _by(stream, request)
        except CroupierError as error:
            self._recorder.failed(operation, error)
            raise
        except TimeoutError:
            self._recorder.failed(operation, None)
            raise Unanswered("", {}, StatusCode.DEADLINE_EXCEEDED, f"no result in {timeout} s") from None
        except BaseException:
            self._recorder.failed(operation, None)
            raise
        self._recorder.answered(operation, response)
        return response


async def _by(stream: Play, request: ActRequest) -> ActResponse:
    decision = Decision(
        hand_id=request.hand_id, player_id=request.player_id, action_sequence=request.action_sequence
    )
    return await stream.act(
        request.table_id,
        decision,
        request.action,
        request.amount,
        discards=request.discards,
        request_id=request.request_id,
    )
