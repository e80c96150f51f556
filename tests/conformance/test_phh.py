"""Hands in the poker hand history format: written by pokerkit or by hand, replayed here."""

from __future__ import annotations

import io
import random
import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

import pokerkit
import pytest

from croupier.adapters.games import GAMES
from croupier.adapters.recorded.hand import Malformed, RecordedHand
from croupier.adapters.recorded.phh import read_phh
from croupier.adapters.recorded.playing import play
from croupier.adapters.recorded.replay import replay
from croupier.adapters.recorded.setting import VARIANTS
from croupier.adapters.recorded.verdict import Outcome, Verdict

FixedOmahaHiLo: TypeAlias = pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter
Make = Callable[[random.Random, int], Any]

AUTOMATIONS = (
    pokerkit.Automation.ANTE_POSTING,
    pokerkit.Automation.BET_COLLECTION,
    pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
    pokerkit.Automation.CARD_BURNING,
    pokerkit.Automation.HOLE_DEALING,
    pokerkit.Automation.BOARD_DEALING,
    pokerkit.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    pokerkit.Automation.HAND_KILLING,
    pokerkit.Automation.CHIPS_PUSHING,
    pokerkit.Automation.CHIPS_PULLING,
)

HEADS_UP = """
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [0.25, 0.50]
min_bet = 0.50
starting_stacks = [50, 61.25]
actions = ['d dh p1 AsAh', 'd dh p2 7c2d', 'p2 cbr 1.50 # a comment', 'p1 cbr 4.5', 'p2 f']
finishing_stacks = [51.50, 59.75]
venue = 'a room'
hand = 7
"""

STRADDLED = """
variant = 'NT'
antes = [0, 0, 0, 0]
blinds_or_straddles = [1, 2, 4, 0]
min_bet = 2
starting_stacks = [200, 200, 200, 200]
actions = ['p4 cc', 'p1 f', 'p2 cc', 'p3 cbr 12', 'p4 f', 'p2 f']
finishing_stacks = [199, 196, 209, 196]
"""

UNKNOWN_CARDS = """
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, inf, 200]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 cc', 'p1 f', 'p2 cc', 'd db 2c3d4h',
  'p2 cc', 'p3 cc', 'd db 5s', 'p2 cc', 'p3 cc', 'd db 6s', 'p2 cc', 'p3 cc', 'p2 sm ????', 'p3 sm -']
"""


def hands(text: str) -> list[RecordedHand | Malformed]:
    return list(read_phh(io.BytesIO(text.encode())))


def verdict(text: str) -> Verdict:
    (recorded,) = hands(text)
    assert isinstance(recorded, RecordedHand), recorded
    return replay(recorded, GAMES)


def test_a_heads_up_hand_in_fractions_replays_in_whole_chips() -> None:
    (recorded,) = hands(HEADS_UP)
    assert isinstance(recorded, RecordedHand)
    assert [seat.stack for seat in recorded.seats] == [5000, 6125]
    assert recorded.id == "a room:7"
    assert verdict(HEADS_UP).outcome is Outcome.SAME


def test_a_straddled_hand_replays() -> None:
    assert verdict(STRADDLED).outcome is Outcome.SAME


def test_a_hand_with_unknown_cards_is_compared_up_to_the_showdown() -> None:
    assert verdict(UNKNOWN_CARDS).outcome is Outcome.UP_TO_SHOWDOWN


@pytest.mark.parametrize(
    ("said", "instead", "reason"),
    [
        ("p1 cbr 4.5", "p1 cbr 2.3", "RAISE_OUT_OF_RANGE"),
        ("'p2 f'", "'p1 f'", "the engine asks seat 2"),
        ("51.50, 59.75", "51.00, 60.25", "payoffs"),
        ("p1 cbr 4.5', 'p2 f'", "p1 cbr 4.5'", "the record ends where seat 2 must act"),
    ],
)
def test_a_hand_that_comes_out_differently_is_reported(said: str, instead: str, reason: str) -> None:
    spoiled = verdict(HEADS_UP.replace(said, instead))
    assert spoiled.outcome is Outcome.DIFFERENT
    assert reason in spoiled.reasons[0]


