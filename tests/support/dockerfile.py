"""deploy/Dockerfile read: its stages, their instructions, and which of the tree's files reach the build."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from fnmatch import fnmatch
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
DOCKERFILE: Final = ROOT / "deploy" / "Dockerfile"
IGNORED: Final = ROOT / ".dockerignore"


class Instruction(NamedTuple):
    """Such as RUN, with its text on one line."""

    name: str
    text: str

    @property
    def words(self) -> list[str]:
        """The text's words, or those of its exec form."""
        found: list[str] = json.loads(self.text) if self.text.startswith("[") else shlex.split(self.text)
        return found


def stages() -> list[list[Instruction]]:
    """Each begins with its FROM."""
    text = re.sub(r"^#.*\n", "", DOCKERFILE.read_text(), flags=re.M)
    found: list[list[Instruction]] = []
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        if line.strip():
            name, _, rest = line.partition(" ")
            if name == "FROM":
                found.append([])
            found[-1].append(Instruction(name, rest.strip()))
    return found


def named(stage: list[Instruction], name: str) -> list[Instruction]:
    return [one for one in stage if one.name == name]


def variables() -> dict[str, str]:
    """The environment that the last stage sets, but PATH."""
    pairs = [word.partition("=") for one in named(stages()[-1], "ENV") for word in one.words]
    return {name: value for name, _, value in pairs if name != "PATH"}


def repository() -> set[str]:
    """The files that git knows, or would."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return {path for path in listed.split("\0") if path and (ROOT / path).is_file()}


def context(files: set[str]) -> set[str]:
    """Those of the files that the build is sent, since .dockerignore lets them through."""
    lines = [line for line in IGNORED.read_text().splitlines() if line and not line.startswith("#")]
    return {path for path in files if _let_through(path, lines)}


def _let_through(path: str, patterns: list[str]) -> bool:
    """The last pattern that a path, or a folder above it, matches decides."""
    above = [path, *(str(parent) for parent in Path(path).parents if str(parent) != ".")]
    through = True
    for pattern in patterns:
        bare = pattern.removeprefix("!")
        if any(_matches(one, bare) for one in above):
            through = pattern.startswith("!")
    return through


def _matches(path: str, pattern: str) -> bool:
    """`**/` is any folder or none; `*` ends at a slash."""
    if pattern.startswith("**/"):
        return fnmatch(path.rpartition("/")[2], pattern.removeprefix("**/"))
    return path.count("/") == pattern.count("/") and fnmatch(path, pattern)
