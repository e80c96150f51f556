"""An absence begins with what was sent in vain since the last answer, and ends with the next one."""

from __future__ import annotations

from time import monotonic_ns

import pytest
from grpc import StatusCode

from croupier.client.errors import CroupierError, Refused, Unanswered
from croupier.client.load.absence import Absence

SECOND = 1_000_000_000
GONE = Unanswered("", {}, StatusCode.UNAVAILABLE)
BUSY = Refused("TABLE_BUSY", {}, StatusCode.RESOURCE_EXHAUSTED)


def test_only_what_was_sent_since_the_last_answer_begins_one() -> None:
    now, absence = monotonic_ns(), Absence(30)
    absence.answered(now - 5 * SECOND)
    absence.failed(now - 6 * SECOND)
    assert absence.seconds == 0
    absence.failed(now - 4 * SECOND)
    absence.failed(now - 3 * SECOND)
    assert 4 <= absence.seconds < 30
    absence.answered(now)
    assert (absence.seconds, absence.ended) == (0, now)


def test_nothing_waits_for_a_server_beyond_the_limit() -> None:
    absence = Absence(30)
    absence.wait(GONE)
    assert not absence.over
    absence.answered(monotonic_ns())
    absence.failed(monotonic_ns() + 1)
    absence.wait(GONE)
    over = Absence(30)
    over.failed(monotonic_ns() - 31 * SECOND)
    over.wait(BUSY)
    with pytest.raises(CroupierError, match="UNAVAILABLE"):
        over.wait(GONE)
