"""Nothing but the order of seats from the button decides a hand: not their numbers, nor suits, nor who sits there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.random_hands import Script, Setting, play_out
from tests.support.strategies import settings_of_hands

from croupier.engine import events as ev

LAWS = settings(max_examples=200, deadline=None)
CHOICES = st.tuples(st.binary(max_size=120), st.sampled_from([5, 20, 60]))
ONE_SEAT = ("seat", "button_seat", "small_blind_seat", "big_blind_seat", "first_after")
SEATS = ("seats", "eligible_seats", "winners", "low_winners")


def at_other_seats(event: Any, seats: Mapping[int, int]) -> Any:
    """The event, or post, with its seats numbered otherwise; 0 is no seat and stays so."""
    changed: dict[str, object] = {}
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if name in ONE_SEAT:
            changed[name] = seats.get(value, 0)
        elif name in SEATS:
            changed[name] = tuple(seats[seat] for seat in value)
    return msgspec.structs.replace(event, **changed)


def in_other_suits(cards: bytes, suits: Sequence[int]) -> bytes:
    return bytes(card - card % 4 + suits[card % 4] for card in cards)


def suited_otherwise(event: ev.Event, suits: Sequence[int]) -> ev.Event:
    if isinstance(event, ev.HoleCardsShown | ev.StreetDealt):
        return msgspec.structs.replace(event, cards=in_other_suits(event.cards, suits))
    return event


def played(setting: Setting, choices: tuple[bytes, int]) -> list[ev.Event]:
    return play_out(setting, Script(choices[0], folds=choices[1]))[1]


@LAWS
@given(setting=settings_of_hands(), choices=CHOICES, suits=st.permutations(range(4)))
def test_suits_decide_nothing(setting: Setting, choices: tuple[bytes, int], suits: list[int]) -> None:
    """R-C1, R-P4: no tie is broken by them, and no odd chip goes by them."""
    other = setting._replace(deal_order=in_other_suits(setting.deal_order, suits))
    expected = [suited_otherwise(event, suits) for event in played(setting, choices)]
    assert played(other, choices) == expected


@LAWS
@given(setting=settings_of_hands(), choices=CHOICES, data=st.data())
def test_numbers_of_seats_and_who_sits_there_decide_nothing(
    setting: Setting, choices: tuple[bytes, int], data: st.DataObject
) -> None:
    """R-P4, R-H1: any seats in the same order clockwise, empty ones between them, the button anywhere."""
    count = len(setting.started.seats)
    numbers = sorted(data.draw(st.permutations(range(1, 11)))[:count])
    turn = data.draw(st.integers(0, count - 1))
    seats = dict(zip(setting.started.seats, numbers[turn:] + numbers[:turn], strict=True))
    players = tuple(data.draw(st.permutations([f"player {number}" for number in numbers])))
    started = at_other_seats(setting.started, seats)
    posts = tuple(at_other_seats(post, seats) for post in setting.posts)
    other = setting._replace(started=msgspec.structs.replace(started, players=players), posts=posts)
    expected = [at_other_seats(event, seats) for event in played(setting, choices)[1:]]
    assert played(other, choices)[1:] == expected
