"""Laws of every hand, whatever is dealt, posted and chosen."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from tests.support.random_hands import Script, Setting, begin, play_out
from tests.support.states import SEALED, state
from tests.support.strategies import SCRIPTS, settings_of_hands
from tests.support.tries import tries

from croupier.engine import events as ev
from croupier.engine.betting import decide, legal_actions
from croupier.engine.hand import NOBODY, Hand, check_invariants, evolve
from croupier.engine.play import act
from croupier.engine.rejection import Rejected
from croupier.engine.rules import Structure
from croupier.engine.showdown import current_pots

LAWS = settings(max_examples=300, deadline=None)


@LAWS
@given(setting=settings_of_hands(), script=SCRIPTS)
def test_chips_are_conserved_and_no_stack_is_negative_after_every_event(
    setting: Setting, script: Script
) -> None:
    """R-K6."""
    _, events = play_out(setting, script)
    hand = Hand(setting.rules, setting.started)
    brought = sum(setting.started.stacks)
    for event in events[1:]:
        evolve(hand, event)
        check_invariants(hand)
        assert sum(hand.stack) + hand.pot + hand.rake == brought
        assert min(hand.stack) >= 0
        if not isinstance(event, ev.PotAwarded | ev.HandEnded):
            assert hand.pot == sum(hand.contribution) + sum(hand.dead_paid)
    assert sum(hand.stack) + hand.rake == brought


@LAWS
@given(setting=settings_of_hands(), script=SCRIPTS)
def test_a_hand_always_ends_and_its_chips_are_paid(setting: Setting, script: Script) -> None:
    hand, events = play_out(setting, script)
    ended = events[-1]
    assert hand.ended
    assert isinstance(ended, ev.HandEnded)
    assert hand.pot == 0
    assert sum(ended.net) == -ended.rake == -sum(ended.rake_paid)
    assert sum(isinstance(event, ev.HandEnded) for event in events) == 1


@LAWS
@given(setting=settings_of_hands(), script=SCRIPTS)
def test_what_is_offered_is_accepted_and_all_else_is_refused_and_changes_nothing(
    setting: Setting, script: Script
) -> None:
    """R-B11."""
    hand, _ = begin(setting)
    while hand.actor != NOBODY:
        legal = legal_actions(hand)
        before = state(hand)
        for action, accepted in tries(legal, hand):
            assert isinstance(decide(hand, action), Rejected) != accepted, (action, legal)
            if not accepted:
                assert isinstance(act(hand, action), Rejected)
            assert state(hand) == before
        result = act(hand, script.choose(legal))
        assert not isinstance(result, Rejected), result


@LAWS
@given(setting=settings_of_hands(), script=SCRIPTS)
def test_folding_the_events_without_the_deck_makes_the_live_state(setting: Setting, script: Script) -> None:
    live, happened = begin(setting)
    folded = Hand(setting.rules, setting.started)
    for event in happened[1:]:
        evolve(folded, event)
    while live.actor != NOBODY:
        assert state(folded, without=SEALED) == state(live, without=SEALED)
        assert legal_actions(folded) == legal_actions(live)
        result = act(live, script.choose(legal_actions(live)))
        assert not isinstance(result, Rejected)
        for event in result:
            evolve(folded, event)
    assert state(folded, without=SEALED) == state(live, without=SEALED)
    for position, shown in enumerate(live.shown):
        assert not shown or folded.hole_cards[position] == live.hole_cards[position]


@LAWS
@given(setting=settings_of_hands(), script=SCRIPTS)
def test_pots_are_nested_and_won_by_those_eligible(setting: Setting, script: Script) -> None:
    """R-P1, R-P2, R-P4, R-P5."""
    hand, events = play_out(setting, script)
    awarded = [event for event in events if isinstance(event, ev.PotAwarded)]
    assert [event.index for event in awarded] == list(range(len(awarded) - 1, -1, -1))
    for higher, lower in pairwise(awarded):
        assert set(higher.eligible_seats) < set(lower.eligible_seats)
    for event in awarded:
        assert event.amount > 0
        assert set(event.winners) | set(event.low_winners) <= set(event.eligible_seats)
        assert sum(event.awards) + sum(event.low_awards) + event.rake == event.amount
        assert not event.low_winners or sum(event.awards) - sum(event.low_awards) in (0, 1)
        assert event.low_winners != event.winners
        for awards in (event.awards, event.low_awards or event.awards):
            assert 0 <= awards[0] - awards[-1] <= 1
            assert list(awards) == sorted(awards, reverse=True)
        assert not any(hand.folded[hand.position_of[seat]] for seat in event.eligible_seats)


@LAWS
@given(setting=settings_of_hands(), script=SCRIPTS)
def test_pots_in_play_hold_every_chip_that_is_in(setting: Setting, script: Script) -> None:
    """R-P1, R-P6."""
    hand, _ = begin(setting)
    while hand.actor != NOBODY:
        pots = current_pots(hand)
        assert sum(pot.amount for pot in pots) == hand.pot
        assert all(pot.eligible for pot in pots)
        act(hand, script.choose(legal_actions(hand)))


@LAWS
@given(setting=settings_of_hands(), script=SCRIPTS)
def test_nobody_raises_where_the_betting_was_closed_to_the_seat(setting: Setting, script: Script) -> None:
    """R-B4, R-B7, R-B13, worked out anew from the events alone."""
    hand, events = begin(setting)
    while hand.actor != NOBODY:
        legal = legal_actions(hand)
        position = hand.actor
        if legal.can_draw:
            events += played_on(hand, script)
            continue
        others = [other for other in range(len(hand.seats)) if other != position]
        alone = all(hand.folded[other] or not hand.stack[other] for other in others)
        if alone or not _open_by_the_events(setting, events, hand.seats[position]):
            assert legal.max_raise_to == legal.max_bet_to == 0
        elif not hand.fixed_limit and hand.stack[position] > legal.call_amount:
            assert legal.max_raise_to or legal.max_bet_to
        events += played_on(hand, script)


def played_on(hand: Hand, script: Script) -> list[ev.Event]:
    """What the script's next action led to."""
    result = act(hand, script.choose(legal_actions(hand)))
    assert not isinstance(result, Rejected), result
    return result


