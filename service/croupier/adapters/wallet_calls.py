"""Calls of an operator's WalletService: deadlines, repetitions with growing pauses, what became of unanswered ones.

It knows what an answer is, not what it means.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

import structlog
from grpc import aio

from croupier.adapters.credentials import files
from croupier.room.wallet_ports import WalletAway
from croupier.v1 import wallet_service_pb2 as pb
from croupier.v1.wallet_service_pb2_grpc import WalletServiceStub

ATTEMPTS: Final = 3
"""How often one step is asked for before whoever needs it is told that the wallet is away."""
FIRST_PAUSE_S: Final = 0.05
_OPTIONS: Final = [
    # Left alone, gRPC waits for up to two minutes before it looks again for a wallet that was away.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.keepalive_time_ms", 30_000),
]

Metadata = tuple[tuple[str, str], ...]


class TokenFile:
    """A bearer token in a file, read again when that has changed. Raises CredentialsFileError where it is unfit."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mark = files.mark(path)
        self._metadata = self._read()

    def metadata(self) -> Metadata:
        """What each call carries. A file that has become unfit leaves the last token in use."""
        mark = files.mark(self._path)
        if mark != self._mark:
            self._mark = mark
            try:
                self._metadata = self._read()
            except files.CredentialsFileError as failure:
                structlog.get_logger().error("wallet_token_not_read", why=str(failure))
        return self._metadata

    def _read(self) -> Metadata:
        content = files.read(self._path, "--wallet-token-file", secret=True).strip()
        if not content or not content.isascii() or not content.decode().isprintable():
            raise files.CredentialsFileError(f"{self._path} holds no token: one line of text")
        return (("authorization", f"Bearer {content.decode()}"),)


class WalletCalls:
    """One channel to the service at `target`, HOST:PORT; `timeout` is each call's deadline in seconds."""

    def __init__(self, target: str, timeout: float, token: TokenFile | None = None) -> None:
        self._target = target
        self._timeout = timeout
        self._token = token
        self._channel = aio.insecure_channel(target, options=_OPTIONS)
        self._stub: Any = WalletServiceStub(self._channel)
        self._log = structlog.get_logger()
        self._answers = True

    async def available(self, player_id: str, currency: str) -> int:
        """What the wallet says. Raises WalletAway."""
        request = pb.GetAvailableRequest(player_id=player_id, currency=currency)
        for attempt in range(ATTEMPTS):
            await _pause(attempt)
            answer = await self._call("GetAvailable", request)
            if answer is not None:
                return int(answer.available)
        raise WalletAway("GetAvailable has no answer")

    async def step(self, name: str, request: Any, done: Collection[int]) -> Any | None:
        """The answer to a step of a transfer; None where there is none, and the transfer is in a state `done`.

        Raises WalletAway where neither is known: the step may have been done.
        """
        status = pb.GetTransferStatusRequest(transfer_id=request.transfer.transfer_id)
        for attempt in range(ATTEMPTS):
            await _pause(attempt)
            if attempt:
                found = await self._call("GetTransferStatus", status)
                if found is not None and found.state in done:
                    return None
            answer = await self._call(name, request)
            if answer is not None and answer.outcome != pb.WALLET_OUTCOME_UNSPECIFIED:
                return answer
        raise WalletAway(f"{name} has no answer")

    async def close(self) -> None:
        """End the channel."""
        await self._channel.close()

    async def _call(self, name: str, request: Any) -> Any | None:
        """One call; None where it has no answer. That the wallet is away, and that it is back, is logged once."""
        metadata = self._token.metadata() if self._token is not None else None
        try:
            answer = await getattr(self._stub, name)(request, timeout=self._timeout, metadata=metadata)
        except aio.AioRpcError as failure:
            self._tell(answers=False, call=name, code=failure.code().name, why=failure.details())
            return None
        self._tell(answers=True)
        return answer

    def _tell(self, *, answers: bool, **facts: str | None) -> None:
        if answers != self._answers:
            self._answers = answers
            tell = self._log.info if answers else self._log.warning
            tell("wallet_found" if answers else "wallet_lost", wallet=self._target, **facts)


async def _pause(attempt: int) -> None:
    if attempt:
        await asyncio.sleep(FIRST_PAUSE_S * 2 ** (attempt - 1))
