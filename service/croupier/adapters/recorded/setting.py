"""From a recorded hand to what the engine starts from: rules and posts; the cards are `deck`'s."""

from __future__ import annotations

from typing import Final

import msgspec

from croupier.adapters.recorded.hand import Malformed, OwnRules, RecordedAction, RecordedHand
from croupier.adapters.recorded.sites import ways_of
from croupier.engine.events import HandStarted, Post, PostKind
from croupier.engine.game import Game
from croupier.engine.rake import RakeSchedule
from croupier.engine.rules import HandRules, Structure

_STRUCTURES: Final = {
    "nl": Structure.NO_LIMIT,
    "pl": Structure.POT_LIMIT,
    "fl": Structure.FIXED_LIMIT,
    "sl": Structure.SPREAD_LIMIT,
}
_GAMES: Final = {
    "he": "holdem",
    "o": "omaha",
    "o5": "five_card_omaha",
    "o6": "six_card_omaha",
    "o8": "omaha_hi_lo",
    "5cd": "five_card_draw",
}
VARIANTS: Final = {
    structure + game: (_STRUCTURES[structure], _GAMES[game]) for structure in _STRUCTURES for game in _GAMES
}
"""The variants this version plays: structure and name of the game."""

MOST_DRAWN: Final = 5
"""At the sites a whole hand may be exchanged (R-H7)."""


def hand_rules(recorded: RecordedHand, game: Game) -> HandRules:
    """The rules the hand was played by, the recorded rake as a fixed amount."""
    structure, _ = VARIANTS[recorded.variant]
    fixed_limit = structure is Structure.FIXED_LIMIT
    small_bet = (recorded.small_bet if fixed_limit else recorded.min_bet) or recorded.bb or 1
    rules = HandRules(
        game=game,
        structure=structure,
        small_bet=small_bet,
        big_bet=recorded.big_bet or 2 * small_bet,
        cap_lifts_heads_up=ways_of(recorded.site).cap_lifts_heads_up,
        rake=RakeSchedule(fixed=recorded.rake),
        most_drawn=MOST_DRAWN if game.draws else 0,
    )
    return rules if recorded.own_rules is None else _as_told(rules, recorded.own_rules)


def _as_told(rules: HandRules, own: OwnRules) -> HandRules:
    return msgspec.structs.replace(
        rules,
        big_bet=own.max_bet or rules.big_bet,
        bets_cap=own.bets_cap,
        cap_lifts_heads_up=own.cap_lifts_heads_up,
        opening_checks=own.opening_checks,
        most_drawn=own.most_drawn,
        last_round_opener=own.last_round_opener,
    )


def hand_started(recorded: RecordedHand) -> HandStarted:
    """Who is dealt in and who opens: the left of the last straddler, else of the big blind."""
    big_blind = _big_blind_seat(recorded)
    straddlers = [post.seat for post in recorded.straddles]
    return HandStarted(
        hand_number=1,
        button_seat=recorded.button,
        small_blind_seat=next((post.seat for post in recorded.blinds if post.kind == "sb"), 0),
        big_blind_seat=big_blind,
        first_after=straddlers[-1] if straddlers else big_blind,
        price=_price(recorded),
        seats=tuple(seat.seat for seat in recorded.seats),
        stacks=tuple(seat.stack for seat in recorded.seats),
    )


def _price(recorded: RecordedHand) -> int:
    """The nominal big blind; what was posted for it, where a record names a smaller one (a level went up)."""
    return max([recorded.bb or 0, *(post.amount for post in recorded.blinds if post.kind == "bb")])


def _big_blind_seat(recorded: RecordedHand) -> int:
    """Who posted the big blind; where nobody could, the seat after the small blind's was due (0: none is)."""
    for post in recorded.blinds:
        if post.kind == "bb":
            return post.seat
    seats = [seat.seat for seat in recorded.seats]
    for post in recorded.blinds:
        if post.kind == "sb":
            return seats[(seats.index(post.seat) + 1) % len(seats)]
    return 0


def posts(recorded: RecordedHand) -> list[Post]:
    """The forced posts in the order recorded. Raises Malformed where actions and lists of posts disagree."""
    listed = sorted(
        [("post_ante", post.seat, post.amount) for post in recorded.antes]
        + [(_post_type(post.kind), post.seat, post.amount) for post in recorded.blinds]
        + [("post_straddle", post.seat, post.amount) for post in recorded.straddles]
    )
    made = [action for action in recorded.actions if action.type.startswith("post_")]
    if listed != sorted((action.type, action.seat, action.amount or 0) for action in made):
        raise Malformed("the posts among the actions are not those listed")
    if any(amount <= 0 for _, _, amount in listed):
        raise Malformed("a post of no chips")
    return [Post(action.seat, _post_kind(recorded, action), action.amount or 0) for action in made]


def _post_type(kind: str) -> str:
    return f"post_{kind.removeprefix('late_')}"


def _post_kind(recorded: RecordedHand, action: RecordedAction) -> PostKind:
    match action.type:
        case "post_ante":
            return PostKind.TABLE_ANTE if len(recorded.antes) == 1 else PostKind.ANTE
        case "post_sb":
            return PostKind.LIVE_BLIND if action.late else PostKind.SMALL_BLIND
        case "post_bb":
            return PostKind.LIVE_BLIND if action.late else PostKind.BIG_BLIND
        case "post_straddle":
            return PostKind.STRADDLE
        case _:
            return PostKind.DEAD_BLIND
