"""What is paid at the end of a hand is what it comes to chip by chip."""

from __future__ import annotations

from hypothesis import given, settings
from tests.support.paid_chip_by_chip import payouts
from tests.support.random_hands import Script, Setting, play_out
from tests.support.strategies import SCRIPTS, settings_of_hands

from croupier.engine import events as ev


@settings(max_examples=200, deadline=None)
@given(setting=settings_of_hands(most_chips=300), script=SCRIPTS)
def test_every_pot_and_half_is_paid_as_counted_chip_by_chip(setting: Setting, script: Script) -> None:
    """R-P1, R-P2, R-P4, R-P5, R-P6."""
    hand, events = play_out(setting, script)
    awarded = [event for event in events if isinstance(event, ev.PotAwarded)]
    paid = dict.fromkeys(hand.seats, 0)
    for event in awarded:
        for seat, chips in zip(
            event.winners + event.low_winners, event.awards + event.low_awards, strict=True
        ):
            paid[seat] += chips
    assert list(paid.values()) == payouts(hand, [event.rake for event in reversed(awarded)])
