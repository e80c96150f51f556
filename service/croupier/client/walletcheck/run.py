"""Plays the scripts one after the other; none is left out because another failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from grpc import aio

from croupier.client.walletcheck import funds, names, once, order
from croupier.client.walletcheck.probe import Broken, Probe, Unreachable, Wanted
from croupier.client.walletcheck.script import Script

SCRIPTS: Final = (*once.SCRIPTS, *order.SCRIPTS, *funds.SCRIPTS, *names.SCRIPTS)
Show = Callable[["Finding"], None]


class Finding(NamedTuple):
    """How a script ended; `broken` says what the contract does not allow, nothing where it passed."""

    script: Script
    broken: str = ""


async def run(wanted: Wanted, show: Show) -> list[Finding]:
    """All findings, each shown as it is made. Raises Unreachable, ValueError where the run cannot begin."""
    async with aio.insecure_channel(wanted.target) as channel:
        available = await Probe(channel, wanted).available()
        if available != wanted.funds:
            raise ValueError(f"{wanted.player_id} has {available} {wanted.currency}, not {wanted.funds}")
        findings = []
        for script in [*SCRIPTS, _last(wanted)]:
            finding = Finding(script, await _played(script, Probe(channel, wanted)))
            show(finding)
            findings.append(finding)
        return findings


async def _played(script: Script, probe: Probe) -> str:
    try:
        await script.play(probe)
    except (Broken, Unreachable) as found:
        broken = str(found)
    else:
        broken = ""
    try:
        await probe.put_back()
    except Unreachable as found:
        broken = broken or f"the chips could not be put back: {found}"
    return broken


def _last(wanted: Wanted) -> Script:
    async def play(probe: Probe) -> None:
        await probe.must_have(wanted.funds, "at the end")

    return Script("nothing_lost", "After all this the player has what there was at the beginning.", play)
