"""The given recorded hands of every variant come out of the engine as they were played."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.support.recorded import GIVEN_NAMES, given, hands

from croupier.adapters.games import GAMES
from croupier.adapters.recorded.beginning import BLINDS_TURNED, STAKES_UNTRUE
from croupier.adapters.recorded.comparison import CAPPED_LAST_CALL, DRAW_UNSAID
from croupier.adapters.recorded.payoffs import ODD_CHIPS, RAKE_SPREAD
from croupier.adapters.recorded.replay import replay
from croupier.adapters.recorded.tally import Tally
from croupier.adapters.recorded.verdict import Outcome

LIMITS = ("nl", "pl", "fl")
GAMES_GIVEN = ("he", "o", "o8", "5cd")
WAYS_OF_SITES = {ODD_CHIPS, RAKE_SPREAD, CAPPED_LAST_CALL, DRAW_UNSAID, STAKES_UNTRUE, BLINDS_TURNED}


@pytest.mark.parametrize("name", GIVEN_NAMES)
def test_every_given_hand_replays_as_recorded(name: str) -> None:
    different: list[str] = []
    tally = Tally(name)
    for recorded in hands(given(name)):
        verdict = replay(recorded, GAMES)
        tally.add(recorded.id, verdict)
        if verdict.outcome in (Outcome.DIFFERENT, Outcome.SKIPPED):
            different.append(f"{recorded.id}: {verdict.outcome.value}: {verdict.reasons}")
        if not recorded.checkable:
            assert verdict.outcome is not Outcome.SAME, f"{recorded.id} cannot be checked to its end"
    assert not different
    assert {reason for _, reason in tally.reasons} <= WAYS_OF_SITES
    print(f"{name}: {dict(tally.outcomes)} {dict(tally.reasons)}")


def test_given_hands_are_of_every_variant_and_nearly_all_compared_to_their_end() -> None:
    outcomes: Counter[Outcome] = Counter()
    variants: Counter[str] = Counter()
    for name in GIVEN_NAMES:
        for recorded in hands(given(name)):
            outcomes[replay(recorded, GAMES).outcome] += 1
            variants[recorded.variant] += 1
    apart = outcomes[Outcome.UP_TO_SHOWDOWN] + outcomes[Outcome.SITES_OWN_WAY]
    assert apart * 100 < outcomes[Outcome.SAME]
    assert set(variants) == {limit + game for limit in LIMITS for game in GAMES_GIVEN}
