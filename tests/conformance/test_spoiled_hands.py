"""A replay reports every hand in which one action or payoff was spoiled."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest
from tests.support.mutations import MUTATIONS, Raw, mutated
from tests.support.recorded import GIVEN_NAMES, given, own, raw_hands

from croupier.adapters.games import GAMES
from croupier.adapters.recorded.hand import RecordedHand
from croupier.adapters.recorded.replay import replay
from croupier.adapters.recorded.verdict import Outcome

HANDS = 500
SEED = 20_240_917


@pytest.mark.parametrize("kind", MUTATIONS)
def test_given_hands_with_one_thing_spoiled_are_all_reported(kind: str) -> None:
    _report_every_one(kind, [given(name) for name in GIVEN_NAMES])


@pytest.mark.parametrize("kind", MUTATIONS)
def test_own_hands_with_one_thing_spoiled_are_all_reported(kind: str) -> None:
    _report_every_one(kind, own())


def _report_every_one(kind: str, paths: list[Path]) -> None:
    dice = random.Random(f"{SEED} {kind}")
    every = [raw for path in paths for raw in raw_hands(path)]
    chosen = dice.sample(every, HANDS) if len(every) > HANDS else every
    passed = [what for what, raw in (mutated(raw, kind, dice) for raw in chosen) if not _reported(raw)]
    assert not passed, f"{len(passed)} of {len(chosen)} passed unseen (seed {SEED}): {passed[:5]}"


def _reported(raw: Raw) -> bool:
    """Whether the spoiled hand is told from one as recorded; one that is no record at all is."""
    try:
        recorded = msgspec.convert(raw, RecordedHand, strict=False)
    except msgspec.ValidationError:
        return True
    return replay(recorded, GAMES).outcome is Outcome.DIFFERENT
