"""Compiles and runs the C tests: with `all` hands of 5, 6 and 7 cards, or fewer under the `sanitizers`, or `long`:
every hand by every implementation and layout, and millions of deals. Or on `arm` of 64 bits, where its compiler and an
emulator are. Or `fuzz SECONDS`: libFuzzer alone."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from build_native import BUILD, COMPILER, NATIVE, compile_program, make_tables

SANITIZERS = (
    "-Werror",
    "-O1",
    "-g",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
)
OPTIMIZED = ("-Werror", "-O2")
VARIANTS = {"all": OPTIMIZED, "sanitizers": SANITIZERS, "long": OPTIMIZED, "arm": (*OPTIMIZED, "-static")}
CENSUS = {
    "all": ("5", "6", "7", "avx512", "avx2-masks"),
    "sanitizers": ("5",),
    "arm": ("5",),
    "long": ("5", "6", "7", "batches"),
}
OMAHA_ROWS = {"all": 20_000, "sanitizers": 2_000, "arm": 2_000, "long": 1_000_000}
FUZZ_INPUTS = {"all": 5_000, "sanitizers": 2_000, "arm": 2_000, "long": 200_000}
ARM = ("aarch64-linux-gnu-gcc",), ("qemu-aarch64",)
"""A compiler for 64-bit Arm, and what runs its programs (Debian: gcc-aarch64-linux-gnu, qemu-user)."""


def run(variant: str) -> None:
    flags = VARIANTS[variant]
    compiler, machine = ARM if variant == "arm" else (COMPILER, ())
    build = BUILD / f"tests_{variant}"
    tables = make_tables(build, OPTIMIZED if variant == "arm" else flags)
    sources = [*sorted((NATIVE / "src").glob("*.c")), tables]
    evaluator = [
        compile_program(build / f"{source.stem}.o", [source], (*flags, "-c"), compiler) for source in sources
    ]

    def run_program(name: str, *arguments: str) -> None:
        source = NATIVE / "tests" / f"{name}.c"
        _run(
            compile_program(build / name, [source, *evaluator], flags, compiler), *arguments, machine=machine
        )

    for laws in ("test_rank", "test_batch", "test_equity"):
        run_program(laws)
    run_program("test_omaha", str(OMAHA_ROWS[variant]))
    run_program("fuzz", str(FUZZ_INPUTS[variant]))
    if variant == "long":
        fuzz(build, sources, seconds=120)
    run_program("census", *CENSUS[variant])


def fuzz(build: Path, sources: list[Path], seconds: int) -> None:
    """The same comparison, with inputs by which libFuzzer reaches what it has not seen."""
    clang = shutil.which("clang") or shutil.which("clang-14")
    if clang is None:
        print("libFuzzer: SKIPPED, clang is not here (Debian: clang, libclang-rt-dev)")
        return
    flags = (
        "-DCROUPIER_LIBFUZZER",
        "-O1",
        "-g",
        "-fsanitize=fuzzer,address,undefined",
        "-fno-sanitize-recover=all",
    )
    fuzzer = compile_program(build / "libfuzzer", [NATIVE / "tests" / "fuzz.c", *sources], flags, (clang,))
    limits = ("-max_len=1200", "-timeout=10", "-rss_limit_mb=1024")
    _run(fuzzer, f"-max_total_time={seconds}", *limits, "-verbosity=0", "-print_final_stats=1")


def _run(program: Path, *arguments: str, machine: Sequence[str] = ()) -> None:
    subprocess.run([*machine, str(program), *arguments], check=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["fuzz", seconds]:
            folder = BUILD / "tests_fuzz"
            fuzz(
                folder, [*sorted((NATIVE / "src").glob("*.c")), make_tables(folder, OPTIMIZED)], int(seconds)
            )
        case [variant] if variant in VARIANTS:
            run(variant)
        case _:
            sys.exit(f"usage: run_tests.py {' | '.join(VARIANTS)} | fuzz SECONDS")
