"""Holds together the reasons of the contract, the table of their codes, what the comments say of both, and what the
client repeats."""

from __future__ import annotations

import re
from pathlib import Path

from croupier.adapters.error_codes import CODES
from croupier.client.errors import UNCERTAIN
from croupier.client.retry import AGAIN, AGAIN_REASONS
from croupier.v1.error_reason_pb2 import ErrorReason

CONTRACT = Path(__file__).parents[2] / "proto" / "croupier" / "v1"
PREFIX = "ERROR_REASON_"
DECLARATION = re.compile(r"((?: *//.*\n)+) *ERROR_REASON_(\w+) = [1-9]\d*;")
PAGE = CONTRACT.parents[1] / "README.md"
REASONS = {name.removeprefix(PREFIX) for name in ErrorReason.keys()} - {"UNSPECIFIED"}  # noqa: SIM118


def shouted(text: str) -> set[str]:
    """Names in capitals with an underscore, as all reasons are."""
    return set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", text))


def header() -> str:
    return (CONTRACT / "error_reason.proto").read_text().partition("enum ErrorReason")[0]


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
    assert failures_named_by_services() | shouted(header()) >= REASONS


def of_page(begin: str) -> set[str]:
    """The codes and reasons that a paragraph of the page for callers names."""
    (paragraph,) = (one for one in PAGE.read_text().split("\n\n") if one.startswith(begin))
    return set(re.findall(r"`([A-Z_]+)`", paragraph))


def waited_for() -> set[str]:
    """The reasons that come with the time to wait."""
    text = (CONTRACT / "error_reason.proto").read_text()
    return {name for comment, name in DECLARATION.findall(text) if "retry_after_ms" in comment}


def test_the_page_for_callers_tells_what_the_client_repeats() -> None:
    codes = {code.name for code in AGAIN}
    assert AGAIN_REASONS <= REASONS
    assert {CODES[reason].name for reason in waited_for() - AGAIN_REASONS} <= codes
    assert of_page("Repeat after a pause") == codes | AGAIN_REASONS | waited_for()


def test_the_page_and_the_contract_tell_after_what_a_change_may_have_been_made() -> None:
    codes = {code.name for code in UNCERTAIN}
    assert of_page("A change may have been made") == codes
    (sentence,) = re.findall(r"Only after (.*?), or no answer", re.sub(r"\n// ?", " ", header()))
    assert set(re.findall(r"[A-Z_]+", sentence)) == codes
