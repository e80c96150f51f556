"""What happens at a table in words, a line an event: the console's words, where it has any."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from croupier.client.watching.words import cards, chips, game, hand_number, percent, plain, value
from croupier.v1.annotation_pb2 import Annotation, StreetEquity
from croupier.v1.event_pb2 import LeaveReason, PrivateEvent, SitOutReason, TableEvent, WaitingListLeaveReason
from croupier.v1.hand_event_pb2 import (
    ACTION_CAUSE_ADVANCE,
    ACTION_CAUSE_DISMISSED,
    ACTION_CAUSE_TIME_OUT,
    BlindKind,
)
from croupier.v1.hand_pb2 import Street
from croupier.v1.table_pb2 import AdvanceActionKind

Names = Callable[[int], str]
"""Who is at a seat."""

_CAUSES: Final = {
    ACTION_CAUSE_TIME_OUT: " (time ran out)",
    ACTION_CAUSE_DISMISSED: " (dismissed)",
    ACTION_CAUSE_ADVANCE: " (chosen ahead)",
}


def told(event: TableEvent, name: Names) -> str:
    """An event in words; `name` as the table knows its players after it."""
    kind = str(event.WhichOneof("event"))
    what = getattr(event, kind, None)
    if kind in _FIXED:
        return _FIXED[kind]
    if kind in _OF_ITSELF:
        return plain(_OF_ITSELF[kind](what))
    if kind in _OF_SEAT:
        return plain(f"{name(getattr(what, 'seat_number', 0))} {_OF_SEAT[kind](what)}")
    if kind in _OF_SEATS:
        return plain(_OF_SEATS[kind](what, name))
    return "something that this version does not know"


def told_privately(event: PrivateEvent) -> str:
    """What concerns the viewer alone, in words."""
    match event.WhichOneof("event"):
        case "advance_action_set":
            chosen = event.advance_action_set.kind
            return f"you choose ahead: {value(AdvanceActionKind, chosen) if chosen else 'nothing'}"
        case "preferences_set":
            return "your preferences are set"
    return "something that concerns you, which this version does not know"


def told_equities(annotation: Annotation, name: Names) -> str:
    """What the hands turned up were worth, street by street."""
    streets = (f"{value(Street, one.street)} {_shares(one, name)}" for one in annotation.streets)
    return plain(f"equities: {'; '.join(streets)}")


def _shares(street: StreetEquity, name: Names) -> str:
    return ", ".join(f"{name(seat.seat_number)} {percent(seat.equity_bps)}" for seat in street.seats)


def _all_in(event: Any) -> str:
    return " and is all in" if event.all_in else ""


def _cause(event: Any) -> str:
    return _CAUSES.get(event.cause, "")


def _dealt(event: Any, name: Names) -> str:
    own = (f"; {name(one.seat_number)} has {cards(one.hole_cards)}" for one in event.seats if one.hole_cards)
    return f"hole cards are dealt{''.join(own)}"


def _began(event: Any) -> str:
    players = ", ".join(f"{one.player_id} {chips(one.stack)}" for one in event.seats)
    return f"hand {hand_number(event.hand_id)} begins, button at seat {event.button_seat}: {players}"


def _shown(event: Any) -> str:
    described = "; ".join(filter(None, (event.description, event.low_description)))
    return f"shows {cards(event.hole_cards)}{described and f': {described}'}"


def _awarded(event: Any, name: Names) -> str:
    pot = f"side pot {event.pot_index}" if event.pot_index else "main pot"
    wins = ", ".join(
        f"{name(award.seat_number)} wins {chips(award.amount)}{' with the low' if award.low else ''}"
        for award in event.awards
    )
    return f"{pot} of {chips(event.amount)}: {wins}"


def _ended(event: Any, name: Names) -> str:
    results = ", ".join(f"{name(one.seat_number)} {one.net:+,}" for one in event.results)
    return f"hand {hand_number(event.hand_id)} is over: {results}; rake {chips(event.rake)}"


def _missed(event: Any, name: Names) -> str:
    blinds = (("big", event.big_blind_seats), ("small", event.small_blind_seats))
    return "; ".join(f"the {which} blind passes {_those(seats, name)}" for which, seats in blinds if seats)


def _those(numbers: Iterable[int], name: Names) -> str:
    return ", ".join(map(name, numbers))


_FIXED: Final[Mapping[str, str]] = {
    "table_paused": "the table is paused",
    "table_resumed": "the table is open again",
    "table_closing": "the table is closing",
    "table_closed": "the table is closed",
    "deck_committed": "the coming hand's decks are committed to",
    "hand_voided": "the hand is void: everybody gets back what they put in",
}

_OF_ITSELF: Final[Mapping[str, Callable[[Any], str]]] = {
    "table_created": lambda it: f"the table is created: {game(it.options)}",
    "seat_reserved": lambda it: f"{it.player_id} reserves seat {it.seat_number}",
    "bought_in": lambda it: f"{it.player_id} buys in with {chips(it.amount)} at seat {it.seat_number}",
    "player_left": lambda it: (
        f"{it.player_id} leaves with {chips(it.returned)} ({value(LeaveReason, it.reason)})"
    ),
    "waiting_list_joined": lambda it: f"{it.player_id} waits for a seat",
    "waiting_list_left": lambda it: (
        f"{it.player_id} waits no longer ({value(WaitingListLeaveReason, it.reason)})"
    ),
    "seat_offered": lambda it: f"seat {it.seat_number} is held for {it.player_id}",
    "entropy_committed": lambda it: f"{it.player_id} commits to entropy for the coming hand",
    "entropy_revealed": lambda it: f"{it.player_id} reveals entropy for the coming hand",
    "hand_started": _began,
    "street_dealt": lambda it: f"{value(Street, it.street)}: {cards(it.cards)}".rstrip(": "),
    "stub_reshuffled": lambda it: f"the stub is shuffled anew: {it.card_count} cards",
    "cards_shown": lambda it: f"{it.player_id} shows {cards(it.cards)}",
}

_OF_SEAT: Final[Mapping[str, Callable[[Any], str]]] = {
    "folded": lambda it: f"folds{_cause(it)}",
    "checked": lambda it: f"checks{_cause(it)}",
    "called": lambda it: f"calls {chips(it.paid)}{_all_in(it)}{_cause(it)}",
    "bet_made": lambda it: f"bets {chips(it.street_bet)}{_all_in(it)}",
    "raised": lambda it: f"raises to {chips(it.street_bet)}{_all_in(it)}",
    "blind_posted": lambda it: f"posts {value(BlindKind, it.kind)} {chips(it.paid)}{_all_in(it)}",
    "cards_drawn": lambda it: f"{f'draws {it.count}' if it.count else 'stands pat'}{_cause(it)}",
    "uncalled_bet_returned": lambda it: f"gets back {chips(it.amount)} that nobody called",
    "hole_cards_shown": _shown,
    "rebuy_queued": lambda it: f"will add {chips(it.amount)} after the hand",
    "rebought": lambda it: f"adds {chips(it.amount)}",
    "leave_queued": lambda it: f"will leave after the hand ({value(LeaveReason, it.reason)})",
    "sit_out_queued": lambda _: "will sit out after the hand",
    "sat_out": lambda it: f"sits out ({value(SitOutReason, it.reason)})",
    "sat_in": lambda _: "sits in",
}
"""What comes after the name of whoever is at the event's seat."""

_OF_SEATS: Final[Mapping[str, Callable[[Any, Names], str]]] = {
    "hole_cards_dealt": _dealt,
    "pot_awarded": _awarded,
    "hand_ended": _ended,
    "blinds_missed": _missed,
    "button_passed": lambda it, name: f"the button has passed {_those(it.seats, name)}, who may play",
}
