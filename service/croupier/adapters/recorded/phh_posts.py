"""Stacks, antes, blinds and straddles of a PHH hand, as posts that are paid from what a stack holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from croupier.adapters.recorded.hand import ActionType, ForcedPost, RecordedAction, RecordedSeat
from croupier.adapters.recorded.phh_amounts import Amounts


class Posts(NamedTuple):
    """What a hand began with; `actions` are the posts as paid, in order. The big blind is nominal."""

    stacks: tuple[RecordedSeat, ...]
    big_blind: int
    antes: tuple[ForcedPost, ...]
    blinds: tuple[ForcedPost, ...]
    straddles: tuple[ForcedPost, ...]
    actions: tuple[RecordedAction, ...]


def read_posts(fields: Mapping[str, Any], amounts: Amounts, *, draws: bool = False) -> Posts:
    """The format lists blinds as for more than two players: heads-up they are the other way round, and antes too.

    Antes that are not trimmed go into the main pot whole, as dead posts do.
    """
    stacks = [amounts.chips(chips) for chips in fields["starting_stacks"]]
    nominal = [amounts.chips(chips) for chips in fields["blinds_or_straddles"]]
    antes_told = [amounts.chips(chips) for chips in fields["antes"]]
    if len(stacks) == 2:
        nominal.reverse()
        antes_told.reverse()
    least = amounts.chips(fields.get("min_bet", fields.get("small_bet", 0)))
    paying = _Paying(stacks, "predraw" if draws else "preflop")
    dead = fields.get("ante_trimming_status") is False
    forced = [
        paying.post(position, "dead", ante) if dead else paying.ante(position, ante)
        for position, ante in enumerate(antes_told)
        if ante
    ]
    big_blind = min((blind for blind in nominal if blind >= max(least, 1)), default=0)
    owner = max((seat for seat, blind in enumerate(nominal) if blind == big_blind and blind), default=-1)
    blinds: list[ForcedPost] = forced if dead else []
    antes = [] if dead else forced
    straddles: list[ForcedPost] = []
    for position, blind in enumerate(nominal):
        if blind > big_blind and big_blind:
            straddles.append(paying.post(position, "straddle", blind))
        elif blind:
            kind = _kind(blind, big_blind, owner=position == owner)
            blinds.append(paying.post(position, kind, abs(blind)))
    return Posts(
        stacks=tuple(RecordedSeat(position + 1, chips) for position, chips in enumerate(stacks)),
        big_blind=big_blind,
        antes=tuple(post for post in antes if post.amount),
        blinds=tuple(post for post in blinds if post.amount),
        straddles=tuple(post for post in straddles if post.amount),
        actions=tuple(action for action in paying.actions if action.amount),
    )


def _kind(blind: int, big_blind: int, *, owner: bool) -> str:
    """A negative blind is a newcomer's post: live, though it is no blind of the rotation."""
    if blind < 0 or (blind == big_blind and not owner):
        return "late_bb"
    return "bb" if owner else "sb"


class _Paying:
    """Pays posts out of stacks, short where a stack holds less."""

    def __init__(self, stacks: list[int], street: str) -> None:
        self._street = street
        self._left = list(stacks)
        self.actions: list[RecordedAction] = []

    def ante(self, position: int, amount: int) -> ForcedPost:
        return self._pay(position, "ante", "post_ante", amount)

    def post(self, position: int, kind: str, amount: int) -> ForcedPost:
        types: dict[str, ActionType] = {"sb": "post_sb", "straddle": "post_straddle", "dead": "post_dead"}
        return self._pay(position, kind, types.get(kind, "post_bb"), amount)

    def _pay(self, position: int, kind: str, type_: ActionType, amount: int) -> ForcedPost:
        paid = min(amount, self._left[position])
        self._left[position] -= paid
        self.actions.append(
            RecordedAction(
                street=self._street,
                seat=position + 1,
                type=type_,
                amount=paid,
                to=None if kind in ("ante", "dead") else paid,
                all_in=self._left[position] == 0,
                late=kind.startswith("late_"),
            )
        )
        return ForcedPost(position + 1, paid, kind)
