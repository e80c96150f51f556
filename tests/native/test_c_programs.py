"""The evaluator's C and its table generator under the sanitizers, and on 64-bit Arm; the full census is a conformance
test."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.require import require

ROOT = Path(__file__).parents[2]


def run(variant: str) -> str:
    command = [sys.executable, "native/run_tests.py", variant]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.timeout(300)
def test_evaluator_and_generator_run_clean_under_address_and_undefined_sanitizers() -> None:
    """Where gcc is without its sanitizers (Debian: libasan, libubsan of its version) this fails."""
    if shutil.which("gcc") is None:
        require("sanitizers", "gcc is not here")
    assert "7462 distinct ranks" in run("sanitizers")


@pytest.mark.timeout(300)
def test_evaluator_is_right_on_64_bit_arm() -> None:
    for program in ("aarch64-linux-gnu-gcc", "qemu-aarch64"):
        if shutil.which(program) is None:
            require(
                "arm",
                f"{program} is not here (Debian: gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user)",
            )
    report = run("arm")
    assert "inputs, no difference" in report
    assert "7462 distinct ranks" in report
