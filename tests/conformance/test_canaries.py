"""With a rule broken on purpose the tests that show it fail, and replays differ: else they would be worth nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

import pytest
from msgspec import structs
from tests.conformance import test_probes as probes
from tests.property import test_rotation_laws as rotation
from tests.property import test_two_worlds as worlds
from tests.support import broken_rules as broken
from tests.support.broken_rules import Break, Patch
from tests.support.recorded import hands, own
from tests.unit.engine import test_advance_actions as advance_actions
from tests.unit.engine import test_draw as draw
from tests.unit.engine import test_games as games
from tests.unit.engine import test_hand_hi_lo as hi_lo
from tests.unit.engine import test_hand_limits as limits
from tests.unit.engine import test_hand_options as options
from tests.unit.engine import test_hand_perft as perft
from tests.unit.engine import test_hand_pots as pots
from tests.unit.engine import test_hand_rake as rake
from tests.unit.engine import test_hand_reopening as reopening
from tests.unit.engine import test_hand_showdown as showdowns
from tests.unit.engine import test_stub_reshuffle as reshuffle
from tests.unit.room import test_whole_table as whole_table

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


def perft_of(name: str) -> Callable[[], None]:
    """The count of all lines on one of the tiny tables."""
    return lambda: perft.test_lines_by_length_are_as_many_as_the_rules_told_anew_give(
        *next(table for table in perft.PERFT if table.name == name)
    )


def walked(law: Any) -> Callable[[], None]:
    """A law of rotation, held against one walk: the small blind leaves, the button falls on its empty seat."""
    steps = [("join", 5), ("join", 7), *[("deal", 1)] * 3, ("leave", 5), *[("deal", 1)] * 3, ("join", 9)]
    return lambda: law.hypothesis.inner_test([*steps, *[("deal", 1)] * 4], {"wait_near_button": False})


BROKEN: list[Break] = [
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


@pytest.mark.parametrize("rule", BROKEN, ids=lambda rule: rule.__name__)
def test_a_broken_rule_makes_own_hands_differ(
    rule: Break, own_hands: list[RecordedHand], monkeypatch: Patch
) -> None:
    assert differing(own_hands) == 0
    rule(monkeypatch)
    assert differing(own_hands) > 0


def test_a_wrong_ranking_makes_own_hands_differ(own_hands: list[RecordedHand]) -> None:
    def worst_wins(holes: Sequence[bytes], board: bytes) -> list[int]:
        return [-rank for rank in rank_holdem(holes, board)]

    verdicts = [replay(recorded, {**GAMES, "holdem": holdem(worst_wins)}).outcome for recorded in own_hands]
    assert verdicts.count(Outcome.DIFFERENT) > 100


CANARIES: dict[Break, list[Callable[[], object]]] = {
    broken.odd_chips_to_the_last_seats: [
        pots.test_odd_chips_go_one_each_from_the_left_of_the_button,
        hi_lo.test_three_who_share_the_low_have_a_sixth_each,
    ],
    broken.the_odd_chip_of_the_halves_to_low: [
        hi_lo.test_the_odd_chip_of_the_halves_goes_to_high,
        hi_lo.test_of_a_single_chip_the_low_has_none,
    ],
    broken.pots_that_are_not_halved: [
        hi_lo.test_the_best_high_and_the_best_low_win_half_each,
        hi_lo.test_each_pot_is_halved_by_itself,
    ],
    broken.a_low_qualifies_at_nine: [hi_lo.test_without_a_qualifying_low_high_takes_all],
    broken.omaha_plays_three_hole_cards: [games.test_omaha_is_played_with_exactly_two_hole_cards],
    broken.short_all_ins_reopen: [
        probes.test_p1_one_short_all_in_does_not_reopen_the_betting,
        probes.test_p2_a_short_all_in_after_a_full_one_does_not_reopen_for_its_caller,
        probes.test_p4_short_all_ins_reopen_for_the_seat_that_faces_a_full_raise_alone,
        probes.test_p11_a_limper_facing_a_short_all_in_may_call_or_fold,
        reopening.test_each_seat_remembers_its_own_level,
        perft_of("no limit, short all-ins"),
    ],
    broken.no_raise_counts_in_fixed_limit: [
        limits.test_fixed_limit_takes_one_bet_and_three_raises_a_street,
        perft_of("fixed limit, bets capped"),
    ],
    broken.the_cap_never_lifts: [
        limits.test_fixed_limit_cap_lifts_when_play_gets_down_to_two_before_it,
        perft_of("fixed limit, cap lifted"),
    ],
    broken.all_in_rules_that_leave_everything: [
        options.test_all_in_or_fold_leaves_just_that,
        options.test_all_in_or_all_in_leaves_all_in_alone,
        perft_of("all in or fold"),
    ],
    broken.a_short_big_blind_lowers_the_pot_limit: [
        limits.test_pot_limit_counts_a_short_big_blind_as_posted_in_full,
        perft_of("pot limit, a short big blind"),
    ],
    broken.rake_from_uncalled_chips: [
        pots.test_an_uncalled_bet_is_never_raked,
        rake.test_without_it_a_hand_that_ends_before_the_flop_is_raked,
    ],
    broken.discards_come_back_to_the_drawer: [
        reshuffle.test_stub_is_reshuffled_before_any_replacement_is_dealt,
        reshuffle.test_reshuffled_cards_come_in_the_order_of_the_next_deck,
    ],
    broken.the_first_player_opens_after_the_draw: [
        draw.test_betting_then_draw_then_betting,
        draw.test_second_round_where_the_second_player_has_folded,
    ],
    broken.the_button_never_rests_on_an_empty_seat: [
        walked(rotation.test_small_blind_and_button_follow_the_big_blind),
    ],
    broken.newcomers_bring_nothing_in: [walked(rotation.test_newcomers_post_a_live_big_blind_once)],
    broken.a_time_out_folds_for_free: [whole_table.test_time_out_checks_where_that_is_free],
    broken.a_call_in_advance_goes_for_any_amount: [
        advance_actions.test_a_call_is_void_as_soon_as_its_amount_changes,
        advance_actions.test_a_check_is_void_as_soon_as_there_is_something_to_call,
    ],
    broken.losers_muck_beside_an_all_in: [
        showdowns.test_every_hand_is_turned_up_where_any_player_still_in_is_all_in,
        showdowns.test_every_hand_still_in_is_turned_up_where_losers_may_not_muck,
    ],
    broken.snapshots_show_a_players_cards_to_all: [
        partial(worlds.alike, 3),
    ],
}
"""Each broken rule, and the tests of which every one must fail then."""


@pytest.mark.parametrize("rule", CANARIES, ids=lambda rule: rule.__name__)
def test_a_broken_rule_fails_the_tests_that_show_it(rule: Break, monkeypatch: Patch) -> None:
    """R-B3, R-B7, R-B8, R-B9, R-C5, R-C6, R-H4, R-H7 to R-H9, R-P4, R-P5, R-T10, R-T14 to R-T16, R-T19."""
    for shows in CANARIES[rule]:
        shows()
    rule(monkeypatch)
    for shows in CANARIES[rule]:
        with pytest.raises((AssertionError, ValueError)):
            shows()
