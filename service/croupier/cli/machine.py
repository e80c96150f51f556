"""What `croupier doctor` looks at of the machine: Python, libraries, clock, entropy. Each raises Problem."""

from __future__ import annotations

import os
import sys
from typing import Final

from croupier.cli.problem import Problem
from croupier.config import Settings

OLDEST_PYTHON: Final = (3, 11)
COARSEST_CLOCK_S: Final = 0.001
MOST_SET_BACK_S: Final = 60
EARLIEST: Final = 1_767_225_600
"""Seconds since 1970 that any clock that is right has passed: the beginning of 2026."""
_TIME_ERROR: Final = 5
"""What adjtimex answers where nothing keeps the clock."""


def python(_: Settings) -> str:
    """Whether this Python is late enough."""
    found = sys.version.partition(" ")[0]
    if sys.version_info < OLDEST_PYTHON:
        raise Problem(found, "install Python 3.11 or later")
    return found


def clock(settings: Settings) -> str:
    """Whether time goes on as decisions and the store need it."""
    import time

    if time.get_clock_info("monotonic").resolution > COARSEST_CLOCK_S:
        raise Problem("the monotonic clock is too coarse for decisions", "choose another clock source")
    now = time.time()
    database = settings.database
    if (
        settings.store_name == "sqlite"
        and database.exists()
        and database.stat().st_mtime > now + MOST_SET_BACK_S
    ):
        behind = round(database.stat().st_mtime - now)
        raise Problem(f"the system's clock is {behind} s behind the store's last change", "set the clock")
    if now < EARLIEST:
        raise Problem("the system's clock is set to before this version was made", "set the clock")
    told = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(now))
    return f"{told}, {'kept' if _ntp_keeps_it() else 'not known to be kept'} by NTP"


def _ntp_keeps_it() -> bool:
    """Whether the kernel says that something keeps its clock right; nothing is set by asking."""
    import ctypes

    try:
        state: int = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512))
    except (AttributeError, OSError):
        return False
    return 0 <= state < _TIME_ERROR


def entropy(_: Settings) -> str:
    """Whether there is what decks are drawn from."""
    try:
        drawn = os.getrandom(32, os.GRND_NONBLOCK), os.getrandom(32, os.GRND_NONBLOCK)
    except BlockingIOError:
        raise Problem(
            "the system has gathered no entropy yet", "wait until it has, or add a source"
        ) from None
    if drawn[0] == drawn[1]:
        raise Problem("the system gives the same entropy twice", "do not deal on this machine")
    return "from the system"


def libraries(_: Settings) -> str:
    """Whether what the package needs is installed."""
    from importlib.metadata import PackageNotFoundError, version

    names = ("grpcio", "protobuf", "prometheus-client", "msgspec", "cryptography")
    try:
        return ", ".join(f"{name} {version(name)}" for name in names)
    except PackageNotFoundError as missing:
        raise Problem(f"{missing.name} is not installed", "run pip install -e .") from None
