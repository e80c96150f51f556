"""Whether what a record says of how a hand began agrees with itself: seats, button, stakes, posts, and what it must
tell of each action. It plays nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from croupier.adapters.recorded.hand import POSTS, SHOWDOWN, Malformed, RecordedAction, RecordedHand
from croupier.adapters.recorded.sites import ways_of

STAKES_UNTRUE: Final = "other stakes than posted"
BLINDS_TURNED: Final = "heads-up blinds turned round"
_WITH_TOTAL: Final = frozenset({"post_sb", "post_bb", "post_straddle", "call", "bet", "raise"})
"""What tells both the chips that it adds and what they come to."""


def check(recorded: RecordedHand, first_street: str) -> tuple[str, ...]:
    """What is its site's own way of it. Raises Malformed where it contradicts itself."""
    _check_seats(recorded)
    for action in recorded.actions:
        _check_action(action, first_street)
    phases = [_phase(action) for action in recorded.actions]
    if phases != sorted(phases):
        raise Malformed("the actions do not begin with the posts, or do not end with the showdown")
    return (*_stakes(recorded), *_blinds(recorded))


def _check_seats(recorded: RecordedHand) -> None:
    seats = [seat.seat for seat in recorded.seats]
    if len(set(seats)) != len(seats) or len(seats) < 2:
        raise Malformed("the seats are not at least two different ones")
    told = [action.seat for action in recorded.actions]
    told += [post.seat for post in (*recorded.antes, *recorded.blinds, *recorded.straddles)]
    if not set(seats).issuperset(told):
        raise Malformed("a seat that was not dealt in acts or posts")
    if min(seat.stack for seat in recorded.seats) <= 0:
        raise Malformed("a seat was dealt in without chips")
    if seats != sorted(seats, key=lambda seat: (seat <= recorded.button, seat)):
        raise Malformed(f"the seats are not dealt from the left of button {recorded.button}")


def _check_action(action: RecordedAction, first_street: str) -> None:
    told = f"seat {action.seat} {action.type}"
    if action.type in _WITH_TOTAL and (action.amount is None or action.to is None):
        raise Malformed(f"{action.street}: {told} does not tell its chips")
    if action.type in POSTS and action.street != first_street:
        raise Malformed(f"{action.street}: {told} belongs to the {first_street}")
    if action.type in SHOWDOWN and action.street != "showdown":
        raise Malformed(f"{action.street}: {told} belongs to the showdown")


def _phase(action: RecordedAction) -> int:
    return 0 if action.type in POSTS else 2 if action.type in SHOWDOWN else 1


def _stakes(recorded: RecordedHand) -> Iterator[str]:
    """Who posts a blind posts the nominal one, or all that there is."""
    nominal = {"sb": recorded.sb, "bb": recorded.bb}
    short = {(action.type, action.seat) for action in recorded.actions if action.all_in}
    for post in recorded.blinds:
        stake = nominal.get(post.kind)
        if stake is None or post.amount == stake:
            continue
        if post.amount < stake and (f"post_{post.kind}", post.seat) in short:
            continue
        if not ways_of(recorded.site).stakes_untrue:
            raise Malformed(f"seat {post.seat} posts {post.amount}, where {post.kind} is {stake}")
        yield STAKES_UNTRUE
        return


def _blinds(recorded: RecordedHand) -> Iterator[str]:
    """Whether those post the blinds whose turn it is; newcomers, who post beside them, are passed over. A record that
    tells no stakes does not tell that either.
    """
    if recorded.sb is None:
        return
    posted = [
        action.type
        for action in recorded.actions
        if action.type in ("post_sb", "post_bb") and not action.late
    ]
    if posted != sorted(posted, reverse=True) or len(set(posted)) != len(posted):
        raise Malformed("the blinds are not a small and then a big one")
    beside = {post.seat for post in recorded.blinds if post.kind not in ("sb", "bb")}
    owners = {post.kind: post.seat for post in recorded.blinds if post.kind in ("sb", "bb")}
    turns = [seat.seat for seat in recorded.seats if seat.seat not in beside or seat.seat in owners.values()]
    turned = turns[1:] + turns[:1]
    heads_up = len(recorded.seats) == 2 and recorded.seats[-1].seat == recorded.button
    if _in_turn(owners, turned if heads_up else turns):
        return
    if not (heads_up and ways_of(recorded.site).blinds_turned and _in_turn(owners, turns)):
        raise Malformed(f"button {recorded.button}: others post the blinds than those whose turn it is")
    yield BLINDS_TURNED


def _in_turn(owners: dict[str, int], turns: list[int]) -> bool:
    """The small blind is the first's, the big blind the next one's, or the first's where nobody has the small one."""
    if "sb" in owners and owners["sb"] != turns[0]:
        return False
    return "bb" not in owners or owners["bb"] in (turns[1:2] if "sb" in owners else turns[:2])
