"""A container engine of this machine that has the images which deploy/Dockerfile begins with: docker, or podman."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import uuid
from typing import Any, Final

from tests.support import dockerfile
from tests.support.require import require

BUILD_SECONDS: Final = 1500
READY_SECONDS: Final = 120.0


class Engine:
    """What it makes is named after this run, and gone after `remove`."""

    def __init__(self, program: str) -> None:
        self.program: Final = program
        self.name: Final = f"croupier-test-{uuid.uuid4().hex[:8]}"

    def run(self, *words: str, seconds: float = 180) -> tuple[int, str]:
        """The exit status of one of its commands, and what it wrote."""
        run = subprocess.run(
            [self.program, *words],
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
        )
        return run.returncode, run.stdout.strip()

    def must(self, *words: str, seconds: float = 180) -> str:
        status, output = self.run(*words, seconds=seconds)
        assert status == 0, f"{self.program} {' '.join(words)}\n{output[-4000:]}"
        return output

    def build(self, revision: str) -> None:
        # Podman's own format has no health check.
        form = ["--format=docker"] if self.program == "podman" else []
        self.must(
            "build",
            *form,
            f"--file={dockerfile.DOCKERFILE}",
            f"--build-arg=REVISION={revision}",
            f"--tag={self.name}",
            str(dockerfile.ROOT),
            seconds=BUILD_SECONDS,
        )

    def image(self) -> dict[str, Any]:
        """What the image says of itself."""
        found: dict[str, Any] = json.loads(self.must("image", "inspect", self.name))[0]["Config"]
        return found

    def said(self, *words: str) -> str:
        """What a program of the image writes, in a container of its own."""
        return self.must("run", "--rm", "--read-only", f"--entrypoint={words[0]}", self.name, *words[1:])

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.must("container", "inspect", self.name))[0]["State"]
        return found

    def port(self, inside: int) -> str:
        """The address at which this machine reaches a port of the container."""
        return self.must("port", self.name, str(inside)).splitlines()[0]

    def wait_until_ready(self, command: list[str]) -> None:
        """Until a command in the container succeeds. Raises AssertionError where the container ends before."""
        deadline = time.monotonic() + READY_SECONDS
        while self.run("exec", self.name, *command)[0] != 0:
            assert self.state()["Running"], self.must("logs", self.name)
            assert time.monotonic() < deadline, self.must("logs", self.name)
            time.sleep(0.2)

    def remove(self) -> None:
        self.run("rm", "--force", self.name)
        self.run("volume", "rm", self.name)
        self.run("image", "rm", self.name)


def engine() -> Engine:
    """Skips the test where there is none, or one without those images."""
    bases = [dockerfile.named(stage, "FROM")[0].words[0] for stage in dockerfile.stages()]
    engines = [Engine(program) for program in ("docker", "podman") if shutil.which(program) is not None]
    able = [one for one in engines if one.run("image", "inspect", *bases)[0] == 0]
    if not able:
        require("container-engine", f"neither docker nor podman has {' and '.join(bases)}")
    return able[0]
