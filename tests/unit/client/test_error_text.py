"""What a failed call says: its reason and facts once, and whatever else came with it."""

from __future__ import annotations

from grpc import StatusCode

from croupier.client.errors import CroupierError


def test_a_reason_and_its_facts_are_told_once() -> None:
    error = CroupierError(
        "TABLE_HALTED", {"table_id": "t"}, StatusCode.FAILED_PRECONDITION, "TABLE_HALTED (table_id=t)"
    )
    assert str(error) == "TABLE_HALTED (table_id=t)"


def test_what_came_without_a_reason_is_told_by_its_code() -> None:
    assert str(CroupierError("", {}, StatusCode.UNAVAILABLE, "no route")) == "UNAVAILABLE no route"
