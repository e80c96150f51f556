"""Reads the given cases (../shared/cases) and plays those about one hand; their seats count from 0."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

import pytest
from tests.support.case_rules import RULES
from tests.support.recorded import CASES
from tests.support.require import require

from croupier.adapters.games import GAMES
from croupier.cards import DECK, parse_cards
from croupier.engine import events as ev
from croupier.engine.actions import ALL_IN, CALL, CHECK, FOLD, Action, BetTo, RaiseTo
from croupier.engine.game import Game
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.play import act, start_hand
from croupier.engine.rake import NO_RAKE, RakeSchedule
from croupier.engine.rejection import Rejected
from croupier.engine.rules import HandRules, Structure

Case = dict[str, Any]

_STRUCTURES: Final = {
    "NL": Structure.NO_LIMIT,
    "PL": Structure.POT_LIMIT,
    "FL": Structure.FIXED_LIMIT,
}
_GAMES: Final = {"holdem": "holdem", "omaha": "omaha", "omaha8": "omaha_hi_lo"}


def given_cases() -> list[Case]:
    """All of them; the calling test is skipped, or fails, where they are absent."""
    if not CASES.exists():
        require("vectors", "the given cases are absent: bugs.jsonl (in cases, beside the recorded hands)")
    return [json.loads(line) for line in CASES.read_text().splitlines()]


def cases_of(kind: str) -> list[object]:
    """Parameters for a test of one kind of case, named by id and rule; without the cases one that says so."""
    if not CASES.exists():
        return [pytest.param(None, id="absent")]
    return [
        pytest.param(case, id=f"{case['id']} {RULES[case['id']]}")
        for case in given_cases()
        if case["input"]["kind"] == kind
    ]


def told_and_expected(case: Case | None) -> tuple[Case, Case]:
    """A parameter's case in its two parts; the test is given up where the cases are absent."""
    known = case if case is not None else given_cases()[0]
    return known["input"], known["expected"]


def schedule_of(told: dict[str, Any] | None) -> RakeSchedule:
    """A case's rake as the engine's schedule."""
    if told is None:
        return NO_RAKE
    return RakeSchedule(
        basis_points=told["basis_points"],
        cap=told["cap"],
        rounding="half_even" if told["rounding"] == "half_even" else "down",
        no_flop_no_drop=told["no_flop_no_drop"],
    )


def game_of(told: dict[str, Any]) -> Game:
    """The game of a case, by the engine's name for it."""
    return GAMES[_GAMES[told.get("game", "holdem")]]


def rules_of(told: dict[str, Any], *, losing_hands_mucked: bool = False) -> HandRules:
    """The rules that a case of one hand is played by."""
    limits = told.get("limits", {"small_bet": told["bb"], "big_bet": 2 * told["bb"]})
    return HandRules(
        game=game_of(told),
        structure=_STRUCTURES[told["structure"]],
        small_bet=limits["small_bet"],
        big_bet=limits["big_bet"],
        bets_cap=limits.get("cap", 4),
        cap_lifts_heads_up=limits.get("heads_up_uncapped", False),
        rake=schedule_of(told.get("rake")),
        losing_hands_mucked=losing_hands_mucked,
    )


_WITHOUT_AMOUNT: Final[dict[str, Action]] = {
    "fold": FOLD,
    "check": CHECK,
    "call": CALL,
    "all_in": ALL_IN,
}


class CaseHand:
    """A case of one hand, played to where the case asks."""

    def __init__(self, told: dict[str, Any], *, losing_hands_mucked: bool = False) -> None:
        stacks = told["stacks"]
        after_button = [(told["button"] + 1 + place) % len(stacks) for place in range(len(stacks))]
        order = [seat for seat in after_button if stacks[seat]]
        small, big = (order[1], order[0]) if len(order) == 2 else (order[0], order[1])
        dead_small_blind = "sb_seat" in told and told["sb_seat"] is None
        if dead_small_blind:
            big = order[0]
        posts = [] if dead_small_blind else [ev.Post(small + 1, ev.PostKind.SMALL_BLIND, told["sb"])]
        posts.append(ev.Post(big + 1, ev.PostKind.BIG_BLIND, told["bb"]))
        for post in told.get("posts", ()):
            posts += _late_posts(post)
        started = ev.HandStarted(
            hand_number=1,
            button_seat=told["button"] + 1,
            small_blind_seat=0 if dead_small_blind else small + 1,
            big_blind_seat=big + 1,
            first_after=big + 1,
            price=told["bb"],
            seats=tuple(seat + 1 for seat in order),
            stacks=tuple(stacks[seat] for seat in order),
        )
        rules = rules_of(told, losing_hands_mucked=losing_hands_mucked)
        self.seats: Final = len(stacks)
        self.events: list[ev.Event]
        self.hand: Hand
        self.hand, self.events = start_hand(rules, started, posts, deck_of(told, order))
        for _street, actions in told["actions"]:
            for seat, verb, *amount in actions:
                self.take(seat, verb, *amount)

    def take(self, seat: int, verb: str, amount: int = 0) -> None:
        """One action by the seat in turn."""
        assert self.actor == seat, f"seat {seat} {verb}: the engine asks seat {self.actor}"
        result = act(self.hand, action(verb, amount))
        assert not isinstance(result, Rejected), f"seat {seat} {verb} {amount}: {result}"
        self.events += result

    def check_down(self) -> None:
        """To the end of the hand, where nobody bets any more."""
        while self.hand.actor != NOBODY:
            self.take(self.actor, "check")

    @property
    def actor(self) -> int:
        """The seat to act, counting from 0."""
        return self.hand.seats[self.hand.actor] - 1

    def stacks(self) -> list[int]:
        """Chips behind, by seat; empty seats have none."""
        chips = dict(zip(self.hand.seats, self.hand.stack, strict=True))
        return [chips.get(seat + 1, 0) for seat in range(self.seats)]

    def of(self, kind: type[ev.Event]) -> list[Any]:
        """The events of a kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]


def action(verb: str, amount: int = 0) -> Action:
    """A verb of the cases as the engine's action."""
    match verb:
        case "bet":
            return BetTo(amount)
        case "raise_to":
            return RaiseTo(amount)
        case _:
            return _WITHOUT_AMOUNT[verb]


def _late_posts(post: dict[str, int]) -> Iterable[ev.Post]:
    for name, kind in (("dead", ev.PostKind.DEAD_BLIND), ("live", ev.PostKind.LIVE_BLIND)):
        if post.get(name):
            yield ev.Post(post["seat"] + 1, kind, post[name])


def deck_of(told: dict[str, Any], order: Sequence[int]) -> bytes:
    """A deck that gives every seat its hole cards and the board its own; the rest comes as it lies."""
    holes = [parse_cards(told.get("hole", {}).get(str(seat), "")) for seat in order]
    board = parse_cards(told.get("board", ""))
    unused = iter([card for card in DECK if card not in b"".join([*holes, board])])
    count = game_of(told).hole_cards
    holes = [hole or bytes([next(unused) for _ in range(count)]) for hole in holes]
    board += bytes(next(unused) for _ in range(5 - len(board)))
    dealt = bytes(hole[round_] for round_ in range(count) for hole in holes)
    burns = [next(unused) for _ in range(3)]
    runs = (board[:3], board[3:4], board[4:])
    return dealt + b"".join(bytes([burn]) + run for burn, run in zip(burns, runs, strict=True))
