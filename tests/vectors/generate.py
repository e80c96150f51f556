"""Makes the project's own recorded hands: python -m tests.vectors.generate [--check]

Random hands of hold'em in every structure and of Omaha, for 2 to 10 players, with antes, short stacks and
all-ins, each played by the engine and by pokerkit at once and kept only where the two agree at every decision
and in the end. Hands in which pokerkit is known to differ from the rulebooks are passed over
(`tests.support.beside_pokerkit`).
The same seed makes the same files; with --check they are made and compared, not written.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.support.beside_pokerkit import Compared, play_both
from tests.support.deals import HOLDEM, OMAHA, OMAHA_HI_LO, rules
from tests.support.random_hands import Script, Setting, setting

from croupier.cards import cards_text
from croupier.engine import events as ev
from croupier.engine.game import Game
from croupier.engine.rules import HandRules, Structure

SEED: Final = 1
FOLDER: Final = Path(__file__).parent
VARIANTS: Final = {
    "nlhe": (Structure.NO_LIMIT, HOLDEM, 100),
    "plhe": (Structure.POT_LIMIT, HOLDEM, 100),
    "flhe": (Structure.FIXED_LIMIT, HOLDEM, 100),
    "plo": (Structure.POT_LIMIT, OMAHA, 40),
    "nlo8": (Structure.NO_LIMIT, OMAHA_HI_LO, 60),
}
"""What is played, and how many hands a file holds."""
_STREETS: Final = ("preflop", "flop", "turn", "river")
_POSTS: Final = {ev.PostKind.ANTE: "ante", ev.PostKind.SMALL_BLIND: "sb", ev.PostKind.BIG_BLIND: "bb"}


def random_setting(structure: Structure, game: Game, dice: random.Random) -> Setting:
    """Every stack covers its ante and a big blind; one in two is short, and may be all in for an odd amount."""
    players = dice.choice([2, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10])
    big_blind = dice.choice([2, 10, 20, 50, 100])
    ante = dice.choice([0, 0, 0, max(1, big_blind // 10), max(1, big_blind // 2)])
    stacks = [ante + big_blind + _behind(structure, big_blind, dice) for _ in range(players)]
    return setting(
        rules(structure, big_blind, game, cap_lifts_heads_up=False),
        stacks,
        ante=ante,
        seed=dice.getrandbits(32),
    )


def _behind(structure: Structure, big_blind: int, dice: random.Random) -> int:
    if structure is Structure.FIXED_LIMIT:
        return big_blind * dice.choice([0, 1, 2, 4, 7, 15, 50, 50, 100])
    short, deep = dice.randint(0, big_blind * 12), big_blind * dice.choice([40, 100, 200])
    return dice.choice([short, deep])


def agreed_hands(variant: str) -> Iterator[dict[str, Any]]:
    """As many hands as a file holds, in the format of the vectors."""
    dice = random.Random(f"{SEED} {variant}")
    structure, game, hands = VARIANTS[variant]
    made = 0
    while made < hands:
        drawn = random_setting(structure, game, dice)
        script = Script(dice.randbytes(160), folds=dice.choice([24, 80, 130]), folds_for_free=False)
        compared = play_both(drawn, script)
        if compared.half_bets or compared.odd_chips:
            continue
        if compared.parted is not None:
            raise SystemExit(f"{variant}: the engine and pokerkit part: {compared.parted}")
        made += 1
        yield recorded(f"own:{variant}-{made}", variant, drawn, compared)


def recorded(identity: str, variant: str, drawn: Setting, compared: Compared) -> dict[str, Any]:
    """One hand as a line of a vector file says it."""
    hand, started = compared.hand, drawn.started
    posts = [event for event in compared.events if isinstance(event, ev.Posted)]
    awarded = [event for event in compared.events if isinstance(event, ev.PotAwarded)]
    shown = [event for event in compared.events if isinstance(event, ev.HoleCardsShown)]
    return {
        "id": identity,
        "site": "own",
        "variant": variant,
        "sb": max(1, started.price // 2),
        "bb": started.price,
        **_bets(drawn.rules),
        "button": started.button_seat,
        "seats": [
            {"seat": seat, "stack": stack} for seat, stack in zip(started.seats, started.stacks, strict=True)
        ],
        "antes": [_listed(post) for post in posts if post.kind == ev.PostKind.ANTE],
        "blinds": [
            {**_listed(post), "kind": _POSTS[post.kind]} for post in posts if post.kind != ev.PostKind.ANTE
        ],
        "actions": list(_actions(compared.events)),
        "holes": {str(event.seat): cards_text(event.cards) for event in shown},
        "board": cards_text(hand.board),
        "payoffs": {
            str(seat): after - before
            for seat, after, before in zip(hand.seats, hand.stack, started.stacks, strict=True)
        },
        "pot": sum(event.amount for event in awarded),
        "pots": [_pot(pot, lows=drawn.rules.game.rank_lows is not None) for pot in reversed(awarded)],
        "rake": 0,
        "uncalled_returned": _returned(compared.events),
        "winners": {str(seat): [] for event in awarded for seat in event.winners + event.low_winners},
        "showdown": bool(shown),
        "checkable": True,
    }


def _pot(pot: ev.PotAwarded, *, lows: bool) -> dict[str, Any]:
    told = {"amount": pot.amount, "eligible": pot.eligible_seats, "hi_winners": pot.winners}
    return told | ({"lo_winners": pot.low_winners} if lows else {})


def _bets(played: HandRules) -> dict[str, int]:
    if played.structure is Structure.FIXED_LIMIT:
        return {"small_bet": played.small_bet, "big_bet": played.big_bet}
    return {"min_bet": played.small_bet}


def _listed(post: ev.Posted) -> dict[str, Any]:
    return {"seat": post.seat, "amount": post.amount}


def _actions(events: list[ev.Event]) -> Iterator[dict[str, Any]]:
    street = 0
    for event in events:
        said = {"street": _STREETS[street]}
        match event:
            case ev.StreetDealt():
                street = event.street
            case ev.Posted(kind=ev.PostKind.ANTE):
                yield (
                    said | {"seat": event.seat, "type": "post_ante", "amount": event.amount} | _all_in(event)
                )
            case ev.Posted():
                yield said | _chips(event, f"post_{_POSTS[event.kind]}")
            case ev.Folded():
                yield said | {"seat": event.seat, "type": "fold"}
            case ev.Checked():
                yield said | {"seat": event.seat, "type": "check"}
            case ev.Called():
                yield said | _chips(event, "call")
            case ev.BetMade():
                yield said | _chips(event, "bet")
            case ev.Raised():
                yield said | _chips(event, "raise")
            case ev.HoleCardsShown():
                cards = cards_text(event.cards)
                yield {"street": "showdown", "seat": event.seat, "type": "show", "cards": cards}


def _chips(event: ev.Posted | ev.Called | ev.BetMade | ev.Raised, type_: str) -> dict[str, Any]:
    return {"seat": event.seat, "type": type_, "amount": event.amount, "to": event.to} | _all_in(event)


def _all_in(event: ev.Posted | ev.Called | ev.BetMade | ev.Raised) -> dict[str, Any]:
    return {"all_in": True} if event.all_in else {}


def _returned(events: list[ev.Event]) -> dict[str, Any] | None:
    street = 0
    for event in events:
        if isinstance(event, ev.StreetDealt):
            street = event.street
        elif isinstance(event, ev.UncalledBetReturned):
            return {"seat": event.seat, "amount": event.amount, "street": _STREETS[street]}
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file would change")
    check = parser.parse_args().check
    for variant in VARIANTS:
        path = FOLDER / f"{variant}.jsonl"
        lines = [json.dumps(hand, separators=(",", ":")) for hand in agreed_hands(variant)]
        text = "\n".join(lines) + "\n"
        if check and path.read_text() != text:
            raise SystemExit(f"{path.name} would change")
        if not check:
            path.write_text(text)
        print(f"{path.name}: {len(lines)} hands, {len(text):,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
