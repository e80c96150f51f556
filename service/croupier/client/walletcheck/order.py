"""Scripts of steps that come in another order than they were sent in."""

from __future__ import annotations

import asyncio
from typing import Final

from croupier.client.walletcheck.probe import Broken, Probe, outcome
from croupier.client.walletcheck.script import scripts_of

_PAIRS = 25


async def void_before_reserve(probe: Probe) -> None:
    """A Void that comes before its Reserve stands: the Reserve is VOIDED, and no chip moves."""
    before = await probe.available()
    transfer = probe.transfer(3)
    await probe.must(probe.void, transfer, "DONE")
    await probe.must(probe.reserve, transfer, "VOIDED")
    await probe.must_have(before, "after a Void and a Reserve")
    await probe.must(probe.void, transfer, "DONE")
    await probe.must(probe.reserve, transfer, "VOIDED")
    await probe.must_have(before, "after both once more")


async def void_beside_reserve(probe: Probe) -> None:
    """A Void and its Reserve at the same moment leave the chips in the wallet, whichever comes first."""
    before = await probe.available()
    for number in range(_PAIRS):
        transfer = probe.transfer(1)
        steps = [probe.reserve(transfer), probe.void(transfer)]
        if number % 2:
            steps.reverse()
        told = sorted(outcome(answer) for answer in await asyncio.gather(*steps))
        if told not in (["DONE", "DONE"], ["DONE", "VOIDED"]):
            raise Broken(f"a Reserve and a Void at once came to {' and '.join(told)}")
        await probe.must(probe.reserve, transfer, "VOIDED")
    await probe.must_have(before, f"after {_PAIRS} Reserves with their Voids")


async def post_after_void(probe: Probe) -> None:
    """What was voided can never be posted."""
    before = await probe.available()
    reserved, unheard_of = probe.transfer(3), probe.transfer(4)
    await probe.must(probe.reserve, reserved, "DONE")
    for transfer in (reserved, unheard_of):
        await probe.must(probe.void, transfer, "DONE")
        await probe.must(probe.post, transfer, "VOIDED")
    await probe.must_have(before, "after a Post of what was voided")


async def void_after_post(probe: Probe) -> None:
    """What was posted can never be voided."""
    before = await probe.available()
    transfer = probe.transfer(3)
    await probe.must(probe.reserve, transfer, "DONE")
    await probe.must(probe.post, transfer, "DONE")
    await probe.must(probe.void, transfer, "POSTED")
    await probe.must_have(before - 3, "after a Void of what was posted")
    await probe.must(probe.post, transfer, "DONE")


async def post_before_reserve(probe: Probe) -> None:
    """A Post of what was never reserved is not done; its Reserve may come yet."""
    before = await probe.available()
    transfer = probe.transfer(3)
    await probe.must(probe.post, transfer, "NOT_RESERVED")
    await probe.must_have(before, "after a Post without a Reserve")
    await probe.must(probe.reserve, transfer, "DONE")
    await probe.must_have(before - 3, "after reserving 3")
    await probe.must(probe.post, transfer, "DONE")


SCRIPTS: Final = scripts_of(
    void_before_reserve, void_beside_reserve, post_after_void, void_after_post, post_before_reserve
)
