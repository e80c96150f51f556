"""Hands of five-card draw for tests: `DrawDeal(200, 200, 200).play("1b10 2c 3f 1d01 2d")`. No blinds unless told.

Seats are 1, 2, … from the left of the dealer, who has the last.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.support.deals import FIXED_LIMIT, Deal

from croupier.adapters.games import GAMES
from croupier.cards import DECK, parse_cards
from croupier.engine import events as ev
from croupier.engine.play import start_hand
from croupier.engine.rules import HandRules, Structure

FIVE_CARD_DRAW: Final = GAMES["five_card_draw"]


def draw_rules(structure: Structure = FIXED_LIMIT, **options: Any) -> HandRules:
    """Bets of 10 and 20 (or least and greatest), up to three cards drawn, the second round opened by the second."""
    changed = {"small_bet": 10, "big_bet": 20, "most_drawn": 3, "last_round_opener": 1, **options}
    return HandRules(FIVE_CARD_DRAW, structure, **changed)


class DrawDeal(Deal):
    """One hand of draw. `holes` are what seats hold; `stub` the first cards to be drawn."""

    def __init__(
        self,
        *stacks: int,
        structure: Structure = FIXED_LIMIT,
        blinds: tuple[int, int] | None = None,
        holes: Mapping[int, str] | None = None,
        stub: str = "",
        **options: Any,
    ) -> None:
        count = len(stacks)
        seats = tuple(range(1, count + 1))
        small, big = ((2, 1) if count == 2 else (1, 2)) if blinds else (0, 0)
        posts = []
        if blinds:
            posts.append(ev.Post(small, ev.PostKind.SMALL_BLIND, blinds[0]))
            posts.append(ev.Post(big, ev.PostKind.BIG_BLIND, blinds[1]))
        price = blinds[1] if blinds else 0
        rules = draw_rules(structure, **options)
        decks = FIVE_CARD_DRAW.decks_needed(count, rules.most_drawn)
        self.deal_order = draw_deck(count, holes or {}, stub) + whole_decks(decks - 1)
        started = ev.HandStarted(1, count, small, big, big, price, seats, stacks)
        self.hand, self.events = start_hand(rules, started, posts, self.deal_order)

    def holds(self, seat: int) -> bytes:
        """The seat's cards as they are now."""
        return self.hand.hole_cards[seat - 1]

    @property
    def drawn(self) -> list[tuple[int, int]]:
        """Who drew how many cards, in order."""
        return [(event.seat, len(event.places)) for event in self.of(ev.CardsDrawn)]


def draw_deck(players: int, holes: Mapping[int, str], stub: str) -> bytes:
    """A whole deck that deals these hands, and then has these cards to draw."""
    known = [parse_cards(holes.get(seat, "")) for seat in range(1, players + 1)]
    told = parse_cards(stub)
    unused = iter([card for card in DECK if card not in b"".join([*known, told])])
    hands = [cards or bytes(next(unused) for _ in range(5)) for cards in known]
    dealt = bytes(cards[turn] for turn in range(5) for cards in hands)
    return dealt + told + bytes(unused)


def whole_decks(count: int, seed: int = 1) -> bytes:
    """So many orders of all cards, one after the other."""
    chance = random.Random(seed)
    return b"".join(bytes(chance.sample(DECK, len(DECK))) for _ in range(count))


def live_cards(hands: Sequence[bytes], folded: Sequence[bool]) -> list[int]:
    """All cards that players who have not folded hold."""
    return [card for cards, out in zip(hands, folded, strict=True) if not out for card in cards]
