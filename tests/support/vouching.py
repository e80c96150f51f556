"""What a backend vouches for, so that no test depends on the day that it runs on (R-T7)."""

from __future__ import annotations

from typing import Final

from croupier.v1.seat_service_pb2 import Vouched

PASS: Final = Vouched(has_pass=True)
"""A player who may play every day, without experience."""
