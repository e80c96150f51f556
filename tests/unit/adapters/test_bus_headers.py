"""What stands in the headers of an answer over the bus, whoever wrote it."""

from __future__ import annotations

import pytest

from croupier.adapters.nats import headers
from croupier.room.cluster_ports import AnswerFailed, NobodyThere, TooLong, Unreadable


def test_whoever_asks_is_told_how_long_the_answer_would_be() -> None:
    with pytest.raises(TooLong) as told:
        headers.must_be_answered(headers.too_long(70, 64))
    assert (told.value.size, told.value.max_size) == (70, 64)


@pytest.mark.parametrize("told", ["", "long", "70", "70 ", "70 64 1", "-1 64", "70 6.4", "七 64"])
def test_a_length_that_is_none_is_unreadable(told: str) -> None:
    with pytest.raises(Unreadable):
        headers.must_be_answered({"Croupier-Too-Long": told})


def test_failed_and_nobody_are_told_apart_from_headers_of_others() -> None:
    with pytest.raises(AnswerFailed):
        headers.must_be_answered(headers.FAILED)
    with pytest.raises(NobodyThere):
        headers.must_be_answered({"Status": "503"})
    headers.must_be_answered({"Status": "100", "Traced-By": "somebody"})


def test_headers_count_as_nats_counts_them() -> None:
    assert headers.size(None) == 0
    assert headers.size({"A": "b", "Cc": "ü"}) == len("NATS/1.0\r\nA: b\r\nCc: ü\r\n\r\n".encode())
