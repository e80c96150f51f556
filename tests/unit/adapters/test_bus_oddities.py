"""What comes over the bus and should not: all of it counted, little of it logged."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from croupier.adapters import seldom
from croupier.adapters.nats.oddities import Oddities
from croupier.adapters.seldom import EVERY_S
from croupier.room.failures import StoreAway
from croupier.room.subjects import Subjects

ROOM = Subjects("room")


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(seldom, "monotonic", made)
    return made


def test_a_flood_is_a_line_a_minute_for_each_kind_of_subject(clock: Clock) -> None:
    told: list[str] = []
    odd = Oddities(told.append)
    with capture_logs() as logs:
        for second in range(100):
            clock.now = 100 + 1.5 * second
            for table_id in ("a", "b", "c"):
                odd.unreadable(ROOM.calls(table_id), 7, "it is none")
            odd.unreadable(ROOM.news, 7, "they are none")
    assert len(told) == 400
    assert {*told} == {"table_call", "news"}
    assert 100 * 1.5 / EVERY_S == 2.5
    assert [(one["subject"], one["left_out"]) for one in logs] == [
        (ROOM.calls("a"), 0),
        (ROOM.news, 0),
        (ROOM.calls("a"), 119),
        (ROOM.news, 39),
        (ROOM.calls("a"), 119),
        (ROOM.news, 39),
    ]


def test_a_failure_has_its_traceback_once_in_a_while_and_a_store_that_is_away_none(clock: Clock) -> None:
    odd = Oddities(lambda _: None)
    with capture_logs() as logs:
        for _ in range(10):
            odd.failed("bus_answer_failed", ROOM.calls("a"), ValueError("a defect"))
            odd.failed("bus_answer_failed", ROOM.node("n"), StoreAway("it is away"))
    assert len(logs) == 2
    assert "exc_info" in logs[0]
    assert "exc_info" not in logs[1]
    assert logs[1]["why"] == "it is away"
    clock.now += EVERY_S
    with capture_logs() as logs:
        odd.failed("bus_answer_failed", ROOM.calls("a"), ValueError("a defect"))
    assert logs[0]["left_out"] == 9


def test_an_answer_is_counted_as_one_whatever_was_asked() -> None:
    told: list[str] = []
    odd = Oddities(told.append)
    with capture_logs() as logs:
        for _ in range(10):
            odd.misread(ROOM.calls("a"), 7, "it is none")
            odd.misread(ROOM.node("n"), 7, "it is none")
    assert told == ["answer"] * 20
    assert [(one["event"], one["subject"]) for one in logs] == [
        ("bus_answer_unreadable", ROOM.calls("a")),
        ("bus_answer_unreadable", ROOM.node("n")),
    ]
