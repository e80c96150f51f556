"""What a hand begins with: R-H10, and how posts count (R-B2, R-P1)."""

from __future__ import annotations

import pytest
from tests.support.deals import FIXED_LIMIT, Deal, ante, deck, rules

from croupier.engine.events import HandStarted, Post, Posted, PostKind
from croupier.engine.play import start_hand

SMALL = Post(1, PostKind.SMALL_BLIND, 1)
BIG = Post(2, PostKind.BIG_BLIND, 2)


def test_antes_and_dead_posts_never_count_toward_a_call() -> None:
    """R-H10."""
    posts = (SMALL, BIG, Post(4, PostKind.DEAD_BLIND, 1), Post(3, PostKind.TABLE_ANTE, 2))
    deal = Deal(200, 200, 200, 200, antes=[ante(3, 1)], posts=posts)
    assert deal.actor == 3
    assert deal.legal.call_amount == 2
    assert deal.play("3c").legal.call_amount == 2
    assert [event.to for event in deal.of(Posted)] == [0, 1, 2, 0, 0]


@pytest.mark.parametrize("kind", [PostKind.BRING_IN, PostKind.LIVE_BLIND])
def test_live_posts_count_toward_a_call(kind: PostKind) -> None:
    """R-H10."""
    deal = Deal(200, 200, 200, 200, posts=(SMALL, BIG, Post(3, kind, 2)))
    assert deal.legal.call_amount == 0


def test_a_late_small_blind_is_live_for_what_it_is() -> None:
    """R-H10."""
    deal = Deal(200, 200, 200, 200, posts=(SMALL, BIG, Post(3, PostKind.LIVE_BLIND, 1)))
    assert deal.legal.call_amount == 1


def test_a_straddle_raises_the_price_and_its_owner_acts_last() -> None:
    """R-H10, R-B5: the first raise over it is at least the straddle."""
    posts = (SMALL, BIG, Post(3, PostKind.STRADDLE, 4))
    deal = Deal(200, 200, 200, 200, posts=posts, first_after=3)
    assert deal.actor == 4
    assert (deal.legal.call_amount, deal.legal.min_raise_to) == (4, 8)
    deal.play("4c 1c 2c")
    assert deal.actor == 3
    assert (deal.legal.call_amount, deal.legal.min_raise_to) == (0, 8)


def test_a_second_straddle_is_the_price_and_the_least_raise() -> None:
    """R-B5, R-H10."""
    posts = (SMALL, BIG, Post(3, PostKind.STRADDLE, 4), Post(4, PostKind.STRADDLE, 8))
    deal = Deal(*[200] * 5, posts=posts, first_after=4)
    assert deal.actor == 5
    assert (deal.legal.call_amount, deal.legal.min_raise_to) == (8, 16)


def test_a_short_straddle_is_a_short_raise() -> None:
    """R-B5, R-H10: 3 over 2: the least raise stays the big blind."""
    posts = (SMALL, BIG, Post(3, PostKind.STRADDLE, 4))
    deal = Deal(200, 200, 3, 200, posts=posts, first_after=3)
    assert (deal.legal.call_amount, deal.legal.min_raise_to) == (3, 5)


def test_a_straddle_counts_as_a_bet_in_fixed_limit() -> None:
    """R-B3, R-H10: big blind, straddle, two raises."""
    posts = (SMALL, BIG, Post(3, PostKind.STRADDLE, 4))
    deal = Deal(200, 200, 200, 200, structure=FIXED_LIMIT, posts=posts, first_after=3)
    assert deal.legal.min_raise_to == 6
    assert deal.play("4r6 1r8").legal.max_raise_to == 0


def test_antes_alone_leave_no_price_and_the_left_of_the_button_opens() -> None:
    """R-H10."""
    antes = [ante(seat, 1) for seat in (1, 2, 3)]
    deal = Deal(200, 200, 200, antes=antes, posts=(), price=0, first_after=0)
    assert deal.actor == 1
    assert (deal.legal.call_amount, deal.legal.min_bet_to) == (0, 2)
    assert deal.play("1k 2b2 3c").actor == 1


def test_nobody_due_for_the_big_blind_leaves_the_nominal_price() -> None:
    """R-H10: the small blind alone is posted."""
    deal = Deal(200, 200, 200, posts=(SMALL,), first_after=1)
    assert deal.actor == 2
    assert (deal.legal.call_amount, deal.legal.min_raise_to) == (2, 4)


def test_the_first_to_act_may_be_left_of_an_empty_seat() -> None:
    """R-H10: seats 1, 3 and 4 are dealt in, the big blind was due at seat 2."""

    started = HandStarted(1, 4, 1, 0, 2, 2, (1, 3, 4), (200, 200, 200))
    hand, _ = start_hand(rules(), started, (SMALL,), deck(3, {}, ""))
    assert hand.seats[hand.actor] == 3


def test_a_short_stack_posts_what_it_has_and_is_all_in() -> None:
    """R-H10: the ante comes first."""
    deal = Deal(200, 3, 200, blinds=(5, 10), antes=[ante(seat, 2) for seat in (1, 2, 3)])
    assert deal.of(Posted)[-1] == Posted(2, PostKind.BIG_BLIND, 1, 1, True)
    assert deal.actor == 3
    assert deal.legal.call_amount == 10


def test_a_stack_that_its_ante_took_posts_no_blind() -> None:
    """R-H10."""
    deal = Deal(200, 2, 200, antes=[ante(seat, 2) for seat in (1, 2, 3)])
    assert [event.seat for event in deal.of(Posted)] == [1, 2, 3, 1]


def test_a_hand_in_which_the_posts_leave_nobody_a_choice_plays_itself() -> None:
    """R-B8, R-H6."""
    deal = Deal(10, 10, antes=[ante(1, 10), ante(2, 10)], posts=(), price=0, first_after=0)
    assert deal.hand.ended
    assert deal.hand.action_sequence == 0
    assert deal.pots == [(20, (1, 2))]
