"""Compiles and runs the C tests: with `all` hands of 5, 6 and 7 cards, or fewer under the `sanitizers`."""

import subprocess
import sys
from pathlib import Path

from build_native import BUILD, NATIVE, compile_program, make_tables

SANITIZERS = (
    "-Werror",
    "-O1",
    "-g",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
)
VARIANTS = {"all": ("-Werror", "-O2"), "sanitizers": SANITIZERS}


def run(variant: str) -> None:
    flags = VARIANTS[variant]
    build = BUILD / f"tests_{variant}"
    evaluator = [*sorted((NATIVE / "src").glob("*.c")), make_tables(build, flags)]
    for laws in ("test_rank", "test_omaha", "test_equity"):
        _run(compile_program(build / laws, [NATIVE / "tests" / f"{laws}.c", *evaluator], flags))
    census = compile_program(build / "census", [NATIVE / "tests" / "census.c", *evaluator], flags)
    _run(census, *("5", "6", "7") if variant == "all" else ("5",))


def _run(program: Path, *arguments: str) -> None:
    subprocess.run([str(program), *arguments], check=True)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in VARIANTS:
        sys.exit(f"usage: run_tests.py {' | '.join(VARIANTS)}")
    run(sys.argv[1])
