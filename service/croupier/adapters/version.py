"""What this server is made of: told by `--version`, GetServerInfo and the metrics alike."""

from __future__ import annotations

from importlib.metadata import version
from importlib.resources import files
from typing import Final

from croupier import handrank

_REVISION_FILE: Final = "revision.txt"


class Build:
    """Version, source revision (empty when unknown), evaluator and kind of store."""

    def __init__(self, store: str) -> None:
        self.version: Final = service_version()
        self.build: Final = _revision()
        self.evaluator: Final = handrank.implementation()
        self.store: Final = store

    def labels(self) -> dict[str, str]:
        """For `croupier_build_info` and the log."""
        return {"version": self.version, "evaluator": self.evaluator, "store": self.store}


def service_version() -> str:
    """The version of the installed package, such as "0.1.0"."""
    return version("croupier")


def _revision() -> str:
    """What whoever built the package wrote into it."""
    try:
        return files("croupier").joinpath(_REVISION_FILE).read_text("ascii").strip()
    except FileNotFoundError:
        return ""
