"""The image that deploy/Dockerfile makes, made here: its own commands over its own files, with this machine's Python.

What a container engine would do besides is not here: the base images, users, and the root that cannot be written,
for which the files are made so.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.support import dockerfile

_OURS: Final = re.compile(r"(?<![\w./-])/(opt|src)\b")
REVISION: Final = "0123abc"


class BuildFailed(Exception):
    """Raised where one of the commands fails; says what it wrote."""


class Image:
    """`root` stands for the image's root."""

    def __init__(self, root: Path) -> None:
        self.root: Final = root
        self.repository: Final = dockerfile.repository()
        self._context: Final = dockerfile.context(self.repository)
        self._at = root
        tools = root / "usr"
        tools.mkdir(parents=True)
        python = tools / "python"
        python.write_text(f'#!/bin/sh\nexec {Path(sys.base_prefix) / "bin" / "python3"} "$@"\n')
        python.chmod(0o755)
        self._building: Final = {
            **_environment(),
            "PATH": f"{tools}:/usr/local/bin:/usr/bin:/bin",
            "REVISION": REVISION,
        }

    def build(self) -> None:
        """Follow the first stage. Raises BuildFailed."""
        for instruction in dockerfile.stages()[0][1:]:
            match instruction.name:
                case "WORKDIR":
                    self._at = Path(self.placed(instruction.text))
                    self._at.mkdir(parents=True)
                case "COPY":
                    self._copy(instruction.words)
                case "RUN":
                    self._run(instruction.text)
                case "ARG" | "ENV":  # the cache of packages, which is for this stage alone, may be used here
                    pass
                case _:
                    raise BuildFailed(f"{instruction.name} is not known here")

    def placed(self, text: str) -> str:
        """A text with the paths of the image, with those here."""
        return _OURS.sub(lambda found: f"{self.root}{found[0]}", text)

    def close(self) -> None:
        """Take from every file the leave to write it, as a root does that cannot be written."""
        for path in (self.root / "opt").rglob("*"):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))

    def remove(self) -> None:
        for path in (self.root / "opt").rglob("*"):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)
        shutil.rmtree(self.root)

    def popen(
        self, words: Sequence[str], directory: Path, variables: Mapping[str, str], **options: Any
    ) -> subprocess.Popen[bytes]:
        """Start a command in it, as the last stage's environment has it, without any capability."""
        environment = {**dockerfile.variables(), **variables, "PATH": f"{self.root}/opt/croupier/bin"}
        found = shutil.which(words[0], path=environment["PATH"])
        assert found is not None, f"{words[0]} is not in the image"
        return subprocess.Popen(
            [*_without_capabilities(), found, *words[1:]], cwd=directory, env=environment, **options
        )

    def run(self, words: Sequence[str], directory: Path, variables: Mapping[str, str]) -> tuple[int, str]:
        """The exit status and the output of a command."""
        process = self.popen(words, directory, variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output, _ = process.communicate(timeout=60)
        return process.returncode, output.decode()

    def _copy(self, words: list[str]) -> None:
        *sources, target = words
        for source in sources:
            folder = source.endswith("/")
            files = [path for path in self._context if path == source or (folder and path.startswith(source))]
            if not files:
                raise BuildFailed(f"COPY finds no {source}")
            for path in files:
                inside = path.removeprefix(source) if folder else Path(path).name
                copied = self._at / target / inside
                copied.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(dockerfile.ROOT / path, copied)

    def _run(self, command: str) -> None:
        run = subprocess.run(
            ["/bin/sh", "-c", self.placed(command)],
            cwd=self._at,
            env=self._building,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if run.returncode:
            raise BuildFailed(f"{command}\n{run.stdout[-4000:]}")


def _environment() -> dict[str, str]:
    """Ours, without what would lead to the Python that runs the tests."""
    left_out = ("PYTHON", "VIRTUAL_ENV", "CROUPIER_", "PYTEST")
    return {name: value for name, value in os.environ.items() if not name.startswith(left_out)}


def _without_capabilities() -> list[str]:
    """What a command begins with, so that root may write only what its modes let it."""
    setpriv = shutil.which("setpriv")
    if os.geteuid() != 0 or setpriv is None:
        return []
    return [setpriv, "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all", "--no-new-privs"]
