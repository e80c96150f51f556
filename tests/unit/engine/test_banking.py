"""Banking, where a table forbids it: whoever left ahead brings it back for two hours (R-T20)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from tests.support.houses import table_rules

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.game import holdem
from croupier.engine.rejection import Rejected
from croupier.engine.table import Table, evolve
from croupier.engine.table_play import execute
from croupier.handrank import rank_holdem

MINUTE: Final = 60_000_000_000
LEFT: Final = 1_000 * MINUTE
"""When whoever leaves does so."""
KEY: Final = tev.RequestKey("", "", "", b"")


class Sitting:
    """A table with buy-ins from 40 to 100 at which anna has brought 100, bert and cleo 75 each."""

    def __init__(self, **rules: Any) -> None:
        changed = {"min_buy_in": 40, "max_buy_in": 100, "banking_window_ms": 120 * 60_000, **rules}
        self.table = Table(
            tev.TableCreated("table", "", table_rules(seat_count=4, **changed), ""), holdem(rank_holdem)
        )
        self._number = 0
        for player, amount in (("anna", 100), ("bert", 75), ("cleo", 75)):
            assert self.come(player, amount) == f"{amount}"

    def seat(self, player: str) -> tev.Seat:
        return self.table.seats[self.table.seat_of(player)]

    def must(self, command: cmd.Command) -> None:
        done = execute(self.table, command)
        assert not isinstance(done, Rejected), done

    def come(self, player: str, amount: int, minutes: int = 1) -> str:
        """How a buy-in goes, so many minutes after somebody left: the stack, or the bounds that hold."""
        now = LEFT + minutes * MINUTE
        if not self.table.seat_of(player):
            free = next(number for number in range(1, 5) if number not in self.table.seats)
            self.must(cmd.ReserveSeat(free, player, now))
        self._number += 1
        asked = execute(self.table, cmd.RequestBuyIn(player, amount, f"{self._number}", KEY, now=now))
        if isinstance(asked, Rejected):
            assert asked.reason == "BUY_IN_NOT_LEGAL"
            return f"{asked.facts['min_buy_in']} to {asked.facts['max_buy_in']}"
        self.must(cmd.AcceptTransfer(f"{self._number}"))
        return f"{self.seat(player).stack}"

    def rebuy(self, player: str, amount: int) -> None:
        self._number += 1
        self.must(cmd.RequestRebuy(player, amount, f"{self._number}", KEY))
        self.must(cmd.AcceptTransfer(f"{self._number}"))

    def leave(self, player: str, stack: int) -> None:
        """The player has so much, won from the others or lost to them, and cashes it out."""
        seat = self.seat(player)
        for other in self.table.seats.values():
            if other is not seat:
                moved = max(1 - seat.stack, min(stack - seat.stack, other.stack))
                seat.stack += moved
                other.stack -= moved
        assert seat.stack == stack
        self.must(cmd.CashOut(player, LEFT))


@pytest.mark.parametrize(
    ("minutes", "amount", "outcome"),
    [
        (1, 100, "250 to 250"),
        (119, 249, "250 to 250"),
        (119, 251, "250 to 250"),
        (119, 250, "250"),
        (120, 40, "40"),
        (121, 250, "40 to 100"),
    ],
)
def test_whoever_left_ahead_brings_back_what_was_taken(minutes: int, amount: int, outcome: str) -> None:
    """R-T20: at least that, even above the maximum, and then no more than that."""
    sitting = Sitting()
    sitting.leave("anna", 250)
    assert sitting.come("anna", amount, minutes) == outcome


def test_whoever_left_ahead_by_little_may_bring_more() -> None:
    sitting = Sitting()
    sitting.leave("bert", 80)
    assert sitting.come("bert", 79) == "80 to 100"
    assert sitting.come("bert", 100) == "100"


@pytest.mark.parametrize("stack", [1, 74, 75])
def test_whoever_did_not_leave_ahead_is_free(stack: int) -> None:
    sitting = Sitting()
    sitting.leave("bert", stack)
    assert sitting.come("bert", 40) == "40"


def test_rebuys_count_as_brought() -> None:
    sitting = Sitting()
    sitting.rebuy("bert", 25)
    sitting.leave("bert", 100)
    assert sitting.come("bert", 40) == "40"


def test_a_rebuy_that_did_not_fit_was_not_brought() -> None:
    """R-T12: what does not fit when it is applied returns to the wallet."""
    sitting = Sitting()
    number = sitting.table.seat_of("bert")
    for event in (
        tev.TransferRequested(tev.PendingTransfer("late", "rebuy", number, "bert", 25)),
        tev.Rebought(number, "bert", 25, "late", queued=True),
        tev.RebuyApplied(number, "bert", 5, 20, "back"),
    ):
        evolve(sitting.table, event)
    sitting.leave("bert", 81)
    assert sitting.come("bert", 40) == "81 to 100", "80 were brought"


def test_a_return_goes_on_where_the_player_left() -> None:
    """Losing a blind and leaving again does not set free what was taken before."""
    sitting = Sitting()
    sitting.leave("anna", 240)
    assert sitting.come("anna", 240) == "240"
    sitting.leave("anna", 238)
    assert sitting.come("anna", 100) == "238 to 238"


def test_what_was_lost_after_a_return_need_not_be_brought_again() -> None:
    sitting = Sitting()
    sitting.leave("anna", 240)
    assert sitting.come("anna", 240) == "240"
    sitting.leave("anna", 100)
    assert sitting.come("anna", 40) == "40"


def test_others_are_not_held_to_it() -> None:
    sitting = Sitting()
    sitting.leave("anna", 250)
    assert sitting.come("dora", 40) == "40"


def test_banking_is_allowed_where_the_table_does_not_forbid_it() -> None:
    sitting = Sitting(banking_window_ms=0)
    sitting.leave("anna", 250)
    assert sitting.come("anna", 40) == "40"
    assert not sitting.table.carried.cashed_out


def test_what_is_over_is_forgotten() -> None:
    """The table keeps no name longer than it must, once somebody else leaves ahead."""
    sitting = Sitting()
    sitting.leave("anna", 110)
    sitting.must(cmd.CashOut("bert", LEFT))
    assert set(sitting.table.carried.cashed_out) == {"anna"}
    sitting.seat("cleo").brought = 1
    sitting.must(cmd.CashOut("cleo", LEFT + 120 * MINUTE))
    assert set(sitting.table.carried.cashed_out) == {"cleo"}
