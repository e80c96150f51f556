"""RemoteWallet: players' money in a wallet that an operator serves; in the ledger, what went out of it and came back.

What the answers mean is decided here; how they are got is wallet_calls.py's business.
"""

from __future__ import annotations

from typing import Any, Final

import structlog

from croupier.adapters.embedded_wallet import EmbeddedWallet, TransferVoided
from croupier.adapters.wallet_calls import WalletCalls
from croupier.room import accounts
from croupier.room.ports import Store
from croupier.room.wallet_ports import Transfer, WalletAway, WalletRefused
from croupier.v1 import wallet_service_pb2 as pb

LONGEST_WHY: Final = 64
_DIRECTIONS: Final = {
    "to_table": pb.TRANSFER_DIRECTION_TO_TABLE,
    "to_wallet": pb.TRANSFER_DIRECTION_TO_WALLET,
}


class RemoteWallet:
    """The room's `Wallet` over a WalletService.

    A step is done once the wallet has answered and the ledger has written it; every step can be repeated. An answer
    that the contract has no place for is logged, and raised as WalletAway: the saga waits for a better one.
    """

    in_ledger = False

    def __init__(self, calls: WalletCalls, store: Store) -> None:
        self._calls = calls
        self._ledger = EmbeddedWallet(store, accounts.outside)
        self._log = structlog.get_logger()
        self._told: set[tuple[str, str]] = set()

    async def available(self, player_id: str, currency: str) -> int:
        available = await self._calls.available(player_id, currency)
        if available < 0:
            raise self._broken("GetAvailable", player_id, str(available))
        return available

    async def reserve(self, transfer: Transfer) -> None:
        """Raises WalletRefused, TransferVoided, WalletAway."""
        request = pb.ReserveRequest(transfer=_message(transfer))
        done = (pb.TRANSFER_STATE_RESERVED, pb.TRANSFER_STATE_POSTED)
        answer = await self._calls.step("Reserve", request, done)
        if answer is None:
            answer = pb.ReserveResponse(outcome=pb.WALLET_OUTCOME_DONE)
        outcome = answer.outcome
        if outcome == pb.WALLET_OUTCOME_INSUFFICIENT_FUNDS:
            raise WalletRefused(answer.available)
        if outcome == pb.WALLET_OUTCOME_DECLINED:
            raise WalletRefused(answer.available, _printable(answer.why) or "declined")
        if outcome == pb.WALLET_OUTCOME_VOIDED:
            raise TransferVoided(answer.available)
        self._must_be_done("Reserve", transfer, outcome)
        await self._ledger.reserve(transfer)

    async def post(self, transfer: Transfer) -> None:
        """Raises WalletAway."""
        request = pb.PostRequest(transfer=_message(transfer))
        answer = await self._calls.step("Post", request, (pb.TRANSFER_STATE_POSTED,))
        self._must_be_done("Post", transfer, pb.WALLET_OUTCOME_DONE if answer is None else answer.outcome)
        await self._ledger.post(transfer)

    async def void(self, transfer: Transfer) -> None:
        """Raises WalletAway."""
        request = pb.VoidRequest(transfer=_message(transfer))
        answer = await self._calls.step("Void", request, (pb.TRANSFER_STATE_VOIDED,))
        self._must_be_done("Void", transfer, pb.WALLET_OUTCOME_DONE if answer is None else answer.outcome)
        await self._ledger.void(transfer)

    def _must_be_done(self, step: str, transfer: Transfer, outcome: Any) -> None:
        if outcome != pb.WALLET_OUTCOME_DONE:
            known = outcome in pb.WalletOutcome.values()
            told = pb.WalletOutcome.Name(outcome) if known else str(outcome)
            raise self._broken(step, transfer.transfer_id, told)

    def _broken(self, step: str, about: str, told: str) -> WalletAway:
        """What is told of a transfer is logged once: the saga asks again and again."""
        if (step, about) not in self._told:
            self._told.add((step, about))
            self._log.error("wallet_broke_its_contract", step=step, about=about, told=told)
        return WalletAway(f"{step} of {about}: {told}")


def _message(transfer: Transfer) -> pb.Transfer:
    return pb.Transfer(
        transfer_id=transfer.transfer_id,
        player_id=transfer.player_id,
        currency=transfer.currency,
        amount=transfer.amount,
        direction=_DIRECTIONS[transfer.direction],
    )


def _printable(why: str) -> str:
    return "".join(letter for letter in why if letter.isprintable())[:LONGEST_WHY]
