"""Decoding what a disk or a person kept: whatever is wrong with it is one kind of failure."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

T = TypeVar("T")


def decoded(decode: Callable[[bytes], T], data: bytes) -> T:
    """Raises msgspec.DecodeError, also for what is nested too deeply or has text that is no UTF-8."""
    try:
        return decode(data)
    except RecursionError:
        raise msgspec.DecodeError("nested too deeply") from None
    except UnicodeDecodeError as failure:
        raise msgspec.DecodeError(str(failure)) from None
