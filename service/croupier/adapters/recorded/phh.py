"""Reads recorded hands in the poker hand history format (PHH), one a file (.phh) or many (.phhs)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final

import msgspec

from croupier.adapters.recorded.hand import Malformed, OwnRules, RecordedHand
from croupier.adapters.recorded.phh_actions import read_actions
from croupier.adapters.recorded.phh_amounts import Amounts, Number
from croupier.adapters.recorded.phh_posts import Posts, read_posts
from croupier.houses import toml

_STRUCTURES: Final = {"N": "nl", "P": "pl", "F": "fl", "S": "sl"}
_GAMES: Final = {"T": "he", "O": "o", "O5": "o5", "O6": "o6", "O/8": "o8", "5D": "5cd"}
_VARIANTS: Final = {
    structure + game: _STRUCTURES[structure] + _GAMES[game] for structure in _STRUCTURES for game in _GAMES
}
"""The format itself defines NT, FT, PO and FO/8; the others are codes made likewise, as the exports use them."""

_REQUIRED: Final = ("variant", "antes", "blinds_or_straddles", "starting_stacks", "actions")


def read_phh(stream: BinaryIO) -> Iterator[RecordedHand | Malformed]:
    """Every hand in order; one that cannot be read comes as the Malformed that says why."""
    try:
        document = toml.loads(stream.read(), parse_float=Number)
    except toml.NoToml as error:
        yield Malformed(f"no PHH: the file {error}")
        return
    hands = {"": document} if "variant" in document else document
    for name, fields in hands.items():
        try:
            yield _hand(name, fields)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            yield Malformed(f"hand {name or 1}: {type(error).__name__} {error}")
        except Malformed as error:
            yield Malformed(f"hand {name or 1}: {error}")


def _hand(name: str, fields: Mapping[str, Any]) -> RecordedHand:
    """One hand. The players p1, p2, … take seats 1, 2, …, the last of them the button."""
    if missing := [field for field in _REQUIRED if field not in fields]:
        raise Malformed(f"{', '.join(missing)} missing")
    variant = _VARIANTS.get(fields["variant"], fields["variant"])
    identity = f"{fields.get('venue', 'phh')}:{fields.get('hand', name or 1)}"
    if variant not in _VARIANTS.values():
        return _unplayed(identity, variant)
    if fields.get("_croupier", {}).get("voided"):
        return _unplayed(identity, "voided")
    amounts = Amounts(fields)
    draws = variant.endswith("5cd")
    posts = read_posts(fields, amounts, draws=draws)
    told = read_actions(fields["actions"], amounts, len(posts.stacks), draws=draws)
    payoffs = _payoffs(fields, amounts, posts)
    folded = {action.seat for action in told.actions if action.type == "fold"}
    live = [seat.seat for seat in posts.stacks if seat.seat not in folded]
    return RecordedHand(
        id=identity,
        site=str(fields.get("venue", "phh")),
        variant=variant,
        bb=posts.big_blind,
        min_bet=amounts.chips(fields.get("min_bet", 0)),
        small_bet=amounts.chips(fields.get("small_bet", 0)),
        big_bet=amounts.chips(fields.get("big_bet", 0)),
        button=len(posts.stacks),
        seats=posts.stacks,
        antes=posts.antes,
        blinds=posts.blinds,
        straddles=posts.straddles,
        actions=(*posts.actions, *told.actions),
        holes=told.holes,
        final_hands=told.final_hands,
        board=told.board,
        payoffs=payoffs,
        rake=-sum(payoffs.values()) if payoffs else 0,
        winners=_winners(fields),
        checkable=len(live) == 1 or all(told.known(seat) for seat in live),
        own_rules=_own_rules(fields),
    )


def _unplayed(identity: str, variant: str) -> RecordedHand:
    return RecordedHand(id=identity, site="phh", variant=variant, bb=None, button=0, seats=(), actions=())


def _payoffs(fields: Mapping[str, Any], amounts: Amounts, posts: Posts) -> dict[int, int] | None:
    if "finishing_stacks" not in fields:
        return None
    finishing = [amounts.chips(chips) for chips in fields["finishing_stacks"]]
    return {seat.seat: chips - seat.stack for seat, chips in zip(posts.stacks, finishing, strict=True)}


def _winners(fields: Mapping[str, Any]) -> dict[int, tuple[int, ...]] | None:
    """Who won something; how much is not told in one way (uncalled chips may be among it)."""
    if not any(fields.get("winnings", ())):
        return None
    return {seat: () for seat, chips in enumerate(fields["winnings"], start=1) if chips}


def _own_rules(fields: Mapping[str, Any]) -> OwnRules | None:
    """What an export of this service says in the field that is its own."""
    return msgspec.convert(fields["_croupier"], OwnRules) if "_croupier" in fields else None
