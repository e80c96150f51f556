"""Leaks planted on purpose in the service are all found by comparing two worlds: the test says where each showed."""

from __future__ import annotations

from typing import Final

import pytest
from tests.support.worlds.leaks import OF_CARDS, Leak
from tests.support.worlds.leaks_of_records import OF_RECORDS
from tests.support.worlds.leaks_of_wishes import OF_WISHES
from tests.support.worlds.pairs import played

LEAKS: Final = (*OF_CARDS, *OF_RECORDS, *OF_WISHES)
MOST_PAIRS: Final = 60


@pytest.mark.timeout(300)
@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_leak_is_found(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    """R-T14, R-T16."""
    leak(monkeypatch)
    for number in range(MOST_PAIRS):
        pair = played(number)
        if pair.parted is not None:
            print(f"{leak.__name__}: seen at {pair.parted.where}, {pair.plan}")
            return
    pytest.fail(f"{leak.__name__} was not seen in {MOST_PAIRS} pairs")


def test_there_are_twenty_leaks_and_more() -> None:
    assert len(set(LEAKS)) == len(LEAKS) >= 20
