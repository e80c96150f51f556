"""Compiles and runs the C tests: with `all` hands of 5, 6 and 7 cards, or fewer under the `sanitizers`, or `long`:
every hand by every implementation and layout, and millions of deals."""

import shutil
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
OPTIMIZED = ("-Werror", "-O2")
VARIANTS = {"all": OPTIMIZED, "sanitizers": SANITIZERS, "long": OPTIMIZED}
CENSUS = {
    "all": ("5", "6", "7", "avx512", "avx2-masks"),
    "sanitizers": ("5",),
    "long": ("5", "6", "7", "batches"),
}
OMAHA_ROWS = {"all": 20_000, "sanitizers": 2_000, "long": 1_000_000}
FUZZ_INPUTS = {"all": 5_000, "sanitizers": 2_000, "long": 200_000}


def run(variant: str) -> None:
    flags = VARIANTS[variant]
    build = BUILD / f"tests_{variant}"
    sources = [*sorted((NATIVE / "src").glob("*.c")), make_tables(build, flags)]
    evaluator = [compile_program(build / f"{source.stem}.o", [source], (*flags, "-c")) for source in sources]

    def program(name: str) -> Path:
        return compile_program(build / name, [NATIVE / "tests" / f"{name}.c", *evaluator], flags)

    for laws in ("test_rank", "test_batch", "test_equity"):
        _run(program(laws))
    _run(program("test_omaha"), str(OMAHA_ROWS[variant]))
    _run(program("fuzz"), str(FUZZ_INPUTS[variant]))
    if variant == "long" and (clang := shutil.which("clang") or shutil.which("clang-14")):
        fuzz(clang, build, sources)
    _run(program("census"), *CENSUS[variant])


def fuzz(clang: str, build: Path, sources: list[Path]) -> None:
    """The same comparison, with inputs by which libFuzzer reaches what it has not seen."""
    flags = (
        "-DCROUPIER_LIBFUZZER",
        "-O1",
        "-g",
        "-fsanitize=fuzzer,address,undefined",
        "-fno-sanitize-recover=all",
    )
    fuzzer = compile_program(build / "libfuzzer", [NATIVE / "tests" / "fuzz.c", *sources], flags, (clang,))
    _run(fuzzer, "-runs=1000000", "-max_total_time=120", "-max_len=1200", "-verbosity=0")


def _run(program: Path, *arguments: str) -> None:
    subprocess.run([str(program), *arguments], check=True)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in VARIANTS:
        sys.exit(f"usage: run_tests.py {' | '.join(VARIANTS)}")
    run(sys.argv[1])
