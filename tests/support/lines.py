"""All lines of play from a hand on, counted by length: as the engine plays them, and as the rules told anew do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import copy
from itertools import combinations
from math import comb

from tests.support.plain_betting import PlainBetting

from croupier.engine.actions import CALL, CHECK, FOLD, Action, BetTo, Draw, RaiseTo
from croupier.engine.betting import legal_actions
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.play import act
from croupier.engine.rejection import Rejected

HELD = 5


def engine_lines(hand: Hand, depth: int) -> list[int]:
    """How many lines of 0, 1, 2, … actions there are, `depth` at most; what ends earlier is in none longer."""
    counts: Counter[int] = Counter()
    _follow_engine(hand, 0, depth, counts)
    return [counts[length] for length in range(max(counts) + 1)]


def _follow_engine(hand: Hand, length: int, depth: int, counts: Counter[int]) -> None:
    counts[length] += 1
    if hand.actor == NOBODY or length == depth:
        return
    for action in choices(hand):
        line = fork(hand)
        assert not isinstance(act(line, action), Rejected), action
        _follow_engine(line, length + 1, depth, counts)


def choices(hand: Hand) -> list[Action]:
    """Everything that is offered to the seat to act, sizes and discards one by one."""
    legal = legal_actions(hand)
    if legal.can_draw:
        counts = range(legal.max_discards + 1)
        return [Draw(bytes(places)) for count in counts for places in combinations(range(HELD), count)]
    plain: list[tuple[Action, bool]] = [
        (FOLD, legal.can_fold),
        (CHECK, legal.can_check),
        (CALL, legal.call_amount > 0),
    ]
    found = [action for action, offered in plain if offered]
    if legal.max_raise_to:
        found += [RaiseTo(to) for to in range(legal.min_raise_to, legal.max_raise_to + 1)]
    if legal.max_bet_to:
        found += [BetTo(to) for to in range(legal.min_bet_to, legal.max_bet_to + 1)]
    return found


def fork(hand: Hand) -> Hand:
    """An independent copy to play one line on."""
    twin = copy(hand)
    for name in Hand.__slots__:
        value = getattr(hand, name)
        if isinstance(value, list | set):
            setattr(twin, name, value.copy())
    return twin


def plain_lines(told: PlainBetting, depth: int) -> list[int]:
    """The same numbers from the rules told anew."""
    counts: Counter[int] = Counter()
    _follow_rules(told, 0, depth, counts, 1)
    return [counts[length] for length in range(max(counts) + 1)]


def _follow_rules(told: PlainBetting, length: int, depth: int, counts: Counter[int], alike: int) -> None:
    counts[length] += alike
    if told.asked is None or length == depth:
        return
    for line, ways in _next(told):
        _follow_rules(line, length + 1, depth, counts, alike * ways)


def _next(told: PlainBetting) -> Iterator[tuple[PlainBetting, int]]:
    """Where each choice leads, and how many choices lead there."""
    offers = told.offers()
    if told.to_draw:
        line = told.fork()
        line.draw()
        yield line, sum(comb(HELD, count) for count in range(offers.draw + 1))
        return
    if offers.fold:
        line = told.fork()
        line.fold()
        yield line, 1
    for chips in [0] * offers.check + [offers.call] * (offers.call > 0):
        line = told.fork()
        line.check_or_call(chips)
        yield line, 1
    for to in range(offers.least, offers.most + 1) if offers.most else ():
        line = told.fork()
        line.bet_to(to)
        yield line, 1
