"""`croupier serve` with commits that a test can hold open: held_server.py DIRECTORY SERVE-FLAGS…

DIRECTORY is tests.support.holding's.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.support.holding import Gate

from croupier.adapters.metrics import Metrics
from croupier.config import load
from croupier.run import run


def hold_what_is_on_disk(gate: Gate) -> None:
    """The store tells its observer of each commit, in the writer's thread, before it tells anybody else."""
    commit = Metrics.commit

    def held(self: Metrics, seconds: float, records: int) -> None:
        gate.pass_by("told")
        commit(self, seconds, records)

    Metrics.commit = held  # type: ignore[method-assign]


def main(directory: Path, flags: list[str]) -> int:
    gate = Gate(directory)
    hold_what_is_on_disk(gate)
    names = [flag.removeprefix("--").replace("-", "_") for flag in flags[::2]]
    return run(load(dict(zip(names, flags[1::2], strict=True))), gate.before_commit)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
