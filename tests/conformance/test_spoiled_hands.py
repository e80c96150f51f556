"""A replay reports every hand in which one action or payoff was spoiled."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.support.mutations import MUTATIONS, Raw, mutated
from tests.support.recorded import GIVEN_NAMES, given, own, raw_hands

from croupier.adapters.games import GAMES
from croupier.adapters.recorded.beginning import BLINDS_TURNED, STAKES_UNTRUE
from croupier.adapters.recorded.comparison import DRAW_UNSAID
from croupier.adapters.recorded.hand import RecordedHand
from croupier.adapters.recorded.replay import replay
from croupier.adapters.recorded.verdict import Outcome

HANDS_OF_A_VARIANT = 120
"""At most; more than 500 of the given hands are spoiled in each way."""
SEED = 20_240_917


@pytest.mark.parametrize("kind", MUTATIONS)
def test_given_hands_with_one_thing_spoiled_are_all_reported(kind: str) -> None:
    assert _report_every_one(kind, [given(name) for name in GIVEN_NAMES]) > 500


@pytest.mark.parametrize("kind", MUTATIONS)
def test_own_hands_with_one_thing_spoiled_are_all_reported(kind: str) -> None:
    _report_every_one(kind, own())


def _report_every_one(kind: str, paths: list[Path]) -> int:
    """How many were spoiled, some of every variant."""
    dice = random.Random(f"{SEED} {kind}")
    chosen = list(_of_every_variant(paths, dice))
    passed = [
        what for raw in chosen for what, spoiled in (mutated(raw, kind, dice),) if not _reported(spoiled, raw)
    ]
    assert not passed, f"{len(passed)} of {len(chosen)} passed unseen (seed {SEED}): {passed[:5]}"
    return len(chosen)


def _of_every_variant(paths: list[Path], dice: random.Random) -> Iterator[Raw]:
    variants: defaultdict[str, list[Raw]] = defaultdict(list)
    for path in paths:
        for raw in raw_hands(path):
            variants[raw["variant"]].append(raw)
    for hands in variants.values():
        yield from dice.sample(hands, min(len(hands), HANDS_OF_A_VARIANT))


def _reported(spoiled: Raw, raw: Raw) -> bool:
    """Whether the spoiled hand is told from one as recorded; one that is no record at all is.

    What a site does in its own way it may have done here too, such as leave the draw out that was lost, or name
    other stakes: such a hand is told apart.
    """
    try:
        verdict = replay(msgspec.convert(spoiled, RecordedHand, strict=False), GAMES)
    except msgspec.ValidationError:
        return True
    if set(verdict.reasons) & {DRAW_UNSAID, STAKES_UNTRUE, BLINDS_TURNED}:
        return replay(msgspec.convert(raw, RecordedHand, strict=False), GAMES) != verdict
    return verdict.outcome is Outcome.DIFFERENT
