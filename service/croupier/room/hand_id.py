"""The public name of a hand, its table and its number: bound into what is sealed and hashed, it never changes."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile("[1-9][0-9]{0,17}")


def hand_id_of(table_id: str, number: int) -> str:
    """The id of a table's hand."""
    return f"{table_id}/{number}"


def hand_of(hand_id: str) -> tuple[str, int]:
    """The table and the number that a hand's id names; number 0 where it is no hand's id."""
    table_id, _, digits = hand_id.rpartition("/")
    return table_id, int(digits) if _NUMBER.fullmatch(digits) else 0