def _open_by_the_events(setting: Setting, events: list[ev.Event], seat: int) -> bool:
    """Whether R-B7 leaves raising open to a seat: what it faces since it acted against the last full raise."""
    rules = setting.rules
    level = setting.started.price
    spread = rules.structure is Structure.SPREAD_LIMIT
    unit = rules.small_bet
    least = unit if spread else max(level, unit)
    acted_at: int | None = None
    for event in events:
        match event:
            case ev.StreetDealt():
                level, least, acted_at = 0, rules.small_bet, None
                unit = rules.big_bet if event.street >= 2 else rules.small_bet
            case ev.Posted(kind=ev.PostKind.STRADDLE, to=to) if to > level:
                least = to if to - level >= least and not spread else least
                level = to
            case ev.BetMade(to=to) | ev.Raised(to=to):
                least = least if spread else max(least, to - level)
                level = to
        if isinstance(event, ev.BetMade | ev.Raised | ev.Called | ev.Checked) and event.seat == seat:
            acted_at = level
    if acted_at is None:
        return True
    faced = level - acted_at
    return 2 * faced >= unit if rules.structure is Structure.FIXED_LIMIT else faced >= least


@LAWS
@given(setting=settings_of_hands(), script=SCRIPTS)
def test_no_street_of_fixed_limit_goes_past_the_cap_but_between_two(setting: Setting, script: Script) -> None:
    """R-B3."""
    hand, _ = begin(setting)
    while hand.actor != NOBODY:
        legal = legal_actions(hand)
        if hand.fixed_limit and hand.bets >= hand.rules.bets_cap and legal.max_raise_to:
            assert hand.able == 2
            assert hand.rules.cap_lifts_heads_up
        act(hand, script.choose(legal))


@LAWS
@given(setting=settings_of_hands(), script=SCRIPTS)
def test_cards_are_shown_at_a_showdown_alone_and_never_of_a_folded_seat(
    setting: Setting, script: Script
) -> None:
    """R-H5, R-H9."""
    hand, events = play_out(setting, script)
    shown = [event.seat for event in events if isinstance(event, ev.HoleCardsShown)]
    live = [seat for seat, out in zip(hand.seats, hand.folded, strict=True) if not out]
    assert len(set(shown)) == len(shown)
    assert set(shown) <= set(live)
    assert bool(shown) == (len(live) > 1)
    winners = {
        seat
        for event in events
        if isinstance(event, ev.PotAwarded)
        for seat in event.winners + event.low_winners
    }
    assert winners <= set(shown) or len(live) == 1
