"""Generates the evaluator's tables and builds its extension in place; pip comes in by build_backend.py."""

import os
import shlex
import subprocess
import sysconfig
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NATIVE = ROOT / "native"
BUILD = ROOT / "build" / "native"
HEADERS = ("croupier_rank.h", "croupier_batch.h", "croupier_equity.h")

COMPILER = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
FLAGS = ("-std=c11", "-Wall", "-Wextra", "-I", str(NATIVE / "include"), "-I", str(NATIVE / "src"))


def compile_program(
    program: Path, sources: Iterable[Path], flags: Iterable[str], compiler: Sequence[str] = COMPILER
) -> Path:
    program.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([*compiler, *FLAGS, *flags, *map(str, sources), "-o", str(program)], check=True)
    return program


def make_tables(build: Path = BUILD, flags: Iterable[str] = ("-O2",)) -> Path:
    """Builds the generator, runs it and returns the C file it wrote."""
    generator = compile_program(build / "make_tables", sorted((NATIVE / "tools").glob("*.c")), flags)
    tables = build / "tables.c"
    written = build / "tables.c.new"
    subprocess.run([str(generator), str(written)], check=True)
    _replace_if_changed(tables, written)
    return tables


def make_extension_source() -> Path:
    """Writes the C side of the cffi module; the public headers are the only statement of what it binds."""
    import cffi

    ffi = cffi.FFI()
    for name in HEADERS:
        header = (NATIVE / "include" / name).read_text(encoding="utf-8")
        ffi.cdef("\n".join(line for line in header.splitlines() if not line.startswith("#")))
    includes = "\n".join(f'#include "{name}"' for name in HEADERS)
    ffi.set_source("croupier.handrank._native", includes, py_limited_api=True)
    source = BUILD / "_native.c"
    written = BUILD / "_native.c.new"
    BUILD.mkdir(parents=True, exist_ok=True)
    ffi.emit_c_code(str(written))
    _replace_if_changed(source, written)
    return source


def generate() -> None:
    """Writes every source that pyproject.toml's extension names and the repository does not hold."""
    make_tables()
    make_extension_source()


def _replace_if_changed(target: Path, written: Path) -> None:
    """Keeps an equal file's time stamp, so that an unchanged extension is not compiled again."""
    if target.exists() and target.read_bytes() == written.read_bytes():
        written.unlink()
    else:
        written.replace(target)


def main() -> None:
    from setuptools import setup

    generate()
    os.chdir(ROOT)
    # setuptools calls ext-modules in pyproject.toml experimental; the alternative is a setup.py beside it.
    warnings.filterwarnings("ignore", message=".*ext-modules.*")
    setup(script_args=["--quiet", "build_ext", "--inplace"])


if __name__ == "__main__":
    main()
