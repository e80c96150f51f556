"""What clients recorded against a history: the truth raises nothing, and each way of lying is found by its name."""

from __future__ import annotations

import pytest
from tests.support.history_lies_told import LIES
from tests.support.made_history import made

from croupier.client.load.dice import Dice
from croupier.client.load.history.finding import Kind
from croupier.client.load.history.operation import Operation, Outcome
from croupier.client.load.history.order import out_of_order
from croupier.client.load.history.wallets import of_wallet
from croupier.v1.settlement_service_pb2 import EntryKind, LedgerEntry

EVENT_BY_EVENT = {"a_hand_is_told_otherwise"}
"""Lies about what made histories do not have: hands returned whole."""


def test_tens_of_thousands_of_made_operations_raise_none() -> None:
    truths = [made(500, seed) for seed in range(10)]
    assert sum(len(truth.operations) for truth in truths) > 30_000
    assert [truth.findings() for truth in truths] == [[]] * 10


@pytest.mark.parametrize("name", sorted(LIES.keys() - EVENT_BY_EVENT))
def test_a_lie_is_found_and_named(name: str) -> None:
    dice = Dice(len(name))
    told = 0
    for seed in range(12):
        truth = made(12, seed)
        if LIES[name].tell(truth, dice.below(1 << 20)):
            told += 1
            found = truth.findings()
            assert LIES[name].kinds & {finding.kind for finding in found}, (seed, [str(one) for one in found])
    assert told > 6


def operation(method: str, sent: int, ended: int, sequence: int) -> Operation:
    return Operation(
        method, sent, request_id=f"at-{sequence}", outcome=Outcome.ANSWERED, ended=ended, sequence=sequence
    )


def test_what_overlaps_may_stand_either_way() -> None:
    assert not list(out_of_order("t", [operation("Act", 0, 10, 5), operation("Act", 5, 15, 4)]))


def test_what_was_over_before_stands_before() -> None:
    (found,) = out_of_order("t", [operation("Act", 0, 10, 5), operation("Act", 11, 15, 4)])
    assert (found.kind, found.sequence, found.request_id) == (Kind.REORDERED, 4, "at-4")


def test_a_read_knows_what_was_over_and_nothing_of_what_came_later() -> None:
    assert not list(out_of_order("t", [operation("Act", 0, 10, 5), operation("GetTable", 11, 15, 5)]))
    (stale,) = out_of_order("t", [operation("Act", 0, 10, 5), operation("GetTable", 11, 15, 4)])
    assert stale.kind is Kind.STALE
    (early,) = out_of_order("t", [operation("GetTable", 0, 10, 5), operation("Act", 11, 15, 5)])
    assert early.kind is Kind.REORDERED


def deposit(request_id: str, outcome: Outcome, amount: int = 7) -> Operation:
    return Operation("Deposit", 1, "", "p", request_id, amount=amount, outcome=outcome, ended=2)


def entry(amount: int, kind: EntryKind.ValueType = EntryKind.ENTRY_KIND_DEPOSIT) -> LedgerEntry:
    return LedgerEntry(amount=amount, kind=kind)


@pytest.mark.parametrize(
    ("asked", "there", "kinds"),
    [
        ([deposit("a", Outcome.ANSWERED)], [entry(7)], []),
        ([deposit("a", Outcome.ANSWERED), deposit("a", Outcome.ANSWERED)], [entry(7)], []),
        ([deposit("a", Outcome.UNKNOWN)], [entry(7)], []),
        ([deposit("a", Outcome.UNKNOWN)], [], []),
        ([deposit("a", Outcome.UNKNOWN), deposit("a", Outcome.ANSWERED)], [entry(7)], []),
        ([deposit("a", Outcome.ANSWERED)], [], [Kind.LOST]),
        ([deposit("a", Outcome.ANSWERED)], [entry(7), entry(7)], [Kind.DOUBLED]),
        ([deposit("a", Outcome.REFUSED)], [entry(7)], [Kind.INVENTED]),
        ([deposit("a", Outcome.ANSWERED)], [entry(8)], [Kind.LOST, Kind.INVENTED]),
        ([], [entry(-5, EntryKind.ENTRY_KIND_WITHDRAWAL)], [Kind.INVENTED]),
        ([], [entry(9, EntryKind.ENTRY_KIND_PAYOUT)], []),
    ],
)
def test_deposits_are_in_the_ledger_once(
    asked: list[Operation], there: list[LedgerEntry], kinds: list[Kind]
) -> None:
    assert [finding.kind for finding in of_wallet("p", asked, there)] == kinds
