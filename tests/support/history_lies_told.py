"""Lies about what clients were answered, watchers told, the ledger has, and settled hands are said to be."""

from __future__ import annotations

from tests.support.history_lies import LIES, answered_acts, lie
from tests.support.true_history import Truth

from croupier.client.load.history.finding import Kind
from croupier.client.load.history.operation import Operation, Outcome, Standing
from croupier.v1.hand_pb2 import ActionKind

__all__ = ["LIES"]


# What clients were answered.


@lie(Kind.REORDERED, Kind.LOST)
def an_action_answered_at_another_sequence(truth: Truth, chance: int) -> bool:
    acts = answered_acts(truth)
    acts[chance % len(acts)].sequence += 1
    return True


@lie(Kind.LOST)
def an_action_answered_beyond_the_end(truth: Truth, chance: int) -> bool:
    one = answered_acts(truth)[-1]
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
    before = [act.sequence for act in answered_acts(truth) if act.ended < one.sent]
    one.outcome, one.reason = Outcome.ANSWERED, ""
    one.sequence, one.done = max(before, default=0) + 1, one.action
    return True


@lie(Kind.INVENTED)
def an_action_told_as_refused(truth: Truth, chance: int) -> bool:
    acts = answered_acts(truth)
    chosen = acts[chance % len(acts)].request_id
    for one in truth.operations:
        if one.request_id == chosen:
            one.outcome, one.reason, one.sequence, one.standing = Outcome.REFUSED, "TABLE_BUSY", 0, None
    return True


@lie(Kind.INVENTED)
def an_action_that_no_client_sent(truth: Truth, chance: int) -> bool:
    acts = answered_acts(truth)
    chosen = acts[chance % len(acts)].request_id
    truth.operations[:] = [one for one in truth.operations if one.request_id != chosen]
    return True


@lie(Kind.ALTERED)
def another_payment_answered(truth: Truth, chance: int) -> bool:
    acts = answered_acts(truth)
    acts[chance % len(acts)].paid += 1
    return True


@lie(Kind.ALTERED)
def another_decision_answered(truth: Truth, chance: int) -> bool:
    acts = [one for one in answered_acts(truth) if one.standing is not None]
    one = acts[chance % len(acts)]
    assert one.standing is not None
    one.standing = Standing(one.standing.hand_id, one.standing.number + 1, one.standing.player_id)
    return True


@lie(Kind.ALTERED)
def another_player_told_to_act(truth: Truth, chance: int) -> bool:
    acts = [one for one in answered_acts(truth)[:-1] if one.standing is not None]
    one = acts[chance % len(acts)]
    assert one.standing is not None
    one.standing = Standing(one.standing.hand_id, one.standing.number, "somebody")
    return True


@lie(Kind.DOUBLED)
def a_repetition_done_anew(truth: Truth, chance: int) -> bool:
    acts = answered_acts(truth)
    again = Operation(
        **{name: getattr(acts[chance % len(acts)], name) for name in Operation.__struct_fields__}
    )
    again.sequence += 1
    truth.operations.append(again)
    return True


@lie(Kind.REORDERED)
def an_action_before_what_was_over(truth: Truth, chance: int) -> bool:
    """It was sent after the next one had been answered."""
    acts = sorted(answered_acts(truth), key=lambda one: one.sequence)
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
    if len(sets) < 2:
        return False
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
    if len(truth.listed) < 2:
        return False
    place = chance % (len(truth.listed) - 1)
    truth.listed[place : place + 2] = truth.listed[place + 1], truth.listed[place]
    return True


@lie(Kind.ALTERED, Kind.LOST)
def a_hand_is_told_otherwise(truth: Truth, chance: int) -> bool:
    events = truth.whole[chance % len(truth.whole)].events
    del events[chance % len(events)]
    return True
