"""Answers of VerifyHand as JSON, and what the two programs of deploy/verify/ say of them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from google.protobuf.json_format import MessageToDict
from tests.fakes.simulated_table import SimulatedTable

from croupier.adapters.rpc.proof_messages import proof

VERIFY: Final = Path(__file__).parents[2] / "deploy" / "verify"
PYTHON: Final = (sys.executable, "-I", str(VERIFY / "verify_hand.py"))
NODE: Final = ("node", str(VERIFY / "verify_hand.mjs"))


async def answer_of(table: SimulatedTable, number: int, viewer: str = "") -> dict[str, Any]:
    """What VerifyHand tells a viewer of a settled hand."""
    found = await table.room.verification.of(table.table_id, number, viewer)
    assert found is not None
    answer: dict[str, Any] = MessageToDict(proof(found))
    return answer


def verdicts(answers: Sequence[dict[str, Any]], program: Sequence[str] = PYTHON) -> list[str]:
    """What a program says of each answer."""
    text = "".join(f"{json.dumps(answer)}\n" for answer in answers)
    done = subprocess.run([*program, "--lines"], input=text, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    told = done.stdout.splitlines()
    assert len(told) == len(answers)
    return told
