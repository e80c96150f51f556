"""With a rule broken on purpose the checks fail: a replay that always agrees would be worth nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest
from msgspec import structs
from tests.conformance import test_probes as probes
from tests.support.recorded import hands, own

from croupier.adapters.games import GAMES
from croupier.adapters.recorded.hand import RecordedHand
from croupier.adapters.recorded.replay import replay
from croupier.adapters.recorded.verdict import Outcome
from croupier.engine import betting, hand, showdown
from croupier.engine import events as ev
from croupier.engine.game import holdem
from croupier.engine.hand import Hand
from croupier.engine.pots import Pot, build_pots
from croupier.handrank import rank_holdem

Patch = pytest.MonkeyPatch


@pytest.fixture(scope="module")
def own_hands() -> list[RecordedHand]:
    return [recorded for path in own() for recorded in hands(path)]


def differing(own_hands: Sequence[RecordedHand]) -> int:
    return sum(replay(recorded, GAMES).outcome is Outcome.DIFFERENT for recorded in own_hands)


def keep_what_nobody_called(patch: Patch) -> None:
    patch.setattr("croupier.engine.play.uncalled_bet", lambda _hand: None)


def pay_one_pot(patch: Patch) -> None:
    def one_pot(contributions: Sequence[int], folded: Sequence[bool], dead: int) -> list[Pot]:
        pots = build_pots(contributions, folded, dead)
        return [Pot(sum(pot.amount for pot in pots), pots[0].eligible)]

    patch.setattr(showdown, "build_pots", one_pot)


def rake_what_is_not_raked(patch: Patch) -> None:
    patch.setattr(showdown, "rake_of", lambda *_told, **_named: 1)


def let_the_wrong_seat_open(patch: Patch) -> None:
    right = hand._left_of
    patch.setattr(hand, "_left_of", lambda played, seat: right(played, seat) + 1)


def ask_who_owes_nothing(patch: Patch) -> None:
    patch.setattr(hand, "_nothing_to_answer", lambda _hand, _position: False)


def forget_the_last_raise(patch: Patch) -> None:
    def raised(played: Hand, event: ev.Raised) -> None:
        before = played.last_full_raise
        hand._raised(played, event)
        played.last_full_raise = max(before, event.to)

    patch.setitem(cast(dict[Any, Any], hand._EVOLVE), ev.Raised, raised)


def count_no_raise_in_fixed_limit(patch: Patch) -> None:
    patch.setattr(hand, "_count_full_bet", lambda _hand, _to: None)


def lower_the_pot_limit_by_a_chip(patch: Patch) -> None:
    right = betting._legal_actions

    def legal(played: Hand) -> object:
        told = right(played)
        if told.max_raise_to > told.min_raise_to and played.rules.structure is betting._POT_LIMIT:
            return structs.replace(told, max_raise_to=told.max_raise_to - 1)
        return told

    patch.setattr(betting, "_legal_actions", legal)


def pay_no_low(patch: Patch) -> None:
    patch.setattr(showdown, "_lows", lambda _hand: {})


def pay_any_low(patch: Patch) -> None:
    right = showdown._lows
    patch.setattr(showdown, "_lows", lambda played: {seat: low + 1 for seat, low in right(played).items()})


def let_nobody_all_in_draw(patch: Patch) -> None:
    right = hand._pass_draw_on

    def wrong(played: Hand, position: int) -> None:
        right(played, position)
        while played.actor != hand.NOBODY and not played.can_act[played.actor]:
            played.to_act -= 1
            right(played, played.actor)

    patch.setattr(hand, "_pass_draw_on", wrong)


def draw_from_the_bottom_of_a_new_stub(patch: Patch) -> None:
    right = hand._stub_reshuffled

    def wrong(played: Hand, event: ev.StubReshuffled) -> None:
        right(played, event)
        played.stub = played.stub[::-1]

    appliers: dict[type[ev.Event], Callable[[Hand, Any], None]] = dict(hand._EVOLVE)
    appliers[ev.StubReshuffled] = wrong
    patch.setattr(hand, "_EVOLVE", appliers)


BROKEN: list[Callable[[Patch], None]] = [
    keep_what_nobody_called,
    pay_one_pot,
    let_the_wrong_seat_open,
    ask_who_owes_nothing,
    forget_the_last_raise,
    count_no_raise_in_fixed_limit,
    lower_the_pot_limit_by_a_chip,
    rake_what_is_not_raked,
    pay_no_low,
    pay_any_low,
    let_nobody_all_in_draw,
    draw_from_the_bottom_of_a_new_stub,
]


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
def test_a_broken_rule_makes_own_hands_differ(
    broken: Callable[[Patch], None], own_hands: list[RecordedHand], monkeypatch: Patch
) -> None:
    assert differing(own_hands) == 0
    broken(monkeypatch)
    assert differing(own_hands) > 0


def test_a_wrong_ranking_makes_own_hands_differ(own_hands: list[RecordedHand]) -> None:
    def worst_wins(holes: Sequence[bytes], board: bytes) -> list[int]:
        return [-rank for rank in rank_holdem(holes, board)]

    verdicts = [replay(recorded, {**GAMES, "holdem": holdem(worst_wins)}).outcome for recorded in own_hands]
    assert verdicts.count(Outcome.DIFFERENT) > 100


PROBES_OF_REOPENING = [
    probes.test_p1_one_short_all_in_does_not_reopen_the_betting,
    probes.test_p2_a_short_all_in_after_a_full_one_does_not_reopen_for_its_caller,
    probes.test_p4_short_all_ins_reopen_for_the_seat_that_faces_a_full_raise_alone,
    probes.test_p11_a_limper_facing_a_short_all_in_may_call_or_fold,
]


@pytest.mark.parametrize("probe", PROBES_OF_REOPENING, ids=lambda probe: probe.__name__)
def test_betting_that_always_reopens_fails_the_probes(probe: Callable[[], None], monkeypatch: Patch) -> None:
    monkeypatch.setattr(betting, "_raising_open", lambda _hand, _position: True)
    with pytest.raises(AssertionError):
        probe()
