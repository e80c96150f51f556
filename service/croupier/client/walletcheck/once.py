"""Scripts of steps that are asked for more than once."""

from __future__ import annotations

import asyncio
from typing import Final

from croupier.client.walletcheck.probe import TO_WALLET, Broken, Probe, outcome
from croupier.client.walletcheck.script import scripts_of

_TIMES = 5


async def reserve_once(probe: Probe) -> None:
    """A reservation takes the chips out of what is available once, however often it is asked for."""
    before = await probe.available()
    transfer = probe.transfer(3)
    for _ in range(_TIMES):
        await probe.must(probe.reserve, transfer, "DONE")
    await probe.must_have(before - 3, "after reserving 3")


async def post_once(probe: Probe) -> None:
    """What is posted has left the wallet once, however often it is posted, and although its Reserve comes again."""
    before = await probe.available()
    transfer = probe.transfer(3)
    await probe.must(probe.reserve, transfer, "DONE")
    for _ in range(_TIMES):
        await probe.must(probe.post, transfer, "DONE")
    await probe.must(probe.reserve, transfer, "DONE")
    await probe.must_have(before - 3, "after posting 3")


async def void_once(probe: Probe) -> None:
    """What is voided is available again once, however often it is voided, and is not reserved again."""
    before = await probe.available()
    transfer = probe.transfer(3)
    await probe.must(probe.reserve, transfer, "DONE")
    for _ in range(_TIMES):
        await probe.must(probe.void, transfer, "DONE")
    await probe.must(probe.reserve, transfer, "VOIDED")
    await probe.must_have(before, "after voiding")


async def payout_once(probe: Probe) -> None:
    """A payout needs no reservation and is added once, however often it is posted."""
    before = await probe.available()
    payout = probe.transfer(7, TO_WALLET)
    for _ in range(_TIMES):
        await probe.must(probe.post, payout, "DONE")
    await probe.must_have(before + 7, "after a payout of 7")


async def doubled_at_once(probe: Probe) -> None:
    """Requests that come twice at the same moment get the same outcome, and are done once."""
    before = await probe.available()
    for _ in range(_TIMES):
        transfer, payout = probe.transfer(2), probe.transfer(1, TO_WALLET)
        for step, moved in ((probe.reserve, transfer), (probe.post, transfer), (probe.post, payout)):
            answers = await asyncio.gather(*(step(moved) for _ in range(_TIMES)))
            told = sorted({outcome(answer) for answer in answers})
            if told != ["DONE"]:
                raise Broken(f"{step.__name__}, {_TIMES} times at once, came to {', '.join(told)}")
    await probe.must_have(before - _TIMES, f"after {_TIMES} transfers of 2 and payouts of 1")


async def hung_up(probe: Probe) -> None:
    """A caller that hangs up and asks again finds the step done once."""
    before = await probe.available()
    kept, given_up = probe.transfer(3), probe.transfer(4)
    for transfer in (kept, given_up):
        await probe.abandon("Reserve", transfer)
        await probe.must(probe.reserve, transfer, "DONE")
    await probe.must_have(before - 7, "after reserving 3 and 4")
    await probe.abandon("Post", kept)
    await probe.must(probe.post, kept, "DONE")
    await probe.abandon("Void", given_up)
    await probe.must(probe.void, given_up, "DONE")
    await probe.must_have(before - 3, "after posting 3 and voiding 4")


SCRIPTS: Final = scripts_of(reserve_once, post_once, void_once, payout_once, doubled_at_once, hung_up)
