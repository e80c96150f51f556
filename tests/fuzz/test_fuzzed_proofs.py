"""Answers of VerifyHand of any text: the two verifiers prove or refuse them alike, and never fall over."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from runpy import run_path
from typing import Any, Final

from hypothesis import strategies as st
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.fuzz.spoiling import fuzzed, spoilt
from tests.support.require import require
from tests.support.verifying import NODE, PYTHON, VERIFY, answer_of

TOKENS: Final = (
    b'"openings":[],',
    b'"deck":1,',
    b'"card":"As",',
    b'"path":[],',
    b'"seatNumber":0,',
    b"AAAA",
    b"\\ud800",
)
VERDICTS: Final = ("proved: ", "refused: ")


@cache
def answers() -> list[bytes]:
    """What everybody and one player are told of a hand that was checked down."""
    told: list[bytes] = []

    @simulated(5)
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await SimulatedTable.open(runtime, hand_pause_ms=1000, seat_count=3)
        for seat, player in enumerate(("anna", "bert", "cleo"), start=1):
            await table.sit(player, seat)
        await table.sleep(1)
        await table.check_down()
        told.extend([json.dumps(await answer_of(table, 1, viewer)).encode() for viewer in ("", "anna")])

    scenario()
    return told


@fuzzed(300, st.deferred(lambda: spoilt(answers(), TOKENS)))
def test_the_verifier_proves_or_refuses(data: bytes) -> None:
    verdict: Any = run_verifier()
    fine, told, _, _ = verdict(data.decode(errors="replace"))
    assert told.startswith(VERDICTS[not fine])


@cache
def run_verifier() -> Any:
    return run_path(str(VERIFY / "verify_hand.py"), run_name="verify_hand")["verdict"]


def told_of(lines: Sequence[bytes], program: Sequence[str]) -> list[str]:
    done = subprocess.run(
        [*program, "--lines"], input=b"\n".join(lines) + b"\n", capture_output=True, check=False
    )
    assert not done.stderr, done.stderr
    told = done.stdout.decode().splitlines()
    assert len(told) == len(lines)
    return told


@fuzzed(3, st.deferred(lambda: st.lists(spoilt(answers(), TOKENS), min_size=40, max_size=80)))
def test_both_verifiers_say_the_same(spoiled: list[bytes]) -> None:
    if shutil.which("node") is None:
        require("node", "the second verifier runs on it")
    lines = [data.decode(errors="replace").translate({10: 32, 13: 32}).encode() for data in spoiled]
    ours, theirs = told_of(lines, PYTHON), told_of(lines, NODE)
    for line, one, other in zip(lines, ours, theirs, strict=True):
        assert one.startswith(VERDICTS)
        assert one.partition(":")[0] == other.partition(":")[0], (line, one, other)
