"""Tables between two hands, made as they stand, to see who is dealt in next and where the blinds fall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.support.houses import table_rules

from croupier.engine import table_events as tev
from croupier.engine.commands import StartHand
from croupier.engine.game import holdem
from croupier.engine.hand import NOBODY
from croupier.engine.rejection import Rejected
from croupier.engine.table import Table
from croupier.engine.table_play import start_hand
from croupier.handrank import rank_holdem


def table_between_hands(
    players: Mapping[int, str], *, button: int, sb: int, bb: int, **changed: Any
) -> Table:
    """A no limit table of 5 and 10 whose last hand had button and blinds at these seats; all have 1000 chips."""
    rules = table_rules(min_bet=20, seat_count=10, small_bet=10, small_blind=5, big_blind=10, **changed)
    table = Table(tev.TableCreated("table", "", rules, ""), holdem(rank_holdem))
    carried = table.carried
    carried.button_seat, carried.small_blind_seat, carried.big_blind_seat = button, sb, bb
    for number, name in players.items():
        carried.seats[number] = tev.Seat(name, stack=1000, bought_in=True)
        carried.chips += 1000
    return table


def first_to_act(table: Table) -> int:
    """The seat that acts first in the next hand; the table is left in it."""
    dealt = start_hand(table, StartHand(0), bytes(range(52)))
    assert not isinstance(dealt, Rejected)
    hand = table.hand
    assert hand is not None
    assert hand.actor != NOBODY
    return hand.seats[hand.actor]
