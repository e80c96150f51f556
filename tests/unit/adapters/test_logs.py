"""Log lines: JSON, one a line, and no card in any of them."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from croupier.adapters import logs
from croupier.cards import DECK, card_text

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def stream() -> Iterator[io.BytesIO]:
    """Where lines go; logging is as it was afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield io.BytesIO()
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def lines(stream: io.BytesIO) -> Lines:
    logs.configure("info", stream, terminal=False)
    return lambda: [json.loads(line) for line in stream.getvalue().splitlines()]


def test_event_is_one_line_of_json_with_time_and_level(lines: Lines) -> None:
    structlog.get_logger().bind(table_id="t").info("table_opened", seats=6)
    (line,) = lines()
    assert line.pop("time").endswith("Z")
    assert line == {"event": "table_opened", "level": "info", "table_id": "t", "seats": 6}


def test_below_the_level_nothing_is_written(lines: Lines) -> None:
    structlog.get_logger().debug("action_taken")
    assert lines() == []


def test_anything_but_numbers_and_texts_is_named_by_its_type(lines: Lines) -> None:
    structlog.get_logger().info("happened", cards=b"\x01", events=[1], facts={"amount": 5, "hole": b"\x02"})
    (line,) = lines()
    assert line["cards"] == "<bytes>"
    assert line["events"] == "<list>"
    assert line["facts"] == {"amount": 5, "hole": "<bytes>"}


def test_exception_is_told_without_cards_and_variables(lines: Lines) -> None:
    try:
        hole_cards = b"\x2b\x33"
        raise ValueError(f"cannot rank {hole_cards!r} of AsKd and 7c")
    except ValueError:
        structlog.get_logger().exception("ranking_failed")
    (line,) = lines()
    assert "ValueError: cannot rank [cards] of [cards] and [cards]" in line["exception"]
    assert "test_logs.py" in line["exception"]
    assert "exc_info" not in line


@pytest.mark.parametrize("card", DECK)
def test_no_card_is_left_in_an_exception(card: int) -> None:
    assert card_text(card) not in logs.without_cards(f"holding {card_text(card)}")


def test_what_libraries_warn_of_comes_along(lines: Lines) -> None:
    logging.getLogger("grpc").warning("lost %s", "peer")
    logging.getLogger("grpc").info("unheard")
    (line,) = lines()
    assert line["event"] == "library_logged"
    assert (line["library"], line["message"], line["level"]) == ("grpc", "lost peer", "warning")


@pytest.mark.parametrize("value", ["\ud800", 2**70])
def test_no_value_keeps_a_line_from_being_written(lines: Lines, value: object) -> None:
    structlog.get_logger().info("happened", value=value)
    assert lines()[0]["value"] == value


def test_terminal_gets_lines_for_people(stream: io.BytesIO) -> None:
    logs.configure("debug", stream, terminal=True)
    structlog.get_logger().debug("table_opened", seats=6)
    assert b"table_opened" in stream.getvalue()
    assert not stream.getvalue().startswith(b"{")


def test_what_cannot_be_written_ends_nothing(stream: io.BytesIO, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log may be on the disk that is full; with room again lines are written again."""

    class Full(io.BytesIO):
        def write(self, _: Any) -> int:
            raise OSError(28, "No space left on device")

    full = Full()
    logs.configure("info", full, terminal=False)
    structlog.get_logger().info("disk_was_full")
    monkeypatch.setattr(full, "write", stream.write)
    structlog.get_logger().info("room_was_made")
    assert b"room_was_made" in stream.getvalue()
