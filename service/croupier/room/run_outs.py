"""Hands that ran out all in: what was shown before the board was whole, told by public events alone."""

from __future__ import annotations

from typing import NamedTuple

from croupier.engine import events as ev
from croupier.engine.game import Game
from croupier.room.subscriptions import Publication


class RunOut(NamedTuple):
    """`hands` are those shown, by seat; `boards` the streets from that on which betting ended, with the board on each.

    `record` is the journal_sequence of the record in which all of it happened.
    """

    record: int
    hand_number: int
    game: Game
    hands: tuple[tuple[int, bytes], ...]
    boards: tuple[tuple[int, bytes], ...]


def run_out(publication: Publication, game: Game) -> RunOut | None:
    """What ran out in a record; None where nothing did.

    A record in which a hand is both dealt a street and ended has no betting on that street: all but one were all in,
    and every hand still in is shown (R-H9).
    """
    hands = [
        (event.seat, event.cards) for event in publication.events if isinstance(event, ev.HoleCardsShown)
    ]
    dealt = [event for event in publication.events if isinstance(event, ev.StreetDealt)]
    ended = [event for event in publication.events if isinstance(event, ev.HandEnded)]
    if len(hands) < 2 or not dealt or not ended:
        return None
    board = publication.board_at(dealt[0])
    streets = [int(plan.street) for plan in game.streets]
    boards = [(streets[streets.index(dealt[0].street) - 1], board)]
    for event in dealt:
        board += event.cards
        boards.append((event.street, board))
    number = ended[0].hand_number
    return RunOut(publication.record, number, game, tuple(sorted(hands)), tuple(boards))
