"""Scripts of what a wallet holds and does not hold."""

from __future__ import annotations

import asyncio
from typing import Final

from grpc import StatusCode

from croupier.client.walletcheck.probe import TO_WALLET, Broken, Probe, outcome
from croupier.client.walletcheck.script import scripts_of
from croupier.v1 import wallet_service_pb2 as pb

INT64_MAX: Final = 2**63 - 1
INT64_MIN: Final = -(2**63)
_AT_ONCE: Final = 100
_COVERED: Final = 3


async def insufficient_funds(probe: Probe) -> None:
    """A Reserve of more than is available reserves nothing, and says how much there is."""
    before = await probe.available()
    transfer = probe.transfer(before + 1)
    for _ in range(2):
        answer = await probe.must(probe.reserve, transfer, "INSUFFICIENT_FUNDS")
        if answer.available != before:
            raise Broken(f"the refusal says that {answer.available} is available, not {before}")
    await probe.must_have(before, "after a refused Reserve")
    await probe.must(probe.post, transfer, "NOT_RESERVED")
    await probe.must(probe.void, transfer, "DONE")
    await probe.must_have(before, "after voiding it")


async def to_the_last_chip(probe: Probe) -> None:
    """All that is available can be reserved, and not a chip more."""
    before = await probe.available()
    everything, one = probe.transfer(before), probe.transfer(1)
    await probe.must(probe.reserve, everything, "DONE")
    await probe.must_have(0, "after reserving everything")
    await probe.must(probe.reserve, one, "INSUFFICIENT_FUNDS")
    await probe.must(probe.void, everything, "DONE")
    await probe.must_have(before, "after voiding that")


async def concurrent_reserves(probe: Probe) -> None:
    """Of a hundred reservations at once, where there are chips for three, three are done."""
    before = await probe.available()
    amount = before // _COVERED
    transfers = [probe.transfer(amount) for _ in range(_AT_ONCE)]
    answers = await asyncio.gather(*(probe.reserve(transfer) for transfer in transfers))
    told = [outcome(answer) for answer in answers]
    if told.count("DONE") != _COVERED or told.count("INSUFFICIENT_FUNDS") != _AT_ONCE - _COVERED:
        raise Broken(f"{told.count('DONE')} of {_AT_ONCE} reservations were done, not {_COVERED}")
    await probe.must_have(before - _COVERED * amount, f"after {_COVERED} reservations of {amount}")


async def int64_edges(probe: Probe) -> None:
    """The greatest amount there is overflows nothing; an amount below 1 is INVALID_ARGUMENT and moves nothing."""
    before = await probe.available()
    for amount in (INT64_MAX, INT64_MAX - before, INT64_MAX - 1):
        await probe.must(probe.reserve, probe.transfer(amount), "INSUFFICIENT_FUNDS")
    for amount in (0, -1, INT64_MIN):
        for name, request in (
            ("Reserve", pb.ReserveRequest(transfer=probe.transfer(amount))),
            ("Post", pb.PostRequest(transfer=probe.transfer(amount, TO_WALLET))),
        ):
            status = await probe.status_of(name, request)
            if status is not StatusCode.INVALID_ARGUMENT:
                raise Broken(f"{name} of {amount} ended with {status.name}, not INVALID_ARGUMENT")
    await probe.must_have(before, "after amounts at the edges")


async def unknown_player(probe: Probe) -> None:
    """A player never heard of has nothing."""
    transfer = probe.transfer(1)
    transfer.player_id = f"nobody-{transfer.transfer_id}"
    available = await probe.available(transfer.player_id)
    if available:
        raise Broken(f"a player never heard of has {available}")
    await probe.must(probe.reserve, transfer, "INSUFFICIENT_FUNDS")


SCRIPTS: Final = scripts_of(
    insufficient_funds, to_the_last_chip, concurrent_reserves, int64_edges, unknown_player
)
