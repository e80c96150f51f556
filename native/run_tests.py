"""Compiles and runs the C tests: with `all` hands of 5, 6 and 7 cards, or fewer under the `sanitizers`, or `long`:
every hand by every implementation and layout, and millions of deals. Or `fuzz SECONDS`: libFuzzer alone."""

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
    if variant == "long":
        fuzz(build, sources, seconds=120)
    _run(program("census"), *CENSUS[variant])


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


def _run(program: Path, *arguments: str) -> None:
    subprocess.run([str(program), *arguments], check=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["fuzz", seconds]:
            folder = BUILD / "tests_fuzz"
            fuzz(folder, [*sorted((NATIVE / "src").glob("*.c")), make_tables(folder, OPTIMIZED)], int(seconds))
        case [variant] if variant in VARIANTS:
            run(variant)
        case _:
            sys.exit(f"usage: run_tests.py {' | '.join(VARIANTS)} | fuzz SECONDS")
