"""Scripts of what an id stands for, and what the wallet says has become of it."""

from __future__ import annotations

from typing import Final

from croupier.client.walletcheck.probe import TO_WALLET, Probe
from croupier.client.walletcheck.script import scripts_of
from croupier.v1 import wallet_service_pb2 as pb


async def other_content(probe: Probe) -> None:
    """An id that is known with another player, currency, amount or direction is a CONFLICT, and nothing is changed."""
    before = await probe.available()
    reserved, posted, voided = (probe.transfer(3) for _ in range(3))
    for transfer in (reserved, posted, voided):
        await probe.must(probe.reserve, transfer, "DONE")
    await probe.must(probe.post, posted, "DONE")
    await probe.must(probe.void, voided, "DONE")
    payout = probe.transfer(2, TO_WALLET)
    await probe.must(probe.post, payout, "DONE")
    for transfer in (reserved, posted, voided):
        for other in _others(transfer):
            for step in (probe.reserve, probe.post, probe.void):
                await probe.must(step, other, "CONFLICT")
        turned = _with(transfer, direction=TO_WALLET)
        await probe.must(probe.post, turned, "CONFLICT")
    for other in _others(payout):
        await probe.must(probe.post, other, "CONFLICT")
    await probe.must_have(before - 4, "after conflicts that change nothing")
    await probe.must(probe.post, reserved, "DONE")
    await probe.must(probe.void, voided, "DONE")


async def exact_ids(probe: Probe) -> None:
    """Ids that differ in one character, or in its case, are different transfers."""
    before = await probe.available()
    stem = probe.transfer(1).transfer_id
    names = [f"{stem}{end}" for end in ("x", "X", "x.", "x_", "x:", "x-", "x" * 3)]
    names.append(f"{stem}{'y' * (64 - len(stem))}")
    for number, name in enumerate(names, start=1):
        await probe.must(probe.reserve, _with(probe.transfer(1), transfer_id=name), "DONE")
        await probe.must_have(before - number, f"after {number} reservations of 1")


async def unknown_ids(probe: Probe) -> None:
    """Of an id never heard of the status is UNKNOWN, before and after it was asked for."""
    before = await probe.available()
    transfer = probe.transfer(3)
    for _ in range(2):
        await probe.must_be(transfer, "UNKNOWN")
    await probe.must(probe.reserve, transfer, "DONE")
    await probe.must_have(before - 3, "after reserving 3")


async def true_status(probe: Probe) -> None:
    """The status of a transfer is what has become of it: RESERVED, POSTED, VOIDED; UNKNOWN where it was refused."""
    posted, voided, never, short = (
        probe.transfer(2),
        probe.transfer(2),
        probe.transfer(2),
        probe.transfer(await probe.available() + 1),
    )
    payout = probe.transfer(1, TO_WALLET)
    for transfer in (posted, voided):
        await probe.must(probe.reserve, transfer, "DONE")
        await probe.must_be(transfer, "RESERVED")
    await probe.must(probe.post, posted, "DONE")
    await probe.must(probe.void, voided, "DONE")
    await probe.must(probe.void, never, "DONE")
    await probe.must(probe.post, payout, "DONE")
    await probe.must(probe.reserve, short, "INSUFFICIENT_FUNDS")
    for transfer, state in (
        (posted, "POSTED"),
        (voided, "VOIDED"),
        (never, "VOIDED"),
        (payout, "POSTED"),
        (short, "UNKNOWN"),
    ):
        await probe.must_be(transfer, state)


def _others(transfer: pb.Transfer) -> list[pb.Transfer]:
    return [
        _with(transfer, amount=transfer.amount + 1),
        _with(transfer, player_id=f"{transfer.player_id}x"),
        _with(transfer, currency=f"{transfer.currency}x"),
    ]


def _with(transfer: pb.Transfer, **changed: object) -> pb.Transfer:
    other = pb.Transfer()
    other.CopyFrom(transfer)
    for name, value in changed.items():
        setattr(other, name, value)
    return other


SCRIPTS: Final = scripts_of(other_content, exact_ids, unknown_ids, true_status)
