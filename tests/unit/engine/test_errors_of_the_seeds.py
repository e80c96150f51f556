"""What the seeds say wrongly, played right: R-X2 and R-X4; the others stand with the rules they touch."""

from __future__ import annotations

import pytest
from tests.support.deals import FIXED_LIMIT, Deal
from tests.support.table_plans import table_between_hands

from croupier.engine.events import Post, PostKind
from croupier.engine.rotation import plan_hand


@pytest.mark.parametrize("stacks", [(1000, 1000, 1000), (1, 50, 10**9)])
def test_blinds_come_from_the_stakes_whatever_the_players_have(stacks: tuple[int, ...]) -> None:
    """R-X2: "depends on the players' capital" is wrong."""
    table = table_between_hands({1: "anna", 2: "bert", 3: "cleo"}, button=3, sb=1, bb=2)
    for seat, stack in zip(table.seats.values(), stacks, strict=True):
        seat.stack = stack
    plan = plan_hand(table)
    assert plan is not None
    assert plan.posts == (Post(2, PostKind.SMALL_BLIND, 5), Post(3, PostKind.BIG_BLIND, 10))


def test_after_three_raises_those_still_to_act_call_or_fold_before_the_round_ends() -> None:
    """R-X4: "after three raises the betting round ends" is wrong; R-B3."""
    deal = Deal(100, 100, 100, 100, structure=FIXED_LIMIT).play("3r4 4r6 1r8")
    for seat, owed in ((2, 6), (3, 4), (4, 2)):
        assert deal.actor == seat
        assert not deal.hand.board
        assert (deal.legal.call_amount, deal.legal.max_raise_to, deal.legal.can_fold) == (owed, 0, True)
        deal.play(f"{seat}f" if seat == 3 else f"{seat}c")
    assert len(deal.hand.board) == 3
    assert deal.stacks == [92, 92, 96, 92]
