"""A hand's id, made and read."""

from __future__ import annotations

import pytest

from croupier.room.hand_id import hand_id_of, hand_of


@pytest.mark.parametrize(("table_id", "number"), [("t1", 1), ("a/b", 20), ("", 7), ("t", 10**18 - 1)])
def test_what_was_made_is_read_back(table_id: str, number: int) -> None:
    assert hand_of(hand_id_of(table_id, number)) == (table_id, number)


@pytest.mark.parametrize(
    "hand_id", ["", "t1", "t1/", "t1/0", "t1/01", "t1/-1", "t1/1 ", "t1/٣", f"t1/{10**18}"]
)
def test_what_names_no_hand_has_number_0(hand_id: str) -> None:
    assert hand_of(hand_id)[1] == 0
