import os
import subprocess
import sys

import pytest

from croupier.handrank import native
from croupier.handrank.active import load, supported

BEST = native.supported()[-1]

SHOW = "import croupier.handrank as h; print(h.implementation(), h.rank(bytes([51, 47, 43, 39, 35])))"
WITHOUT_EXTENSION = "import sys; sys.modules['croupier.handrank._native'] = None; "


def python(program: str, evaluator: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "CROUPIER_EVALUATOR"}
    if evaluator is not None:
        environment["CROUPIER_EVALUATOR"] = evaluator
    return subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("evaluator", "used"), [(None, BEST), ("", BEST), *((name, name) for name in supported())]
)
def test_the_environment_chooses_the_evaluator(evaluator: str | None, used: str) -> None:
    assert python(SHOW, evaluator).stdout.split() == [used, "7462"]


def test_an_extension_that_is_not_built_is_an_error_that_names_the_remedy() -> None:
    failed = python(WITHOUT_EXTENSION + SHOW)
    assert failed.returncode != 0
    assert "ImportError: the native hand evaluator is not built; run: make native" in failed.stderr


def test_the_reference_needs_no_extension() -> None:
    assert python(WITHOUT_EXTENSION + SHOW, "reference").stdout.split() == ["reference", "7462"]


def test_an_unknown_evaluator_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"'fast'; it may be portable, avx2, avx512 or reference"):
        load("fast")


def test_an_evaluator_that_the_processor_cannot_run_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "supported", lambda: ["portable"])
    assert load().name == "portable"
    with pytest.raises(ValueError, match=r"'avx512', which this processor cannot run; it may be portable or"):
        load("avx512")
