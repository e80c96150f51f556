"""The project's own recorded hands, made beside pokerkit, come out of the engine as they were made."""

from __future__ import annotations

import json
from itertools import islice

import pytest
from tests.support.recorded import OWN, hands, own, raw_hands
from tests.vectors.generate import VARIANTS, agreed_hands

from croupier.adapters.games import GAMES
from croupier.adapters.recorded.hand import RecordedHand
from croupier.adapters.recorded.replay import replay
from croupier.adapters.recorded.verdict import SAME


def own_hands() -> list[RecordedHand]:
    return [hand for path in own() for hand in hands(path)]


def test_every_own_hand_replays_as_recorded() -> None:
    verdicts = {hand.id: replay(hand, GAMES) for hand in own_hands()}
    assert {identity: verdict for identity, verdict in verdicts.items() if verdict != SAME} == {}
    assert len(verdicts) == sum(hands for _, _, hands in VARIANTS.values())


def test_own_hands_are_of_every_kind() -> None:
    played = own_hands()
    assert {len(hand.seats) for hand in played} == set(range(2, 11))
    assert sum(bool(hand.antes) for hand in played) > 50
    assert sum(len(hand.pots or ()) > 2 for hand in played) > 50
    assert sum(not hand.showdown for hand in played) > 50
    assert sum(any(action.all_in for action in hand.actions) for hand in played) > 100


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_first_own_hands_are_still_made_alike_beside_pokerkit(variant: str) -> None:
    recorded = list(islice(raw_hands(OWN / f"{variant}.jsonl"), 8))
    made = list(islice(agreed_hands(variant), 8))
    assert [_as_read(hand) for hand in made] == recorded


def _as_read(hand: dict[str, object]) -> object:
    return json.loads(json.dumps(hand))
