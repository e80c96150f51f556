"""A wallet under test: calls of it, what must come of them, and putting back what a script has moved."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from grpc import StatusCode, aio

from croupier.v1 import wallet_service_pb2 as pb
from croupier.v1.wallet_service_pb2_grpc import WalletServiceStub

TO_TABLE: Final = pb.TRANSFER_DIRECTION_TO_TABLE
TO_WALLET: Final = pb.TRANSFER_DIRECTION_TO_WALLET
_TRIES: Final = 3
_AGAIN: Final = (StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED, StatusCode.ABORTED)
_PAUSE_S: Final = 0.2


class Wanted(NamedTuple):
    """Who to test with: `player_id` has `funds` chips of `currency`, nothing else moves them meanwhile."""

    target: str
    player_id: str
    currency: str
    funds: int
    token: str = ""
    timeout: float = 5.0


class Unreachable(Exception):
    """Raised where a call has no answer, however often it is made."""


class Broken(Exception):
    """Raised by a script for what the contract does not allow."""


class Probe:
    """One script's way to the wallet. Names of its transfers are new ones, all beginning alike."""

    def __init__(self, channel: aio.Channel, wanted: Wanted) -> None:
        self._stub: Any = WalletServiceStub(channel)
        self._metadata = (("authorization", f"Bearer {wanted.token}"),) if wanted.token else ()
        self._timeout = wanted.timeout
        self._prefix = f"check-{secrets.token_hex(8)}"
        self._named = 0
        self._taken: dict[str, pb.Transfer] = {}
        self._given: dict[str, pb.Transfer] = {}
        self.player_id: Final = wanted.player_id
        self.currency: Final = wanted.currency

    def transfer(self, amount: int, direction: pb.TransferDirection.ValueType = TO_TABLE) -> pb.Transfer:
        """A transfer that no wallet has heard of."""
        self._named += 1
        return pb.Transfer(
            transfer_id=f"{self._prefix}-{self._named}",
            player_id=self.player_id,
            currency=self.currency,
            amount=amount,
            direction=direction,
        )

    # calls

    async def reserve(self, transfer: pb.Transfer) -> pb.ReserveResponse:
        self._taken.setdefault(transfer.transfer_id, transfer)
        answer: pb.ReserveResponse = await self._call("Reserve", pb.ReserveRequest(transfer=transfer))
        return answer

    async def post(self, transfer: pb.Transfer) -> pb.PostResponse:
        answer: pb.PostResponse = await self._call("Post", pb.PostRequest(transfer=transfer))
        if answer.outcome == pb.WALLET_OUTCOME_DONE:
            kept = self._given if transfer.direction == TO_WALLET else self._taken
            kept.setdefault(transfer.transfer_id, transfer)
        return answer

    async def void(self, transfer: pb.Transfer) -> pb.VoidResponse:
        answer: pb.VoidResponse = await self._call("Void", pb.VoidRequest(transfer=transfer))
        return answer

    async def state(self, transfer: pb.Transfer) -> str:
        """What has become of it: UNKNOWN, RESERVED, POSTED or VOIDED."""
        request = pb.GetTransferStatusRequest(transfer_id=transfer.transfer_id)
        answer = await self._call("GetTransferStatus", request)
        return _name(pb.TransferState, answer.state, "TRANSFER_STATE_")

    async def available(self, player_id: str = "") -> int:
        request = pb.GetAvailableRequest(player_id=player_id or self.player_id, currency=self.currency)
        return int((await self._call("GetAvailable", request)).available)

    async def abandon(self, name: str, transfer: pb.Transfer) -> None:
        """Ask for a step and hang up without waiting."""
        self._taken.setdefault(transfer.transfer_id, transfer)
        request = {"Reserve": pb.ReserveRequest, "Post": pb.PostRequest, "Void": pb.VoidRequest}[name]
        call = getattr(self._stub, name)(request(transfer=transfer), timeout=0.002, metadata=self._metadata)
        try:
            await call
        except (aio.AioRpcError, asyncio.CancelledError):
            return

    async def status_of(self, name: str, request: Any) -> StatusCode:
        """The status that one call ends with."""
        try:
            await getattr(self._stub, name)(request, timeout=self._timeout, metadata=self._metadata)
        except aio.AioRpcError as failure:
            return failure.code()
        return StatusCode.OK

    async def _call(self, name: str, request: Any) -> Any:
        method = getattr(self._stub, name)
        tries = 0
        while True:
            tries += 1
            try:
                return await method(request, timeout=self._timeout, metadata=self._metadata)
            except aio.AioRpcError as failure:
                if tries == _TRIES or failure.code() not in _AGAIN:
                    told = f"{name} ended with {failure.code().name} {failure.details() or ''}"
                    raise Unreachable(told.rstrip()) from None
            await asyncio.sleep(_PAUSE_S)

    # what must be

    async def must(
        self, step: Callable[[pb.Transfer], Awaitable[Any]], transfer: pb.Transfer, *wanted: str
    ) -> Any:
        """The answer to a step, which must be one of the outcomes."""
        answer = await step(transfer)
        told = outcome(answer)
        if told not in wanted:
            raise Broken(f"{step.__name__} of {transfer.transfer_id} came to {told}, not {_either(wanted)}")
        return answer

    async def must_be(self, transfer: pb.Transfer, state: str) -> None:
        """Raises Broken unless the wallet says so of the transfer."""
        told = await self.state(transfer)
        if told != state:
            raise Broken(f"the status of {transfer.transfer_id} is {told}, not {state}")

    async def must_have(self, chips: int, when: str) -> None:
        """Raises Broken unless so much is available."""
        available = await self.available()
        if available != chips:
            raise Broken(f"{when}, {available} is available, not {chips}")

    async def put_back(self) -> None:
        """Leave the player with what there was, as far as the wallet lets it."""
        for transfer in list(self._taken.values()):
            if outcome(await self.void(transfer)) == "POSTED":
                back = self.transfer(transfer.amount, TO_WALLET)
                await self._call("Post", pb.PostRequest(transfer=back))
        for transfer in list(self._given.values()):
            again = self.transfer(transfer.amount)
            if outcome(await self.reserve(again)) == "DONE":
                await self.post(again)


def outcome(answer: Any) -> str:
    """How a step ended."""
    return _name(pb.WalletOutcome, answer.outcome, "WALLET_OUTCOME_")


def _name(kind: Any, number: int, prefix: str) -> str:
    return str(kind.Name(number)).removeprefix(prefix) if number in kind.values() else f"number {number}"


def _either(wanted: tuple[str, ...]) -> str:
    return " or ".join(wanted)
