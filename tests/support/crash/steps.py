"""The named steps of a command's life, and which of them a unit of the store goes through."""

from __future__ import annotations

from typing import Final, Literal, get_args

import msgspec

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine.commands import AnyCommand
from croupier.room import codec
from croupier.room.ports import Unit
from croupier.room.principal import SERVICE

Step = Literal[
    "received", "decided", "recorded", "queued", "staged", "committing", "committed", "told", "answered"
]
STEPS: Final[tuple[Step, ...]] = get_args(Step)
"""
received: the command is at its table, or the move at its wallet, and nothing has been done.
decided: its events are made and applied to the table in memory.
recorded: it is encoded, chained, and one unit with its ledger entries and lasting answer.
queued: the store has taken it.
staged: its rows are written in a transaction (PostgreSQL: its statement is made and not sent).
committing: everything is written but the COMMIT.
committed: it is on disk, and nobody has been told.
told: watchers and waiters have been told.
answered: the caller has the answer.
"""

SETTLEMENT: Final = "Settlement"
DRAW: Final = "Draw"
COMMANDS: Final = frozenset(command.__name__ for command in get_args(AnyCommand))
RECORDS: Final = COMMANDS | {"CreateTable", SETTLEMENT, DRAW}
"""Kinds of commands, and two that are no kind of their own: an action that settles a hand, one that draws."""
MOVES: Final = frozenset(
    ("deposit", "withdrawal", "reservation", "payout", "voided", "adjustment", "BlockPlayer", "UnblockPlayer")
)
"""What concerns no table's journal: steps of the cashier's, and what operators do beside tables."""


class Told(msgspec.Struct, frozen=True):
    """A unit that became durable: how it is found again, its kind, and whether a caller waited for it."""

    address: str
    kind: str
    asked: bool


class Kill(msgspec.Struct, frozen=True):
    """Where a process is to be killed: at a step of the unit with this address."""

    address: str
    kind: str
    step: Step


def address(unit: Unit) -> str:
    """What a unit is called in every run: its place in its table's journal, or its request."""
    if unit.records:
        return place(unit.records[0].table_id, unit.records[0].journal_sequence)
    assert unit.request is not None
    return named(unit.request.method, unit.request.request_id)


def named(method: str, request_id: str) -> str:
    return f"{method}/{request_id}"


def place(table_id: str, journal_sequence: int) -> str:
    return f"{table_id}/{journal_sequence}"


def kind(unit: Unit) -> str:
    if not unit.records:
        if unit.operation is not None and not unit.entry_sets:
            return unit.operation.method
        return unit.entry_sets[0].kind if unit.entry_sets else "voided"
    (record,) = unit.records
    return kind_of(codec.decode(record.body, record.format))


def asked_for(unit: Unit) -> bool:
    """Whether a caller is answered once it is durable."""
    if unit.request is not None and unit.request.principal:
        return True
    return bool(unit.records) and unit.records[0].principal != SERVICE.id


def kind_of(body: codec.Body) -> str:
    if any(isinstance(event, ev.CardsDrawn) for event in body.events):
        return DRAW
    if isinstance(body.command, cmd.ResolveTable):
        return type(body.command).__name__
    if any(isinstance(event, ev.HandEnded) for event in body.events):
        return SETTLEMENT
    return type(body.command).__name__


def steps_of(told: Told) -> tuple[Step, ...]:
    """What concerns no table is decided by no rules; what the service does by itself answers nobody."""
    absent: set[Step] = set()
    if told.kind in MOVES:
        absent.add("decided")
    if not told.asked:
        absent.add("answered")
    return tuple(step for step in STEPS if step not in absent)
