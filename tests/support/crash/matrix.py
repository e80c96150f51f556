"""Which kills make up the matrix of kinds and steps, and how many runs of the story they take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tests.support.crash.run import Run
from tests.support.crash.steps import STEPS, Kill, Step, Told, steps_of

ROUNDS: Final = len(STEPS)
"""So many runs of the story kill every kind at every step of its life."""

Cell = tuple[str, Step]


def cells(told: Sequence[Told]) -> set[Cell]:
    """Every kind with every step that units of it go through."""
    return {(one.kind, step) for one in told for step in steps_of(one)}


def round_of(told: Sequence[Told], number: int) -> list[Kill]:
    """One kill of each kind, in the order in which the story comes to them; the step moves on with each round.

    Kinds that occur more often are killed elsewhere in each round.
    """
    by_kind: dict[str, list[int]] = {}
    for index, one in enumerate(told):
        by_kind.setdefault(one.kind, []).append(index)
    chosen: list[tuple[int, Kill]] = []
    for turn, (kind, places) in enumerate(sorted(by_kind.items())):
        most = max(len(steps_of(told[index])) for index in places)
        able = [index for index in places if len(steps_of(told[index])) == most]
        index = able[number % len(able)]
        steps = steps_of(told[index])
        chosen.append((index, Kill(told[index].address, kind, steps[(turn + number) % len(steps)])))
    return [kill for _, kill in sorted(chosen, key=lambda one: one[0])]


def at_every_unit(told: Sequence[Told], step: Step) -> list[Kill]:
    """A kill at the same step of every unit that goes through it."""
    return [Kill(one.address, one.kind, step) for one in told if step in steps_of(one)]


def must_equal(run: Run, uncrashed: Run) -> None:
    """Fails unless a run with kills came to what the one without came to, in all that callers and the store say.

    A restart ends the time for showing cards (R-H9): then the last command of the story, which shows some, is
    refused, and its record, request and answer are all that is missing.
    """
    heard, stored = list(uncrashed.heard), {name: list(rows) for name, rows in uncrashed.picture.items()}
    if run.forgotten:
        stored["records"] = [row for row in stored["records"] if not row[5].endswith("ShowCards")]
        stored["requests"] = [row for row in stored["requests"] if row[1] != "ShowCards"]
    must_be_alike("what callers heard", run.heard, heard, run.reached)
    for name, rows in stored.items():
        must_be_alike(name, run.picture[name], rows, run.reached)


def must_be_alike(what: str, found: Sequence[Any], wanted: Sequence[Any], kills: Sequence[Kill]) -> None:
    """Fails with the first difference, and the kills that happened."""
    for number, (one, other) in enumerate(zip(found, wanted, strict=False)):
        if one != other:
            raise AssertionError(f"{what}, {number}: {one} is not {other}, after {kills}")
    assert len(found) == len(wanted), f"{what}: {len(found)} are not {len(wanted)}, after {kills}"
