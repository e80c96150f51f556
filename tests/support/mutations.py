"""Spoils recorded hands in one place each, so that a replay that misses it is found out."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

Raw = dict[str, Any]
"""A hand as its line in a vector file."""

_OTHER_TYPES: Final = {
    "post_ante": ("post_dead", "post_sb"),
    "post_sb": ("post_bb", "post_dead"),
    "post_bb": ("post_sb", "post_straddle"),
    "post_dead": ("post_ante", "post_bb"),
    "post_straddle": ("post_bb", "post_dead"),
    "fold": ("check", "call"),
    "check": ("fold", "call"),
    "call": ("fold", "check", "raise"),
    "bet": ("check", "raise", "fold"),
    "raise": ("call", "bet", "fold"),
    "draw": ("check", "fold", "bet"),
    "show": ("muck", "check"),
    "muck": ("show", "fold"),
}
_STREETS: Final = ("preflop", "flop", "turn", "river", "predraw", "draw", "postdraw", "showdown", "nonsense")


def _amount(raw: Raw, dice: random.Random) -> str:
    """Chips of an action, and with them where they lead or not."""
    with_chips = [action for action in raw["actions"] if "amount" in action]
    action = dice.choice(with_chips)
    by = dice.choice([-1, 1]) * dice.choice([1, 2, raw["bb"] or 1, 10 * (raw["bb"] or 1)])
    named = [name for name in ("amount", "to") if name in action]
    for name in dice.choice([named, named[:1], named[-1:]]):
        action[name] += by
    return f"{action['type']} by {by}"


def _seat(raw: Raw, dice: random.Random) -> str:
    action = dice.choice(raw["actions"])
    others = [seat["seat"] for seat in raw["seats"] if seat["seat"] != action["seat"]]
    action["seat"] = dice.choice(others)
    return f"seat of a {action['type']}"


def _type(raw: Raw, dice: random.Random) -> str:
    action = dice.choice(raw["actions"])
    before = action["type"]
    action["type"] = dice.choice(_OTHER_TYPES[before])
    return f"{before} to {action['type']}"


def _lost(raw: Raw, dice: random.Random) -> str:
    action = raw["actions"].pop(dice.randrange(len(raw["actions"])))
    return f"a {action['type']} lost"


def _payoff(raw: Raw, dice: random.Random) -> str:
    seat = dice.choice(sorted(raw["payoffs"]))
    by = dice.choice([-1, 1]) * dice.choice([1, 2, 50, raw["pot"] or 1])
    raw["payoffs"][seat] += by
    return f"payoff by {by}"


def _winnings(raw: Raw, dice: random.Random) -> str:
    """What a winner took, as either of both lists has it; else as `_payoff`."""
    told = sorted(seat for seat, amounts in (raw.get("winners") or {}).items() if amounts)
    if not told or not raw.get("checkable", True):
        return _payoff(raw, dice)
    by = dice.choice([-1, 1])
    if raw.get("awards") and dice.choice([True, False]):
        dice.choice(raw["awards"])["amount"] += by
        return f"award by {by}"
    raw["winners"][dice.choice(told)][0] += by
    return f"winnings by {by}"


def _discards(raw: Raw, dice: random.Random) -> str:
    """How many cards a seat draws whose hands before and after it are told; else as `_type`."""
    told = raw.get("final_hands", {}).keys() & raw["holes"].keys()
    draws = [action for action in raw["actions"] if action["type"] == "draw" and str(action["seat"]) in told]
    if not draws:
        return _type(raw, dice)
    action = dice.choice(draws)
    by = dice.choice([-1, 1])
    action["discard"] += by
    return f"discards by {by}"


def _street(raw: Raw, dice: random.Random) -> str:
    action = dice.choice(raw["actions"])
    before = action["street"]
    action["street"] = dice.choice([name for name in _STREETS if name != before])
    return f"{action['type']} {before} to {action['street']}"


def _untold(raw: Raw, dice: random.Random) -> str:
    """Chips of a bet, a raise or a call left out; else as `_lost`."""
    betting = [action for action in raw["actions"] if action["type"] in ("call", "bet", "raise")]
    if not betting:
        return _lost(raw, dice)
    action = dice.choice(betting)
    gone = dice.choice([["amount"], ["to"], ["amount", "to"]])
    for name in gone:
        del action[name]
    return f"{action['type']} without {gone}"


def _button(raw: Raw, dice: random.Random) -> str:
    """To another who is dealt in, or, where the button is dead, to anybody."""
    before = raw["button"]
    raw["button"] = dice.choice([seat["seat"] for seat in raw["seats"] if seat["seat"] != before])
    return f"button from {before} to {raw['button']}"


def _stake(raw: Raw, dice: random.Random) -> str:
    """A nominal blind that somebody has posted, and has chips left; else, or where another is posted, as `_type`."""
    posts = [post for post in raw["blinds"] if post["kind"] in ("sb", "bb")]
    short = {action["seat"] for action in raw["actions"] if action.get("all_in")}
    whole = [post["kind"] for post in posts if post["seat"] not in short]
    if not whole or any(post["amount"] != raw[post["kind"]] for post in posts):
        return _type(raw, dice)
    kind = dice.choice(whole)
    raw[kind] += dice.choice([1, 2, raw[kind]])
    return f"nominal {kind}"


def _swapped(raw: Raw, dice: random.Random) -> str:
    """Who posts the small blind and who the big one, or which comes first; else as `_type`."""
    made = [
        place
        for place, action in enumerate(raw["actions"])
        if action["type"] in ("post_sb", "post_bb") and not action.get("late")
    ]
    if len(made) != 2:
        return _type(raw, dice)
    one, other = (raw["actions"][place] for place in made)
    if dice.choice([True, False]):
        raw["actions"][made[0]], raw["actions"][made[1]] = other, one
        return "order of the blinds"
    one["seat"], other["seat"] = other["seat"], one["seat"]
    posts = {post["kind"]: post for post in raw["blinds"]}
    posts["sb"]["seat"], posts["bb"]["seat"] = posts["bb"]["seat"], posts["sb"]["seat"]
    return "seats of the blinds"


MUTATIONS: Final[dict[str, Callable[[Raw, random.Random], str]]] = {
    "amount": _amount,
    "seat": _seat,
    "type": _type,
    "lost": _lost,
    "payoff": _payoff,
    "winnings": _winnings,
    "discards": _discards,
    "street": _street,
    "untold": _untold,
    "button": _button,
    "stake": _stake,
    "swapped": _swapped,
}


def mutated(raw: Raw, kind: str, dice: random.Random) -> tuple[str, Raw]:
    """What was spoiled, and a copy of the hand with it spoiled; `raw` is left as it is."""
    spoiled = deepcopy(raw)
    what = MUTATIONS[kind](spoiled, dice)
    return f"{raw['id']}: {what}", spoiled
