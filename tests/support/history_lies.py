"""Ways to make a true history untrue, each with the kinds of finding of which it must be told as one.

A lie takes a Truth of its own and a number to choose by, and says whether it found something to falsify.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from tests.support.true_history import Truth

from croupier.client.load.history.finding import Kind
from croupier.client.load.history.fold import ACTIONS
from croupier.client.load.history.operation import Operation, Outcome, Standing
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.hand_event_pb2 import ActionCause
from croupier.v1.hand_pb2 import ActionKind


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


def _name(event: TableEvent) -> str:
    return event.WhichOneof("event") or ""


def _chosen(event: TableEvent) -> bool:
    body = getattr(event, _name(event))
    return getattr(body, "cause", 0) in (0, ActionCause.ACTION_CAUSE_PLAYER)


def _actions(truth: Truth) -> list[int]:
    """Places of groups that begin with what a player did, and was told to have done."""
    told = {one.sequence for one in _acts(truth)}
    return [
        place
        for place, group in enumerate(truth.groups)
        if _name(group[0]) in ACTIONS and _chosen(group[0]) and place + 1 in told
    ]


def _acts(truth: Truth) -> list[Operation]:
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
    places = _actions(truth)
    del truth.groups[places[chance % len(places)]]
    return True


@lie(Kind.LOST)
def an_action_is_missing_and_the_rest_moved_up(truth: Truth, chance: int) -> bool:
    an_action_is_missing(truth, chance)
    _renumber(truth)
    return True


@lie(Kind.LOST)
def the_end_is_missing(truth: Truth, chance: int) -> bool:
    places = _actions(truth)
    del truth.groups[places[chance % len(places)] :]
    return True


@lie(Kind.DOUBLED)
def a_sequence_is_there_twice(truth: Truth, chance: int) -> bool:
    _again(truth, chance % len(truth.groups))
    return True


@lie(Kind.DOUBLED)
def an_action_was_done_twice(truth: Truth, chance: int) -> bool:
    places = _actions(truth)
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
    places = _actions(truth)
    place = places[chance % len(places)]
    actor = getattr(truth.groups[place][0], _name(truth.groups[place][0])).seat_number
    invented = TableEvent()
    invented.raised.seat_number = 2 if actor == 1 else 1
    invented.raised.paid = invented.raised.street_bet = 1
    truth.groups.insert(place, [invented])
    _renumber(truth)
    return True


@lie(Kind.ALTERED, Kind.INVENTED)
def a_fold_in_the_place_of_another_action(truth: Truth, chance: int) -> bool:
    places = [place for place in _actions(truth) if _name(truth.groups[place][0]) != "folded"]
    event = truth.groups[places[chance % len(places)]][0]
    seat = getattr(event, _name(event)).seat_number
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
    places = [place for place in _actions(truth) if place + 1 in set(_actions(truth))]
    places = [place for place in places if len(truth.groups[place]) == len(truth.groups[place + 1]) == 1]
    place = places[chance % len(places)]
    truth.groups[place : place + 2] = truth.groups[place + 1], truth.groups[place]
    _renumber(truth)
    return True


@lie(Kind.ALTERED)
def another_amount(truth: Truth, chance: int) -> bool:
    names = ("called", "bet_made", "raised", "blind_posted")
    events = [event for group in truth.groups for event in group if _name(event) in names]
    event = events[chance % len(events)]
    getattr(event, _name(event)).paid += 1
    return True


@lie(Kind.ALTERED)
def another_result(truth: Truth, chance: int) -> bool:
    events = [event for group in truth.groups for event in group if _name(event) == "hand_ended"]
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
    events = [truth.groups[place][0] for place in _actions(truth)]
    events = [event for event in events if _name(event) in ("folded", "checked", "called")]
    event = events[chance % len(events)]
    getattr(event, _name(event)).cause = ActionCause.ACTION_CAUSE_TIME_OUT
    return True


# What clients were answered.


@lie(Kind.REORDERED, Kind.LOST)
def an_action_answered_at_another_sequence(truth: Truth, chance: int) -> bool:
    acts = _acts(truth)
    acts[chance % len(acts)].sequence += 1
    return True


@lie(Kind.LOST)
def an_action_answered_beyond_the_end(truth: Truth, chance: int) -> bool:
    one = _acts(truth)[-1]
    truth.operations.append(
        Operation(
            "Act",
            one.ended + 1,
            one.table_id,
            one.player_id,
            f"beyond-{chance}",
            f"{one.table_id}/99999",
            1,
            ActionKind.ACTION_KIND_FOLD,
            outcome=Outcome.ANSWERED,
            ended=one.ended + 2,
            sequence=len(truth.groups) + 1,
            done=ActionKind.ACTION_KIND_FOLD,
        )
    )
    return True


@lie(Kind.LOST)
def a_refusal_told_as_done(truth: Truth, chance: int) -> bool:
    refused = [one for one in truth.operations if one.method == "Act" and one.outcome is Outcome.REFUSED]
    if not refused:
        return False
    one = refused[chance % len(refused)]
    before = [act.sequence for act in _acts(truth) if act.ended < one.sent]
    one.outcome, one.reason = Outcome.ANSWERED, ""
    one.sequence, one.done = max(before, default=0) + 1, one.action
    return True


@lie(Kind.INVENTED)
def an_action_told_as_refused(truth: Truth, chance: int) -> bool:
    acts = _acts(truth)
    chosen = acts[chance % len(acts)].request_id
    for one in truth.operations:
        if one.request_id == chosen:
            one.outcome, one.reason, one.sequence, one.standing = Outcome.REFUSED, "TABLE_BUSY", 0, None
    return True


@lie(Kind.INVENTED)
def an_action_that_no_client_sent(truth: Truth, chance: int) -> bool:
    acts = _acts(truth)
    chosen = acts[chance % len(acts)].request_id
    truth.operations[:] = [one for one in truth.operations if one.request_id != chosen]
    return True


@lie(Kind.ALTERED)
def another_payment_answered(truth: Truth, chance: int) -> bool:
    acts = _acts(truth)
    acts[chance % len(acts)].paid += 1
    return True


@lie(Kind.ALTERED)
def another_decision_answered(truth: Truth, chance: int) -> bool:
    acts = [one for one in _acts(truth) if one.standing is not None]
    one = acts[chance % len(acts)]
    assert one.standing is not None
    one.standing = Standing(one.standing.hand_id, one.standing.number + 1, one.standing.player_id)
    return True


@lie(Kind.ALTERED)
def another_player_told_to_act(truth: Truth, chance: int) -> bool:
    acts = [one for one in _acts(truth)[:-1] if one.standing is not None]
    one = acts[chance % len(acts)]
    assert one.standing is not None
    one.standing = Standing(one.standing.hand_id, one.standing.number, "somebody")
    return True


@lie(Kind.DOUBLED)
def a_repetition_done_anew(truth: Truth, chance: int) -> bool:
    acts = _acts(truth)
    again = Operation(
        **{name: getattr(acts[chance % len(acts)], name) for name in Operation.__struct_fields__}
    )
    again.sequence += 1
    truth.operations.append(again)
    return True


@lie(Kind.REORDERED)
def an_action_before_what_was_over(truth: Truth, chance: int) -> bool:
    """It was sent after the next one had been answered."""
    acts = sorted(_acts(truth), key=lambda one: one.sequence)
    place = chance % (len(acts) - 1)
    one, after = acts[place], acts[place + 1]
    one.sent, one.ended = after.ended + 1, after.ended + 2
    return True


@lie(Kind.STALE)
def a_read_of_the_past(truth: Truth, chance: int) -> bool:
    """Of before what had been acknowledged."""
    over = {one.sequence: one.ended for one in reversed(truth.operations) if one.request_id and one.answered}
    reads = [one for one in truth.operations if one.method in ("GetTable", "GetLegalActions")]
    reads = [one for one in reads if one.sequence > 1 and over.get(one.sequence, one.sent) < one.sent]
    if reads:
        reads[chance % len(reads)].sequence -= 1
    return bool(reads)


@lie(Kind.ALTERED)
def a_read_of_another_state(truth: Truth, chance: int) -> bool:
    reads = [one for one in truth.operations if one.method == "GetTable"]
    one = reads[chance % len(reads)]
    one.state = 1 + one.state % 4
    return True


@lie(Kind.ALTERED)
def a_read_of_other_stacks(truth: Truth, chance: int) -> bool:
    reads = [one for one in truth.operations if one.seats]
    one = reads[chance % len(reads)]
    first, *rest = one.seats or ()
    one.seats = (type(first)(first.seat_number, first.player_id, first.stack + 1), *rest)
    return True


@lie(Kind.LOST)
def a_buy_in_that_did_not_happen(truth: Truth, chance: int) -> bool:
    wanted = [one for one in truth.operations if one.method in ("BuyIn", "Rebuy") and one.answered]
    one = wanted[chance % len(wanted)]
    more = Operation(**{name: getattr(one, name) for name in Operation.__struct_fields__})
    more.request_id = f"more-{chance}"
    truth.operations.append(more)
    return True


# What watchers were told.


@lie(Kind.LOST)
def a_watcher_misses_a_sequence(truth: Truth, chance: int) -> bool:
    place = chance % (len(truth.groups) - 1)
    del truth.heard.sequences[place], truth.heard.digests[place]
    return True


@lie(Kind.DOUBLED)
def a_watcher_hears_a_sequence_twice(truth: Truth, chance: int) -> bool:
    place = chance % len(truth.groups)
    truth.heard.sequences.insert(place, truth.heard.sequences[place])
    truth.heard.digests.insert(place, truth.heard.digests[place])
    return True


@lie(Kind.REORDERED)
def a_watcher_hears_another_order(truth: Truth, chance: int) -> bool:
    place = chance % (len(truth.groups) - 1)
    for told in (truth.heard.sequences, truth.heard.digests):
        told[place], told[place + 1] = told[place + 1], told[place]
    return True


@lie(Kind.ALTERED)
def a_watcher_hears_something_else(truth: Truth, chance: int) -> bool:
    truth.heard.digests[chance % len(truth.groups)] ^= 1
    return True


@lie(Kind.INVENTED)
def a_watcher_hears_more(truth: Truth, chance: int) -> bool:
    truth.heard.sequences.append(len(truth.groups) + 1)
    truth.heard.digests.append(chance)
    return True


# What the ledger has.


def _sets(truth: Truth) -> list[str]:
    return list(dict.fromkeys(entry.entry_set_id for entry in truth.entries))


@lie(Kind.LOST)
def the_ledger_lacks_a_movement(truth: Truth, chance: int) -> bool:
    sets = _sets(truth)
    gone = sets[chance % len(sets)]
    truth.entries[:] = [entry for entry in truth.entries if entry.entry_set_id != gone]
    return True


@lie(Kind.DOUBLED)
def the_ledger_has_a_movement_twice(truth: Truth, chance: int) -> bool:
    sets = _sets(truth)
    again = sets[chance % len(sets)]
    for entry in [entry for entry in truth.entries if entry.entry_set_id == again]:
        copied = type(entry).FromString(entry.SerializeToString())
        copied.entry_set_id += "-again"
        truth.entries.append(copied)
    return True


@lie(Kind.ALTERED)
def the_ledger_has_another_amount(truth: Truth, chance: int) -> bool:
    entries = [entry for entry in truth.entries if not entry.account.startswith("reserved/")]
    entries[chance % len(entries)].amount += 1
    return True


@lie(Kind.INVENTED)
def the_ledger_has_a_movement_of_its_own(truth: Truth, chance: int) -> bool:
    copied = type(truth.entries[0]).FromString(truth.entries[0].SerializeToString())
    copied.entry_set_id, copied.account = "own", f"stack/{truth.table_id}/thief"
    copied.player_id, copied.amount = "thief", 1 + chance
    truth.entries.append(copied)
    return True


@lie(Kind.REORDERED)
def the_ledger_has_another_order(truth: Truth, chance: int) -> bool:
    settled = [entry.entry_set_id for entry in truth.entries if entry.hand_id]
    sets = list(dict.fromkeys(settled))
    place = chance % (len(sets) - 1)
    order = {name: number for number, name in enumerate(_sets(truth))}
    order[sets[place]], order[sets[place + 1]] = order[sets[place + 1]], order[sets[place]]
    truth.entries.sort(key=lambda entry: order[entry.entry_set_id])
    return True


# What is told of settled hands.


@lie(Kind.LOST)
def a_hand_is_not_listed(truth: Truth, chance: int) -> bool:
    del truth.listed[chance % len(truth.listed)]
    truth.whole.clear()
    return True


@lie(Kind.INVENTED)
def a_hand_is_listed_that_was_not_played(truth: Truth, chance: int) -> bool:
    hand = truth.listed[chance % len(truth.listed)]
    hand.hand_id += "0000"
    truth.whole.clear()
    return True


@lie(Kind.ALTERED)
def a_hand_is_listed_with_another_result(truth: Truth, chance: int) -> bool:
    truth.listed[chance % len(truth.listed)].seats[0].net += 1
    return True


@lie(Kind.REORDERED)
def hands_are_listed_in_another_order(truth: Truth, chance: int) -> bool:
    place = chance % (len(truth.listed) - 1)
    truth.listed[place : place + 2] = truth.listed[place + 1], truth.listed[place]
    return True


@lie(Kind.ALTERED, Kind.LOST)
def a_hand_is_told_otherwise(truth: Truth, chance: int) -> bool:
    events = truth.whole[chance % len(truth.whole)].events
    del events[chance % len(events)]
    return True
