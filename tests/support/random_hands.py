"""Random hands for laws and vectors: a setting, and a script of bytes that makes every choice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple

from croupier.cards import DECK
from croupier.engine import events as ev
from croupier.engine.actions import CALL, CHECK, FOLD, Action, BetTo, Draw, LegalActions, RaiseTo
from croupier.engine.betting import legal_actions
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.play import act, start_hand
from croupier.engine.rejection import Rejected
from croupier.engine.rules import HandRules

_HELD: Final = 5


class Setting(NamedTuple):
    """All that a hand starts from."""

    rules: HandRules
    started: ev.HandStarted
    posts: tuple[ev.Post, ...]
    deal_order: bytes


def setting(
    rules: HandRules,
    stacks: Sequence[int],
    *,
    ante: int = 0,
    blinds: bool = True,
    extra: Sequence[ev.Post] = (),
    first_after: int | None = None,
    seed: int = 0,
) -> Setting:
    """Blinds of half a small bet and a small bet, or none; `extra` posts follow them.

    Seats as in `tests.support.deals`.
    """
    seats = tuple(range(1, len(stacks) + 1))
    small, big = (2, 1) if len(seats) == 2 else (1, 2)
    price = rules.small_bet
    posts = [ev.Post(seat, ev.PostKind.ANTE, ante) for seat in seats if ante]
    if blinds:
        posts.append(ev.Post(small, ev.PostKind.SMALL_BLIND, max(1, price // 2)))
        posts.append(ev.Post(big, ev.PostKind.BIG_BLIND, price))
    else:
        small = big = price = 0
    started = ev.HandStarted(
        hand_number=1,
        button_seat=seats[-1],
        small_blind_seat=small,
        big_blind_seat=big,
        first_after=big if first_after is None else first_after,
        price=price,
        seats=seats,
        stacks=tuple(stacks),
    )
    dice = random.Random(seed)
    decks = [list(DECK) for _ in range(rules.game.decks_needed(len(stacks), rules.most_drawn))]
    for deck in decks:
        dice.shuffle(deck)
    return Setting(rules, started, (*posts, *extra), bytes(chain(*decks)))


class Script:
    """Choices from bytes, two for each decision; once they are used up everybody checks or calls.

    Where neither is open, half of those who would fold instead. Of 256 choices the first `folds` fold, five in
    nine of the rest check or call, the others bet or raise. In a draw five bits say which cards go.
    """

    def __init__(self, choices: bytes, *, folds: int = 36, folds_for_free: bool = True) -> None:
        self._choices = iter(choices)
        self._folds = folds
        self._passive = folds + (256 - folds) * 5 // 9
        self._folds_for_free = folds_for_free

    def choose(self, legal: LegalActions) -> Action:
        """A legal action; raises are of the least, the greatest and any size between."""
        kind, size = next(self._choices, self._passive - 1), next(self._choices, 0)
        if legal.can_draw:
            return Draw(bytes(place for place in range(_HELD) if kind >> place & 1)[: legal.max_discards])
        if kind < self._folds and legal.can_fold and (self._folds_for_free or not legal.can_check):
            return FOLD
        quiet = CHECK if legal.can_check else CALL if legal.call_amount else None
        if quiet is None and legal.can_fold and kind % 2:
            return FOLD
        least = legal.min_raise_to or legal.min_bet_to
        most = legal.max_raise_to or legal.max_bet_to
        if quiet is not None and (kind < self._passive or not most):
            return quiet
        to = most if size > 224 else least + (most - least) * max(0, size - 96) // 512
        return RaiseTo(to) if legal.max_raise_to else BetTo(to)


def begin(setting: Setting) -> tuple[Hand, list[ev.Event]]:
    """The hand after its posts, and the events so far."""
    return start_hand(*setting)


def play_out(setting: Setting, script: Script) -> tuple[Hand, list[ev.Event]]:
    """The hand played to its end by the script, with everything that happened."""
    hand, happened = begin(setting)
    while hand.actor != NOBODY:
        result = act(hand, script.choose(legal_actions(hand)))
        assert not isinstance(result, Rejected), result
        happened += result
    return hand, happened
