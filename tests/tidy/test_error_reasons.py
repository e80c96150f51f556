"""Holds the reasons of the contract, the table of their codes, and what the comments say of both together."""

from __future__ import annotations

import re
from pathlib import Path

from croupier.adapters.error_codes import CODES
from croupier.v1.error_reason_pb2 import ErrorReason

CONTRACT = Path(__file__).parents[2] / "proto" / "croupier" / "v1"
PREFIX = "ERROR_REASON_"
DECLARATION = re.compile(r"((?: *//.*\n)+) *ERROR_REASON_(\w+) = [1-9]\d*;")
REASONS = {name.removeprefix(PREFIX) for name in ErrorReason.keys()} - {"UNSPECIFIED"}  # noqa: SIM118


def shouted(text: str) -> set[str]:
    """Names in capitals with an underscore, as all reasons are."""
    return set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", text))


def failures_named_by_services() -> set[str]:
    """What the comments of services and RPCs say after "fails with"."""
    named: set[str] = set()
    for proto in CONTRACT.glob("*_service.proto"):
        comment = re.sub(r"\n *// ?", " ", proto.read_text())
        for sentence in re.findall(r"[Ff]ails with ([^.]*?)(?:\.| {3}rpc )", comment):
            named |= shouted(sentence)
    return named


def test_every_reason_has_exactly_one_code() -> None:
    assert set(CODES) == REASONS


def test_the_comment_of_every_reason_begins_with_its_code() -> None:
    text = (CONTRACT / "error_reason.proto").read_text()
    commented = {name: comment.split()[1].rstrip(":") for comment, name in DECLARATION.findall(text)}
    assert commented == {reason: code.name for reason, code in CODES.items()}


def test_services_name_only_reasons_that_exist() -> None:
    assert failures_named_by_services() <= REASONS


def test_every_reason_is_named_by_an_rpc_or_by_what_all_can_fail_with() -> None:
    header = (CONTRACT / "error_reason.proto").read_text().partition("enum ErrorReason")[0]
    assert failures_named_by_services() | shouted(header) >= REASONS