@pytest.mark.parametrize(
    "text",
    [
        "variant = ",
        HEADS_UP.replace("p2 f", "p3 f"),
        HEADS_UP.replace("p2 f", "p2 dance"),
        HEADS_UP.replace("[50, 61.25]", "[50]"),
        HEADS_UP.replace("antes = [0, 0]", ""),
        HEADS_UP.replace("'p2 f'", "'d db 2c', 'p2 f'"),
    ],
)
def test_what_cannot_be_read_says_why(text: str) -> None:
    (error,) = hands(text)
    assert isinstance(error, Malformed)


def test_other_games_are_skipped_by_name() -> None:
    assert verdict(HEADS_UP.replace("'NT'", "'F7S'")) == Verdict(
        Outcome.SKIPPED, ("game not in this version: F7S",)
    )


def holdem(
    dice: random.Random, big_blind: int
) -> pokerkit.NoLimitTexasHoldem | pokerkit.FixedLimitTexasHoldem:
    blinds = (big_blind // 2, big_blind)
    if dice.random() < 0.7:
        return pokerkit.NoLimitTexasHoldem(AUTOMATIONS, True, dice.choice([0, 1]), blinds, big_blind)
    return pokerkit.FixedLimitTexasHoldem(AUTOMATIONS, True, 0, blinds, big_blind, 2 * big_blind)


def omaha(dice: random.Random, big_blind: int) -> pokerkit.PotLimitOmahaHoldem:
    blinds = (big_blind // 2, big_blind)
    return pokerkit.PotLimitOmahaHoldem(AUTOMATIONS, True, dice.choice([0, 1]), blinds, big_blind)


def omaha_hi_lo(_: random.Random, big_blind: int) -> FixedOmahaHiLo:
    blinds = (big_blind // 2, big_blind)
    return FixedOmahaHiLo(AUTOMATIONS, True, 0, blinds, big_blind, 2 * big_blind)


def played_by_pokerkit(make: Make, dice: random.Random) -> pokerkit.HandHistory:
    players, big_blind = dice.choice([2, 2, 3, 6, 9]), dice.choice([2, 10, 100])
    game = make(dice, big_blind)
    state = game([big_blind * dice.choice([20, 50, 100]) + 1 for _ in range(players)], players)
    while state.actor_index is not None:  # three raises a street: in fixed limit pokerkit takes a fifth bet
        chance = dice.random()
        if chance < 0.25 and state.checking_or_calling_amount:
            state.fold()
        elif (
            chance > 0.8
            and state.completion_betting_or_raising_count < 3
            and state.can_complete_bet_or_raise_to()
        ):
            state.complete_bet_or_raise_to()
        else:
            state.check_or_call()
    return pokerkit.HandHistory.from_game_state(game, state, finishing_stacks=list(state.stacks))


@pytest.mark.parametrize(
    ("make", "variants"), [(holdem, {"nlhe", "flhe"}), (omaha, {"plo"}), (omaha_hi_lo, {"flo8"})]
)
def test_hands_that_pokerkit_wrote_into_one_file_replay_as_it_played_them(
    make: Make, variants: set[str]
) -> None:
    """R-C4 to R-C6, R-P5; odd chips go elsewhere there."""
    dice = random.Random(5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = pokerkit.HandHistory.dumps_all(played_by_pokerkit(make, dice) for _ in range(40))
    read = [hand for hand in hands(text) if isinstance(hand, RecordedHand)]
    assert len(read) == 40
    assert {hand.variant for hand in read} == variants
    odd_chips = 0
    for recorded in read:
        outcome, reasons = replay(recorded, GAMES)
        if outcome is Outcome.DIFFERENT and reasons[0].startswith("payoffs"):
            assert _off(recorded) <= 2, (recorded.id, reasons)
            odd_chips += 1
            continue
        assert outcome is Outcome.SAME, (recorded.id, reasons)
    assert odd_chips <= 5


def _off(recorded: RecordedHand) -> int:
    """By how many chips a seat's result is off at most."""
    hand = play(recorded, GAMES[VARIANTS[recorded.variant][1]]).hand
    told = recorded.payoffs or {}
    return max(
        abs(told[seat] - (after - before))
        for seat, after, before in zip(hand.seats, hand.stack, hand.started.stacks, strict=True)
    )
