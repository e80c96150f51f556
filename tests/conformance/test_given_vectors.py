"""The given recorded hands come out of the engine as they were played."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.support.recorded import GIVEN_NAMES, PLAYED, given, hands

from croupier.adapters.games import GAMES
from croupier.adapters.recorded.replay import replay
from croupier.adapters.recorded.tally import Tally
from croupier.adapters.recorded.verdict import Outcome

WAYS_OF_SITES = {"place of odd chips", "rake spread over pots", "capped last call"}


@pytest.mark.parametrize("name", GIVEN_NAMES)
def test_every_given_hand_replays_as_recorded(name: str) -> None:
    different: list[str] = []
    tally = Tally(name)
    played: Counter[str] = Counter()
    for recorded in hands(given(name)):
        verdict = replay(recorded, GAMES)
        tally.add(recorded.id, verdict)
        if verdict.outcome is Outcome.DIFFERENT:
            different.append(f"{recorded.id}: {verdict.reasons}")
        if recorded.variant in PLAYED:
            played[recorded.variant] += 1
            assert verdict.outcome is not Outcome.SKIPPED, f"{recorded.id}: {verdict.reasons}"
        if not recorded.checkable:
            assert verdict.outcome is not Outcome.SAME, f"{recorded.id} cannot be checked to its end"
    assert not different
    _only_reasons_that_are_no_differences(tally)
    assert tally.hands == played.total() + tally.outcomes[Outcome.SKIPPED]
    print(f"{name}: {dict(tally.outcomes)} {dict(tally.reasons)}")


def _only_reasons_that_are_no_differences(tally: Tally) -> None:
    for outcome, reason in tally.reasons:
        if outcome is Outcome.SKIPPED:
            assert reason.startswith("game not in this version: ")
        else:
            assert reason in WAYS_OF_SITES


def test_nearly_all_hands_are_compared_to_their_end() -> None:
    outcomes: Counter[Outcome] = Counter()
    for name in GIVEN_NAMES:
        outcomes.update(
            replay(recorded, GAMES).outcome for recorded in hands(given(name)) if recorded.variant in PLAYED
        )
    apart = outcomes[Outcome.UP_TO_SHOWDOWN] + outcomes[Outcome.SITES_OWN_WAY]
    assert apart * 100 < outcomes[Outcome.SAME]
