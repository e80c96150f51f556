"""Betting told anew from RULES.md, slow and right at sight: an oracle that shares no code with the engine's betting.

It knows who is asked, and what is open to them; it deals no cards and pays no pots. Of the engine it takes
the vocabulary alone: rules, posts, the first event.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import NamedTuple, Self

from croupier.engine.events import HandStarted, Post, PostKind
from croupier.engine.rules import AllInRule, HandRules, Structure

_DEAD = (PostKind.ANTE, PostKind.TABLE_ANTE, PostKind.DEAD_BLIND)


class Open(NamedTuple):
    """What a player may do: `call` in chips, a bet or raise to `least` … `most` (0: closed), a draw of up to `draw`."""

    fold: bool = False
    check: bool = False
    call: int = 0
    least: int = 0
    most: int = 0
    all_in: bool = False
    draw: int = -1


class PlainBetting:
    """Positions count clockwise from the left of the button. `asked` is who must act, None where nobody must."""

    def __init__(self, rules: HandRules, started: HandStarted, posts: Sequence[Post]) -> None:
        count = len(started.seats)
        self.rules = rules
        self.behind = list(started.stacks)
        self.folded = [False] * count
        self.pot = 0
        self.street = -1
        self.asked: int | None = None
        self._new_street(started.price)
        self.bets = 1 if started.price else 0
        """Fixed limit: the big blind is the first bet (R-B3)."""
        self.full_raise = max(started.price, rules.small_bet)
        if rules.structure is Structure.SPREAD_LIMIT:
            self.full_raise = rules.small_bet
        self.lacking = started.price if started.big_blind_seat else 0
        """What the big blind lacks of its full amount: it counts in the pot limit all the same (R-B8)."""
        for post in posts:
            self._post(started.seats.index(post.seat), post)
        after = started.first_after
        self._begin_betting(started.seats.index(after) + 1 if after else 0)

    def _new_street(self, level: int) -> None:
        rules, count = self.rules, len(self.behind)
        self.street += 1
        plan = rules.game.streets[self.street]
        self.unit = rules.big_bet if plan.big_bet else rules.small_bet
        self.in_front = [0] * count
        self.acted_at: list[int | None] = [None] * count
        self.level = self.full_level = level
        self.bets = 0
        self.full_raise = rules.small_bet
        self.uncapped = False
        self.lacking = 0
        self.to_draw: tuple[int, ...] = ()

    def _post(self, who: int, post: Post) -> None:
        paid = min(post.amount, self.behind[who])
        self.behind[who] -= paid
        self.pot += paid
        if post.kind in _DEAD:
            return
        self.in_front[who] += paid
        if post.kind == PostKind.BIG_BLIND:
            self.lacking -= paid
        if post.kind == PostKind.STRADDLE and paid and self.in_front[who] > self.level:
            self._note_raise(self.in_front[who], straddle=True)

    def _note_raise(self, to: int, *, straddle: bool = False) -> None:
        """A new level; whether it is a full raise, by the structure (R-B5, R-B7)."""
        by = to - self.level
        if self.rules.structure is Structure.FIXED_LIMIT:
            if 2 * (to - self.full_level) >= self.unit:
                self.full_level = to
                self.bets += 1
        elif self.rules.structure is not Structure.SPREAD_LIMIT and by >= self.full_raise:
            self.full_raise = to if straddle else by
        self.level = to

    @property
    def able(self) -> list[int]:
        """Who is neither folded nor all in."""
        return [who for who, chips in enumerate(self.behind) if chips and not self.folded[who]]

    @property
    def still_in(self) -> list[int]:
        return [who for who, out in enumerate(self.folded) if not out]

    def _begin_betting(self, first: int) -> None:
        self._mark_two_left()
        self._ask_from(first)

    def _mark_two_left(self) -> None:
        """Two left betting before the cap is reached: it falls away, where the house says so (R-B3)."""
        early = self.bets < self.rules.bets_cap
        if len(self.able) == 2 and early and self.rules.cap_lifts_heads_up:
            self.uncapped = True

    def _ask_from(self, place: int) -> None:
        """The first, clockwise from a place, who must still answer the level; else the next street."""
        count = len(self.behind)
        able = self.able
        for who in [(place + step) % count for step in range(count)]:
            acted = self.acted_at[who]
            if who in able and (acted is None or acted < self.level) and not self._needs_no_answer(who):
                self.asked = who
                return
        self._go_on()

    def _needs_no_answer(self, who: int) -> bool:
        """Alone with chips, and nobody's bet is above (R-B8)."""
        highest = max(self.in_front[other] for other in self.still_in)
        return self.able == [who] and self.in_front[who] >= highest

    def _go_on(self) -> None:
        self.asked = None
        streets = self.rules.game.streets
        while len(self.still_in) > 1 and self.street + 1 < len(streets):
            self._new_street(0)
            if streets[self.street].draw and self.rules.most_drawn:
                self.asked, *rest = self.still_in
                self.to_draw = (self.asked, *rest)
                return
            if len(self.able) > 1 and not streets[self.street].draw:
                last = self.street + 1 == len(streets)
                self._begin_betting(self.rules.last_round_opener if last else 0)
                return

    def offers(self) -> Open:
        """Exactly what is open to whoever is asked (R-B11)."""
        if self.to_draw:
            return Open(draw=self.rules.most_drawn)
        who, rules = self._who(), self.rules
        whole = self.in_front[who] + self.behind[who]
        owed = max(0, self.level - self.in_front[who])
        call = min(owed, self.behind[who])
        check = not owed and (self.level > 0 or rules.opening_checks)
        least = most = 0
        others = [other for other in self.able if other != who]
        if whole > self.level and others and self._open_to_raise(who):
            least, most = (min(to, whole) for to in self._bounds(who, owed))
        all_in = (0 < whole <= self.level) or (most > 0 and most == whole)
        if rules.structure is Structure.NO_LIMIT and rules.all_in_rule is not AllInRule.NONE:
            fold = rules.all_in_rule is AllInRule.ALL_IN_OR_FOLD
            if most:
                return Open(fold, least=whole, most=whole, all_in=True)
            return Open(fold, check, call, all_in=all_in)
        return Open(True, check, call, least, most, all_in)

    def _open_to_raise(self, who: int) -> bool:
        """R-B7, and the cap of R-B3."""
        fixed = self.rules.structure is Structure.FIXED_LIMIT
        if fixed and self.bets >= self.rules.bets_cap and not self.uncapped:
            return False
        acted = self.acted_at[who]
        if acted is None:
            return True
        faced = self.level - acted
        return 2 * faced >= self.unit if fixed else faced >= self.full_raise

    def _bounds(self, who: int, owed: int) -> tuple[int, int]:
        """The least and the greatest total to bet or raise to, were the stack no limit (R-B1 to R-B5)."""
        rules = self.rules
        least = self.level + self.full_raise
        if rules.structure is Structure.FIXED_LIMIT:
            return self.full_level + self.unit, self.full_level + self.unit
        if rules.structure is Structure.SPREAD_LIMIT:
            return self.level + rules.small_bet, self.level + rules.big_bet
        if rules.structure is Structure.POT_LIMIT:
            return least, max(least, self.level + self.pot + max(0, self.lacking) + owed)
        return least, self.in_front[who] + self.behind[who]

    def _who(self) -> int:
        assert self.asked is not None
        return self.asked

    def fold(self) -> None:
        who = self._who()
        self.folded[who] = True
        if len(self.still_in) == 1:
            self.asked = None
            return
        self._mark_two_left()
        self._ask_from(who + 1)

    def check_or_call(self, chips: int = 0) -> None:
        who = self._who()
        self._pay(who, chips)
        self.acted_at[who] = self.level
        self._mark_two_left()
        self._ask_from(who + 1)

    def bet_to(self, to: int) -> None:
        """Bet or raise."""
        who = self._who()
        self._note_raise(to)
        self._pay(who, to - self.in_front[who])
        self.acted_at[who] = to
        self._mark_two_left()
        self._ask_from(who + 1)

    def draw(self) -> None:
        self.to_draw = self.to_draw[1:]
        if self.to_draw:
            self.asked = self.to_draw[0]
        else:
            self._go_on()

    def _pay(self, who: int, chips: int) -> None:
        self.behind[who] -= chips
        self.in_front[who] += chips
        self.pot += chips

    def fork(self) -> Self:
        """An independent copy to play one line on."""
        twin = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list):
                setattr(twin, name, value.copy())
        return twin
