"""One statement for a batch: its parts, their parameters, and what gates them."""

from __future__ import annotations

import re

from croupier.adapters.postgres.counters import NUMBERED
from croupier.adapters.postgres.fleet import CLAIMED, HANDED_OVER
from croupier.adapters.postgres.heads import ADVANCED, APPENDED, CREATED
from croupier.adapters.postgres.ledger import BALANCED, ENTERED, OPENED, SETS
from croupier.adapters.postgres.requests import ANSWERED
from croupier.adapters.postgres.statement import OWNER_PARAMETERS, Part, columns, compose

PARTS = (
    CREATED,
    ADVANCED,
    APPENDED,
    NUMBERED,
    OPENED,
    BALANCED,
    SETS,
    ENTERED,
    ANSWERED,
    CLAIMED,
    HANDED_OVER,
)


def rows(part: Part, count: int = 2) -> list[tuple[int, ...]]:
    return [tuple(range(len(part.columns))) for _ in range(count)]


def test_a_part_without_rows_is_left_out() -> None:
    text, arrays = compose([(ADVANCED, rows(ADVANCED)), (APPENDED, []), (ANSWERED, rows(ANSWERED))])
    assert "INSERT INTO journal" not in text
    assert "UPDATE tables" in text
    assert len(arrays) == len(ADVANCED.columns) + len(ANSWERED.columns)


def test_every_parameter_is_given_once_and_in_order() -> None:
    text, arrays = compose([(part, rows(part)) for part in PARTS])
    numbers = [int(number) for number in re.findall(r"\$(\d+)::", text)]
    assert numbers == list(range(OWNER_PARAMETERS + 1, OWNER_PARAMETERS + 1 + len(arrays)))
    assert all(len(array) == 2 for array in arrays)


def test_every_part_takes_its_rows_from_the_owner_alone() -> None:
    """Who is not the owner writes nothing: no part reads rows but beside the owner's."""
    text, _ = compose([(part, rows(part)) for part in PARTS])
    assert text.count("unnest(") == text.count("FROM owner CROSS JOIN unnest(") == len(PARTS)


def test_the_ledger_is_written_after_its_entries_are_numbered() -> None:
    """One batch at a time changes balances, so that no two wait for one another."""
    text, _ = compose([(part, rows(part)) for part in PARTS])
    parts = dict(re.findall(r"^(\w+) AS \((.*?)(?=,\n\w+ AS|\nSELECT count)", text, re.MULTILINE | re.DOTALL))
    assert {"opened", "balanced", "sets", "entered"} == {
        name for name in parts if "JOIN numbered" in parts[name]
    }


def test_nothing_to_write_still_renews() -> None:
    text, arrays = compose([])
    assert "UPDATE nodes" in text
    assert arrays == []


def test_records_without_an_advanced_table_find_no_key() -> None:
    text, _ = compose([(APPENDED, rows(APPENDED))])
    assert "SELECT NULL::bigint AS key" in text


def test_columns_are_read_from_their_list() -> None:
    assert columns("key bigint, name text") == (("key", "bigint"), ("name", "text"))
