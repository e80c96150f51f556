"""Hands for tests, dealt and played in short notation: `Deal(200, 200, 200).play("3r6 1f 2c")`.

Seats are 1, 2, … from the left of the button: 1 is the small blind, 2 the big blind, the last the button;
heads-up 1 is the big blind and 2 the button with the small blind. An action is the seat, a letter and for b
and r the total for the street: f fold, k check, c call, b bet to, r raise to, a all in; for d the places of the
cards exchanged, none to stand pat.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Self, TypeVar

from croupier.adapters.games import GAMES
from croupier.cards import DECK, parse_cards
from croupier.engine import events as ev
from croupier.engine.actions import (
    ALL_IN,
    CALL,
    CHECK,
    FOLD,
    Action,
    BetTo,
    Draw,
    LegalActions,
    RaiseTo,
)
from croupier.engine.betting import legal_actions
from croupier.engine.game import Game
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.play import act, start_hand
from croupier.engine.rejection import Rejected
from croupier.engine.rules import HandRules, Structure

NO_LIMIT: Final = Structure.NO_LIMIT
POT_LIMIT: Final = Structure.POT_LIMIT
FIXED_LIMIT: Final = Structure.FIXED_LIMIT
SPREAD_LIMIT: Final = Structure.SPREAD_LIMIT

HOLDEM: Final = GAMES["holdem"]
OMAHA: Final = GAMES["omaha"]
OMAHA_HI_LO: Final = GAMES["omaha_hi_lo"]

_ACTION: Final = re.compile(r"(\d+)([fkcbrad])(\d*)")
_SIMPLE: Final[dict[str, Action]] = {"f": FOLD, "k": CHECK, "c": CALL, "a": ALL_IN}

E = TypeVar("E", bound=ev.Event)


def rules(
    structure: Structure = NO_LIMIT, big_blind: int = 2, game: Game = HOLDEM, **options: Any
) -> HandRules:
    """Rules for stakes told by the big blind: fixed limit bets that and twice that; options override."""
    return HandRules(game, structure, **{"small_bet": big_blind, "big_bet": 2 * big_blind, **options})


class Deal:
    """One hand from its posts on. `posts` replaces the two blinds; `antes` come before them."""

    def __init__(
        self,
        *stacks: int,
        structure: Structure = NO_LIMIT,
        blinds: tuple[int, int] = (1, 2),
        antes: Sequence[ev.Post] = (),
        posts: Sequence[ev.Post] | None = None,
        price: int | None = None,
        first_after: int | None = None,
        holes: Mapping[int, str] | None = None,
        board: str = "",
        **options: Any,
    ) -> None:
        seats = tuple(range(1, len(stacks) + 1))
        small, big = (2, 1) if len(stacks) == 2 else (1, 2)
        if posts is None:
            posts = (
                ev.Post(small, ev.PostKind.SMALL_BLIND, blinds[0]),
                ev.Post(big, ev.PostKind.BIG_BLIND, blinds[1]),
            )
        started = ev.HandStarted(
            hand_number=1,
            button_seat=seats[-1],
            small_blind_seat=small,
            big_blind_seat=big,
            first_after=big if first_after is None else first_after,
            price=blinds[1] if price is None else price,
            seats=seats,
            stacks=stacks,
        )
        self.events: list[ev.Event]
        self.hand: Hand
        played = rules(structure, blinds[1], **options)
        order = deck(len(stacks), holes or {}, board, played.game.hole_cards)
        self.hand, self.events = start_hand(played, started, [*antes, *posts], order)

    def play(self, line: str) -> Self:
        """Every action in turn; an AssertionError where the engine asks another seat or refuses."""
        for word in line.split():
            seat, action = read_action(word)
            assert self.actor == seat, f"{word}: the engine asks seat {self.actor}"
            result = act(self.hand, action)
            assert not isinstance(result, Rejected), f"{word}: {result}"
            self.events += result
        return self

    def check_down(self) -> Self:
        """To the end, where nobody bets any more."""
        while self.actor:
            self.play(f"{self.actor}k")
        return self

    def refusal(self, word: str) -> str:
        """The reason for which the actor's action is refused; "" where it is not (then it is carried out)."""
        seat, action = read_action(word)
        assert self.actor == seat, f"{word}: the engine asks seat {self.actor}"
        result = act(self.hand, action)
        return result.reason if isinstance(result, Rejected) else ""

    @property
    def actor(self) -> int:
        """The seat to act; 0 where nobody has to."""
        return 0 if self.hand.actor == NOBODY else self.hand.seats[self.hand.actor]

    @property
    def legal(self) -> LegalActions:
        """What the actor may do."""
        return legal_actions(self.hand)

    @property
    def stacks(self) -> list[int]:
        """Chips behind, seat 1 first."""
        return self.hand.stack

    def of(self, kind: type[E]) -> list[E]:
        """The events of a kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def pots(self) -> list[tuple[int, tuple[int, ...]]]:
        """Amount and eligible seats of the pots that were paid out, main pot first."""
        awarded = sorted(self.of(ev.PotAwarded), key=lambda event: event.index)
        return [(event.amount, event.eligible_seats) for event in awarded]

    @property
    def returned(self) -> dict[int, int]:
        """What nobody called, by seat."""
        return {event.seat: event.amount for event in self.of(ev.UncalledBetReturned)}

    @property
    def shown(self) -> list[int]:
        """The seats that turned their cards up, in order."""
        return [event.seat for event in self.of(ev.HoleCardsShown)]


def read_action(word: str) -> tuple[int, Action]:
    """A seat and what it does, from the notation."""
    match = _ACTION.fullmatch(word)
    assert match, f"{word!r} is no action"
    seat, letter, amount = match.groups()
    if letter == "d":
        return int(seat), Draw(bytes(map(int, amount)))
    if letter in _SIMPLE:
        return int(seat), _SIMPLE[letter]
    return int(seat), BetTo(int(amount)) if letter == "b" else RaiseTo(int(amount))


def ante(seat: int, amount: int) -> ev.Post:
    """A player's own ante."""
    return ev.Post(seat, ev.PostKind.ANTE, amount)


def deck(players: int, holes: Mapping[int, str], board: str, hole_cards: int = 2) -> bytes:
    """A whole deck that deals these cards of games with a board; what is not told comes as it lies."""
    known = [parse_cards(holes.get(seat, "")) for seat in range(1, players + 1)]
    told_board = parse_cards(board)
    unused = iter([card for card in DECK if card not in b"".join([*known, told_board])])
    dealt = [cards or bytes([next(unused) for _ in range(hole_cards)]) for cards in known]
    run = told_board + bytes(next(unused) for _ in range(5 - len(told_board)))
    order = bytes(cards[round_] for round_ in range(hole_cards) for cards in dealt)
    for street in (run[:3], run[3:4], run[4:]):
        order += bytes([next(unused)]) + street
    return order + bytes(unused)
