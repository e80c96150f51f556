"""A server killed at each step of each kind of command comes to what it would have come to: cards, events, ledger.

Whoever called makes the same request again. CROUPIER_LONG=1 (`make crash`) kills at every step of every kind, and at
three steps of every single command of the story; otherwise every kind and every step are hit at least once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from tests.support.crash.lives import Nursery
from tests.support.crash.matrix import ROUNDS, Cell, at_every_unit, cells, must_equal, round_of
from tests.support.crash.run import Run, run
from tests.support.crash.steps import MOVES, RECORDS, STEPS, Kill, Step
from tests.support.crash.teller import Teller
from tests.support.postgres import emptied_database

LONG: Final = bool(os.environ.get("CROUPIER_LONG"))
EVERYWHERE: Final[tuple[Step, ...]] = ("queued", "committing", "committed")
STORES: Final = ("sqlite", "postgres")


class Runs:
    """The story without a crash on one kind of store, and as often as is asked for with kills."""

    def __init__(self, store: str, directory: Path, nursery: Nursery) -> None:
        self.store: Final = store
        self._directory = directory
        self._nursery = nursery
        self._number = 0
        self.uncrashed: Final = self._tell(())
        self.cells: Final = cells(self.uncrashed.told)

    def hit(self, kills: Sequence[Kill]) -> set[Cell]:
        """Kill there; where a kill came too late, once more without those before it. What was hit."""
        hit: set[Cell] = set()
        while kills:
            found = self._tell(kills)
            must_equal(found, self.uncrashed)
            assert found.reached, f"no kill of {kills} happened"
            hit |= {(kill.kind, kill.step) for kill in found.reached}
            kills = found.missed
        return hit

    def uncrashed_again(self) -> Run:
        return self._tell(())

    def with_other_cards(self, kill: Kill) -> Run:
        """A run whose server draws other cards once it was killed there."""
        return self._tell((kill,), seeds_differ=True)

    def _tell(self, kills: Sequence[Kill], *, seeds_differ: bool = False) -> Run:
        self._number += 1
        directory = self._directory / str(self._number)
        directory.mkdir()
        with self._emptied(directory) as store:
            return run(self._nursery, directory, store, kills, seeds_differ=seeds_differ)

    @contextmanager
    def _emptied(self, directory: Path) -> Iterator[str]:
        if self.store == "sqlite":
            yield f"sqlite:{directory / 'croupier.db'}"
        else:
            with emptied_database() as dsn:
                yield dsn


@pytest.fixture(scope="module", params=STORES)
def runs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    directory = tmp_path_factory.mktemp("crash")
    nursery = Nursery(directory / "servers.log")
    try:
        yield Runs(request.param, directory, nursery)
    finally:
        nursery.close()


def test_the_story_has_every_kind_of_command_and_every_step_of_its_life(runs: Runs) -> None:
    """A new kind of command is missing here until the story tells of it."""
    assert {kind for kind, _ in runs.cells} == RECORDS | MOVES
    assert {step for _, step in runs.cells} == set(STEPS)


@pytest.mark.timeout(300)
def test_kills_at_every_kind_and_at_every_step_leave_no_trace(runs: Runs) -> None:
    hit = runs.hit(round_of(runs.uncrashed.told, 0))
    assert {kind for kind, _ in hit} == RECORDS | MOVES
    assert {step for _, step in hit} == set(STEPS)


def test_other_cards_would_be_noticed(runs: Runs) -> None:
    last = [one for one in runs.uncrashed.told if one.kind == "CommitDeck"][-1]
    other = runs.with_other_cards(Kill(last.address, last.kind, "committing"))
    with pytest.raises(AssertionError, match="what callers heard"):
        must_equal(other, runs.uncrashed)


def test_a_story_that_breaks_off_leaves_no_server_to_the_next(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Teller, "look", broken_off)
        with pytest.raises(BrokenOffError):
            runs.uncrashed_again()
    must_equal(runs.uncrashed_again(), runs.uncrashed)


class BrokenOffError(Exception):
    """Raised in the middle of a story."""


def broken_off(*_: object) -> None:
    raise BrokenOffError


@pytest.mark.skipif(not LONG, reason="CROUPIER_LONG: every step of every kind of command takes minutes")
@pytest.mark.timeout(3600)
def test_kills_at_every_step_of_every_kind_leave_no_trace(runs: Runs) -> None:
    hit: set[Cell] = set()
    for number in range(1, ROUNDS):
        hit |= runs.hit(round_of(runs.uncrashed.told, number))
    hit |= runs.hit(round_of(runs.uncrashed.told, 0))
    assert hit == runs.cells
    print_figures(runs.store, hit)


@pytest.mark.skipif(not LONG, reason="CROUPIER_LONG: a kill at every command of a story takes minutes")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("step", EVERYWHERE)
def test_a_server_killed_at_every_single_command_gets_through_its_story(runs: Runs, step: Step) -> None:
    kills = at_every_unit(runs.uncrashed.told, step)
    runs.hit(kills)
    print(f"\n{runs.store}, {step}: killed at {len(kills)} commands")


def print_figures(store: str, hit: set[Cell]) -> None:
    for step in STEPS:
        print(f"\n{store}, {step}: killed in {sum(one == step for _, one in hit)} kinds", end="")
