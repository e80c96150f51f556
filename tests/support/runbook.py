"""The commands of deploy/README.md, run as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.deployed import RUNBOOK


def commands(heading: str) -> list[str]:
    """The blocks of shell commands of the section with that heading, before the next heading."""
    section = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ [A-Z]|\Z)", RUNBOOK.read_text(), re.M | re.S)
    assert section is not None, f"the runbook has no section {heading}"
    return re.findall(r"^```sh\n(.*?)^```$", section[1], re.M | re.S)


def run(block: str, directory: Path, *programs: Path, **variables: str) -> str:
    """What a block of commands writes, each of which must succeed; programs are looked for in `programs` first.

    A server of this machine keeps its ports: whatever looks for free ones takes any.
    """
    path = os.pathsep.join([*map(str, programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment: Mapping[str, str] = {
        **os.environ,
        "CROUPIER_PORT": "0",
        "CROUPIER_HTTP_PORT": "0",
        **variables,
        "PATH": path,
    }
    run = subprocess.run(
        ["/bin/sh", "-euc", block],
        cwd=directory,
        env=environment,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
    )
    assert run.returncode == 0, f"{block}\n{run.stdout}"
    return run.stdout


def stand_in(directory: Path, *names: str) -> Path:
    """A directory with programs that do nothing, for those that are not here or ask for more than a test may."""
    directory.mkdir()
    for name in names:
        program = directory / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    return directory
