"""What one sitting leaves behind, chips on their way above all, is nothing to the next at the same seat."""

from __future__ import annotations

import random
from typing import Final

from tests.support.houses import table_rules

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.actions import ALL_IN, FOLD, Action
from croupier.engine.game import holdem
from croupier.engine.hand import Hand
from croupier.engine.rejection import Rejected
from croupier.engine.table import Table
from croupier.engine.table_play import execute, start_hand
from croupier.handrank import rank_holdem
from croupier.numbers import NS_PER_MS

LOSING: Final = bytes(random.Random(0).sample(range(52), 52))
"""A deal order that the player at SEAT loses against seat 5."""
KEY: Final = tev.RequestKey("", "", "", b"")
GONE: Final = tev.TransferRefusal("PLAYER_NOT_SEATED")
MINUTE: Final = 60_000 * NS_PER_MS
SEAT: Final = 3
STACK: Final = 100


def opened() -> Table:
    return Table(tev.TableCreated("table", "", table_rules(min_bet=2), ""), holdem(rank_holdem))


def done(table: Table, command: cmd.Command) -> list[ev.Event]:
    """What came of a command that the rules allow."""
    happened = execute(table, command)
    assert not isinstance(happened, Rejected), happened
    return happened


def refusal(table: Table, command: cmd.Command) -> str:
    refused = execute(table, command)
    assert isinstance(refused, Rejected), refused
    return refused.reason


def buy_in(table: Table, player: str) -> None:
    done(table, cmd.RequestBuyIn(player, STACK, f"{player} in", KEY))
    done(table, cmd.AcceptTransfer(f"{player} in"))


def sit(table: Table, player: str, seat: int) -> None:
    done(table, cmd.ReserveSeat(seat, player, 0))
    buy_in(table, player)


def leave_with_a_rebuy_on_its_way(table: Table, player: str) -> str:
    """The player has sat, asked for more, and left before the wallet answered."""
    sit(table, player, SEAT)
    done(table, cmd.RequestRebuy(player, 50, f"{player} more", KEY))
    done(table, cmd.CashOut(player, 0))
    done(table, cmd.ConfirmPayout("table-payout-1"))
    return f"{player} more"


def bust_with_a_rebuy_on_its_way(table: Table, player: str) -> None:
    """All go all in; the player, who has asked for more, loses."""
    done(table, cmd.RequestRebuy(player, 50, f"{player} more", KEY))
    deal(table)
    everybody(table, ALL_IN)
    assert not table.seats[table.seat_of(player)].stack


def everybody(table: Table, action: Action) -> None:
    """Act alike until the hand is over."""
    while (hand := table.hand) is not None:
        done(table, cmd.Act(actor_of(table, hand), hand.number, hand.action_sequence, action, 0))


def actor_of(table: Table, hand: Hand) -> str:
    return table.seats[hand.seats[hand.actor]].player_id


def deal(table: Table) -> list[ev.Event]:
    happened = start_hand(table, cmd.StartHand(0), LOSING)
    assert not isinstance(happened, Rejected), happened
    return happened


def test_a_rebuy_refused_too_late_frees_no_seat_that_another_has_taken() -> None:
    """R-T12, R-T13: what comes to nothing is the former player's; the next one's rebuy keeps the seat."""
    table = opened()
    late = leave_with_a_rebuy_on_its_way(table, "anna")
    sit(table, "cleo", SEAT)
    sit(table, "bert", 5)
    bust_with_a_rebuy_on_its_way(table, "cleo")
    done(table, cmd.VoidTransfer(late, GONE))
    assert not [
        event for event in done(table, cmd.RefuseTransfer(late, 0)) if isinstance(event, tev.PlayerLeft)
    ]
    done(table, cmd.AcceptTransfer("cleo more"))
    assert table.seats[SEAT].stack == 50


def test_a_rebuy_of_a_former_sitting_stands_in_nobodys_way() -> None:
    """R-T8: whoever comes back to the same seat buys in, gives it up, or lets its time run out, as everybody."""
    for leave in (cmd.ReleaseSeat("anna"), cmd.ExpireReservation(SEAT, 10 * MINUTE)):
        table = opened()
        leave_with_a_rebuy_on_its_way(table, "anna")
        done(table, cmd.ReserveSeat(SEAT, "anna", 0))
        assert done(table, leave)
        assert not table.seats


