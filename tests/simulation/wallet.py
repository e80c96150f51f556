"""An operator's wallet outside, and the way to it, on which requests and answers are lost, late and doubled."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from tests.simulation.chance import Chance
from tests.simulation.life import Life
from tests.simulation.scenario import Faults
from tests.simulation.world import MS, NS, World

from croupier.adapters.wallet_calls import WalletCalls
from croupier.v1 import wallet_service_pb2 as pb

DEADLINE: Final = 2 * NS
DECLINED_ONE_IN: Final = 12


class OutsideWallet:
    """Keeps to the contract of WalletService; `paid` is what every player was paid out in all."""

    def __init__(self, chance: Chance) -> None:
        self.available: dict[str, int] = {}
        self.reserved: dict[str, int] = {}
        self._chance = chance
        self._states: dict[str, int] = {}

    def answer(self, name: str, request: Any) -> Any:
        """What a call is answered."""
        if name == "GetAvailable":
            return pb.GetAvailableResponse(available=self.available.get(request.player_id, 0))
        if name == "GetTransferStatus":
            known = self._states.get(request.transfer_id, pb.TRANSFER_STATE_UNKNOWN)
            return pb.GetTransferStatusResponse(state=known)  # type: ignore[arg-type]
        return getattr(self, f"_{name.lower()}")(request.transfer)

    def _reserve(self, transfer: pb.Transfer) -> pb.ReserveResponse:
        held = self.available.get(transfer.player_id, 0)
        state = self._states.get(transfer.transfer_id)
        if state == pb.TRANSFER_STATE_VOIDED:
            return pb.ReserveResponse(outcome=pb.WALLET_OUTCOME_VOIDED, available=held)
        if state is None:
            if held < transfer.amount:
                return pb.ReserveResponse(outcome=pb.WALLET_OUTCOME_INSUFFICIENT_FUNDS, available=held)
            if self._chance.one_in(DECLINED_ONE_IN):
                return pb.ReserveResponse(outcome=pb.WALLET_OUTCOME_DECLINED, available=held, why="limit")
            self.available[transfer.player_id] = held - transfer.amount
            self.reserved[transfer.transfer_id] = transfer.amount
            self._states[transfer.transfer_id] = pb.TRANSFER_STATE_RESERVED
        return pb.ReserveResponse(outcome=pb.WALLET_OUTCOME_DONE)

    def _post(self, transfer: pb.Transfer) -> pb.PostResponse:
        state = self._states.get(transfer.transfer_id)
        if state == pb.TRANSFER_STATE_VOIDED:
            return pb.PostResponse(outcome=pb.WALLET_OUTCOME_VOIDED)
        if state == pb.TRANSFER_STATE_POSTED:
            return pb.PostResponse(outcome=pb.WALLET_OUTCOME_DONE)
        if transfer.direction == pb.TRANSFER_DIRECTION_TO_WALLET:
            self.available[transfer.player_id] = self.available.get(transfer.player_id, 0) + transfer.amount
        elif state is None:
            return pb.PostResponse(outcome=pb.WALLET_OUTCOME_NOT_RESERVED)
        else:
            del self.reserved[transfer.transfer_id]
        self._states[transfer.transfer_id] = pb.TRANSFER_STATE_POSTED
        return pb.PostResponse(outcome=pb.WALLET_OUTCOME_DONE)

    def _void(self, transfer: pb.Transfer) -> pb.VoidResponse:
        state = self._states.get(transfer.transfer_id)
        if state == pb.TRANSFER_STATE_POSTED:
            return pb.VoidResponse(outcome=pb.WALLET_OUTCOME_POSTED)
        if state == pb.TRANSFER_STATE_RESERVED:
            self.available[transfer.player_id] += self.reserved.pop(transfer.transfer_id)
        self._states[transfer.transfer_id] = pb.TRANSFER_STATE_VOIDED
        return pb.VoidResponse(outcome=pb.WALLET_OUTCOME_DONE)


class SimulatedCalls(WalletCalls):
    """The service's own calls in one life; what it sends may arrive long after it was given up."""

    def __init__(
        self, world: World, chance: Chance, faults: Faults, life: Life, wallet: OutsideWallet
    ) -> None:
        self._world = world
        self._chance = chance
        self._faults = faults
        self._life = life
        self._wallet = wallet

    async def _call(self, name: str, request: Any) -> Any | None:
        world, chance = self._world, self._chance
        waiter = self._life.future()
        losses = 0 if world.healed else self._faults.wallet_loss
        late = chance.one_in(2 * losses)
        arrives = world.now + (chance.between(3 * NS, 60 * NS) if late else chance.below(20 * MS))
        if late:
            world.fault("late wallet request")
        if chance.one_in(losses):
            world.fault("lost wallet request")
        else:
            world.at(arrives, None, self._arrived, name, request, waiter, chance.one_in(losses))
        if not world.healed and chance.one_in(self._faults.wallet_doubling):
            world.fault("doubled wallet request")
            again = world.now + chance.choice((MS, 100 * MS, 5 * NS, 120 * NS))
            world.at(again, None, self._wallet.answer, name, request)
        deadline = world.at(world.now + DEADLINE, self._life, _resolve, waiter, None)
        answer = await waiter
        deadline.cancel()
        return answer

    def _arrived(self, name: str, request: Any, waiter: asyncio.Future[Any], lost: bool) -> None:
        answer = self._wallet.answer(name, request)
        if lost:
            self._world.fault("lost wallet answer")
            return
        self._world.at(self._world.now + self._chance.below(20 * MS), self._life, _resolve, waiter, answer)


def _resolve(waiter: asyncio.Future[Any], answer: Any) -> None:
    if not waiter.done():
        waiter.set_result(answer)
