"""Ways to make a true history untrue, each with the kinds of finding of which it must be told as one.

A lie takes a Truth of its own and a number to choose by, and says whether it found something to falsify.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from tests.support.true_history import Truth

from croupier.client.load.history.finding import Kind
from croupier.client.load.history.fold import ACTIONS
from croupier.client.load.history.operation import Operation
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.hand_event_pb2 import ActionCause


class Lie(NamedTuple):
    """`tell` falsifies in place; False where there was nothing to falsify."""

    tell: Callable[[Truth, int], bool]
    kinds: frozenset[Kind]


LIES: Final[dict[str, Lie]] = {}


def lie(*kinds: Kind) -> Callable[[Callable[[Truth, int], bool]], Callable[[Truth, int], bool]]:
    """Puts a lie into the list under its own name."""

    def put(tell: Callable[[Truth, int], bool]) -> Callable[[Truth, int], bool]:
        LIES[tell.__name__] = Lie(tell, frozenset(kinds))
        return tell

    return put


def event_name(event: TableEvent) -> str:
    return event.WhichOneof("event") or ""


def _chosen(event: TableEvent) -> bool:
    body = getattr(event, event_name(event))
    return getattr(body, "cause", 0) in (0, ActionCause.ACTION_CAUSE_PLAYER)


def actions(truth: Truth) -> list[int]:
    """Places of groups that begin with what a player did, and was told to have done."""
    told = {one.sequence for one in answered_acts(truth)}
    return [
        place
        for place, group in enumerate(truth.groups)
        if event_name(group[0]) in ACTIONS and _chosen(group[0]) and place + 1 in told
    ]


def answered_acts(truth: Truth) -> list[Operation]:
    """Answered actions, each request once."""
    seen: set[str] = set()
    found = []
    for one in truth.operations:
        if one.method == "Act" and one.answered and one.request_id not in seen:
            seen.add(one.request_id)
            found.append(one)
    return found


def _renumber(truth: Truth) -> None:
    for sequence, group in enumerate(truth.groups, start=1):
        for event in group:
            event.sequence = sequence


def _again(truth: Truth, place: int) -> None:
    truth.groups.insert(
        place, [TableEvent.FromString(one.SerializeToString()) for one in truth.groups[place]]
    )


# What the service's history says.


@lie(Kind.LOST)
def an_action_is_missing(truth: Truth, chance: int) -> bool:
    places = actions(truth)
    del truth.groups[places[chance % len(places)]]
    return True


@lie(Kind.LOST)
def an_action_is_missing_and_the_rest_moved_up(truth: Truth, chance: int) -> bool:
    an_action_is_missing(truth, chance)
    _renumber(truth)
    return True


@lie(Kind.LOST)
def the_end_is_missing(truth: Truth, chance: int) -> bool:
    places = actions(truth)
    del truth.groups[places[chance % len(places)] :]
    return True


@lie(Kind.DOUBLED)
def a_sequence_is_there_twice(truth: Truth, chance: int) -> bool:
    _again(truth, chance % len(truth.groups))
    return True


@lie(Kind.DOUBLED)
def an_action_was_done_twice(truth: Truth, chance: int) -> bool:
    places = actions(truth)
    place = places[chance % len(places)]
    truth.groups.insert(place, [TableEvent.FromString(truth.groups[place][0].SerializeToString())])
    _renumber(truth)
    return True


@lie(Kind.DOUBLED)
def an_event_is_there_twice(truth: Truth, chance: int) -> bool:
    group = truth.groups[chance % len(truth.groups)]
    place = chance % len(group)
    group.insert(place, TableEvent.FromString(group[place].SerializeToString()))
    return True


@lie(Kind.INVENTED)
def a_raise_that_nobody_asked_for(truth: Truth, chance: int) -> bool:
    """By somebody whose turn it is not."""
    places = actions(truth)
    place = places[chance % len(places)]
    actor = getattr(truth.groups[place][0], event_name(truth.groups[place][0])).seat_number
    invented = TableEvent()
    invented.raised.seat_number = 2 if actor == 1 else 1
    invented.raised.paid = invented.raised.street_bet = 1
    truth.groups.insert(place, [invented])
    _renumber(truth)
    return True


@lie(Kind.ALTERED, Kind.INVENTED)
def a_fold_in_the_place_of_another_action(truth: Truth, chance: int) -> bool:
    places = [place for place in actions(truth) if event_name(truth.groups[place][0]) != "folded"]
    event = truth.groups[places[chance % len(places)]][0]
    seat = getattr(event, event_name(event)).seat_number
    event.folded.seat_number = seat
    event.folded.cause = ActionCause.ACTION_CAUSE_PLAYER
    return True


@lie(Kind.INVENTED, Kind.DOUBLED)
def a_pause_that_nobody_asked_for(truth: Truth, chance: int) -> bool:
    """Or the one asked for, done once more."""
    place = 1 + chance % (len(truth.groups) - 1)
    invented = TableEvent()
    invented.table_paused.SetInParent()
    truth.groups.insert(place, [invented])
    _renumber(truth)
    return True


@lie(Kind.REORDERED)
def two_sequences_changed_places(truth: Truth, chance: int) -> bool:
    place = chance % (len(truth.groups) - 1)
    truth.groups[place : place + 2] = truth.groups[place + 1], truth.groups[place]
    return True


@lie(Kind.REORDERED)
def two_actions_changed_places(truth: Truth, chance: int) -> bool:
    places = [place for place in actions(truth) if place + 1 in set(actions(truth))]
    places = [place for place in places if len(truth.groups[place]) == len(truth.groups[place + 1]) == 1]
    place = places[chance % len(places)]
    truth.groups[place : place + 2] = truth.groups[place + 1], truth.groups[place]
    _renumber(truth)
    return True


@lie(Kind.ALTERED)
def another_amount(truth: Truth, chance: int) -> bool:
    names = ("called", "bet_made", "raised", "blind_posted")
    events = [event for group in truth.groups for event in group if event_name(event) in names]
    event = events[chance % len(events)]
    getattr(event, event_name(event)).paid += 1
    return True


@lie(Kind.ALTERED)
def another_result(truth: Truth, chance: int) -> bool:
    events = [event for group in truth.groups for event in group if event_name(event) == "hand_ended"]
    ended = events[chance % len(events)].hand_ended
    ended.results[0].net += 1
    ended.rake -= 1
    return True


@lie(Kind.ALTERED)
def another_card_than_watchers_were_told(truth: Truth, chance: int) -> bool:
    events = [event for group in truth.groups for event in group if event.street_dealt.cards]
    if not events:
        return False
    cards = events[chance % len(events)].street_dealt.cards
    cards[0] = "2c" if cards[0] != "2c" else "3d"
    return True


@lie(Kind.LOST)
def a_players_action_told_as_a_time_out(truth: Truth, chance: int) -> bool:
    events = [truth.groups[place][0] for place in actions(truth)]
    events = [event for event in events if event_name(event) in ("folded", "checked", "called")]
    event = events[chance % len(events)]
    getattr(event, event_name(event)).cause = ActionCause.ACTION_CAUSE_TIME_OUT
    return True
