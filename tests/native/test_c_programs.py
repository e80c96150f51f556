"""The evaluator's C and its table generator under the sanitizers; the full census is a conformance test."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def sanitizers_link(folder: Path) -> bool:
    source = folder / "empty.c"
    source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    command = ["gcc", "-fsanitize=address,undefined", str(source), "-o", str(folder / "empty")]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.timeout(300)
def test_evaluator_and_generator_run_clean_under_address_and_undefined_sanitizers(tmp_path: Path) -> None:
    if not sanitizers_link(tmp_path):
        pytest.skip("gcc's sanitizer runtime is missing (Debian: libasan, libubsan of gcc's version)")
    command = [sys.executable, "native/run_tests.py", "sanitizers"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "7462 distinct ranks" in done.stdout