def test_a_rebuy_of_a_former_sitting_comes_to_no_later_one() -> None:
    """R-T12: it was asked for a stack that has gone to the wallet."""
    table = opened()
    late = leave_with_a_rebuy_on_its_way(table, "anna")
    done(table, cmd.ReserveSeat(SEAT, "anna", 0))
    done(table, cmd.RequestBuyIn("anna", STACK, "again", KEY))
    done(table, cmd.AcceptTransfer("again"))
    assert refusal(table, cmd.AcceptTransfer(late)) == "PLAYER_NOT_SEATED"
    done(table, cmd.RequestRebuy("anna", 10, "its own", KEY))
    done(table, cmd.VoidTransfer(late, GONE))
    done(table, cmd.RefuseTransfer(late, 0))
    done(table, cmd.AcceptTransfer("its own"))
    assert table.seats[SEAT].stack == STACK + 10


def test_a_wallet_that_is_slow_costs_a_busted_player_no_blind() -> None:
    """R-T17: blinds are missed by who sits out; R-T12: a rebuy on its way keeps the seat as it was."""
    for away in (False, True):
        table = opened()
        for player, seat in (("cleo", SEAT), ("bert", 5)):
            sit(table, player, seat)
        bust_with_a_rebuy_on_its_way(table, "cleo")
        sit(table, "dora", 1)
        if away:
            done(table, cmd.SitOut("cleo", 0))
        for _ in range(4):
            deal(table)
            everybody(table, FOLD)
        assert table.seats[SEAT].missed_big_blind is away


def test_sitting_out_does_not_end_a_run_of_time_outs() -> None:
    """R-T15: only acting in time does, or having been sat out for it."""
    table = opened()
    sit(table, "cleo", SEAT)
    sit(table, "bert", 5)
    late = ""
    for time_outs in (1, 2):
        deal(table)
        while (hand := table.hand) is not None:
            actor = actor_of(table, hand)
            late = late or actor
            if actor == late:
                done(table, cmd.TimeOut(hand.number, hand.action_sequence, 0))
            else:
                done(table, cmd.Act(actor, hand.number, hand.action_sequence, ALL_IN, 0))
        seat = table.seats[table.seat_of(late)]
        assert seat.sitting_out is (time_outs == 2)
        if time_outs == 1:
            done(table, cmd.SitOut(late, 0))
            done(table, cmd.SitIn(late, False, MINUTE))
            assert seat.time_outs == 1
    assert seat.time_outs == 0, "the run has had its consequence"


def test_a_seat_is_kept_as_long_in_all_until_its_player_is_dealt_in() -> None:
    """R-T15: sitting in for a moment does not begin the ten minutes anew, a hand does."""
    table = opened()
    sit(table, "cleo", SEAT)
    done(table, cmd.SitOut("cleo", 0))
    done(table, cmd.SitIn("cleo", False, 9 * MINUTE))
    (out,) = done(table, cmd.SitOut("cleo", 15 * MINUTE))
    assert out == tev.SatOut(SEAT, tev.SitOutReason.ASKED, 6 * MINUTE), "nine minutes are spent"
    assert not execute(table, cmd.ExpireKeptSeat(SEAT, 16 * MINUTE - 1))
    done(table, cmd.SitIn("cleo", False, 15 * MINUTE))
    sit(table, "bert", 5)
    deal(table)
    everybody(table, FOLD)
    (out,) = done(table, cmd.SitOut("cleo", 20 * MINUTE))
    assert out == tev.SatOut(SEAT, tev.SitOutReason.ASKED, 20 * MINUTE)
    assert done(table, cmd.ExpireKeptSeat(SEAT, 30 * MINUTE))


def test_a_voided_hand_gives_its_debts_back_to_no_later_sitting() -> None:
    """R-T17: a player who sat out the hand, left in it and came back owes what a newcomer owes."""
    table = opened()
    for player, seat in (("cleo", SEAT), ("bert", 5), ("dora", 6)):
        sit(table, player, seat)
    deal(table)
    everybody(table, FOLD)
    done(table, cmd.SitOut("cleo", 0))
    while not table.seats[SEAT].missed_big_blind:
        deal(table)
        if not table.seats[SEAT].missed_big_blind:
            everybody(table, FOLD)
    everybody(table, FOLD)
    deal(table)
    done(table, cmd.CashOut("cleo", 0))
    done(table, cmd.ReserveSeat(SEAT, "cleo", 0))
    done(table, cmd.RequestBuyIn("cleo", STACK, "again", KEY))
    done(table, cmd.AcceptTransfer("again"))
    done(table, cmd.ResolveTable(void=True, now=0))
    assert not table.seats[SEAT].missed_big_blind
