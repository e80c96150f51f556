"""Hands at a table: starting them, acting, timing out, and all that a hand's end brings with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from croupier.engine import (
    advance,
    entropy,
    joining,
    leaving,
    play,
    resolving,
    seating,
    sharing,
    showing,
    waiting,
)
from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.actions import Action
from croupier.engine.betting import unchosen_action
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.rejection import InvariantViolation, Rejected
from croupier.engine.rotation import HandPlan, avoiding_blinds, plan_hand
from croupier.engine.table import (
    Table,
    after_action,
    apply,
    begin_hand,
    check_invariants,
    end_hand,
    evolve,
)
from croupier.numbers import NS_PER_MS

Decided = list[ev.Event] | Rejected


def execute(table: Table, command: cmd.Command) -> Decided:
    """Carry a command out: the events it led to, applied; or the refusal, with the table as it was.

    Raises InvariantViolation when chips do not add up afterwards: the table must halt.
    """
    if table.carried.state is tev.TableState.CLOSED:
        return Rejected("TABLE_CLOSED", table_id=table.table_id)
    run = _RUN.get(type(command))
    if run is not None:
        decided: Decided = run(table, command)
    else:
        decided = _DECIDE[type(command)](table, command)
        if isinstance(decided, list):
            for event in decided:
                evolve(table, event)
            if decided:
                leaving.finish_closing(table, decided)
    if table.carried.waiting and isinstance(decided, list) and decided:
        _offer_seats(table, decided, getattr(command, "now", 0))
    if table.hand is None:
        check_invariants(table)
    return decided


def _offer_seats(table: Table, decided: list[ev.Event], now: int) -> None:
    """Seats that a command freed go to those who wait; the end of a hand has seen to that before its checkpoint."""
    if type(decided[-1]) is not tev.TableCheckpointed:
        waiting.offer_seats(table, decided, now)


def start_hand(table: Table, command: cmd.StartHand, deal_order: bytes) -> Decided:
    """Deal the next hand, where the table is open and two or more seats can be dealt in (R-T18).

    Nothing but SatOut happens where players who avoid their blinds leave fewer than two.
    """
    if table.hand is not None:
        return Rejected("HAND_IN_PROGRESS")
    if table.carried.state is not tev.TableState.OPEN:
        return Rejected("TABLE_NOT_OPEN")
    happened: list[ev.Event] = []
    plan = _plan_without_avoiders(table, happened, command.now)
    if plan is None:
        return happened or Rejected("TOO_FEW_PLAYERS")
    if plan.missed_big or plan.missed_small:
        apply(table, happened, tev.BlindsMissed(plan.missed_big, plan.missed_small))
    if plan.button_passed:
        apply(table, happened, tev.ButtonPassed(plan.button_passed))
    started = ev.HandStarted(
        table.carried.hand_number + 1,
        plan.button_seat,
        plan.small_blind_seat,
        plan.big_blind_seat,
        plan.big_blind_seat,
        table.rules.big_blind,
        plan.seats,
        tuple([table.seats[number].stack for number in plan.seats]),
        tuple([table.seats[number].player_id for number in plan.seats]),
        command.roots,
        command.rules_digest,
        entropy.entropy_of(table.carried.coming, command.roots),
    )
    hand, dealt = play.start_hand(table.hand_rules, started, plan.posts, deal_order)
    begin_hand(table, hand, started)
    happened += dealt
    _carry_on(table, hand, happened, command.now)
    return happened


def _plan_without_avoiders(table: Table, happened: list[ev.Event], now: int) -> HandPlan | None:
    """The next hand, once those whose blind is due and who prefer to sit out do so."""
    while (plan := plan_hand(table)) is not None and (seats := avoiding_blinds(table, plan)):
        for number in seats:
            apply(table, happened, seating.goes_out(table, number, tev.SitOutReason.ASKED, now))
    return plan


def _act(table: Table, command: cmd.Act) -> Decided:
    hand = table.hand
    refused = _not_the_decision(table, command)
    if refused is not None or hand is None:
        return refused or Rejected("DECISION_STALE")
    number = hand.seats[hand.actor]
    if table.carried.seats[number].player_id != command.player_id:
        return _not_the_actor(table, hand, command.player_id, number)
    happened = play.act(hand, command.action)
    if isinstance(happened, Rejected):
        return happened
    after_action(table, play.action_of(happened))
    _carry_on(table, hand, happened, command.now)
    return happened


def _not_the_decision(table: Table, command: cmd.Act) -> Rejected | None:
    """Whether the decision named is made already, or was never asked for; the facts name the one that stands."""
    hand = table.hand
    named = (command.hand_number, command.action_sequence)
    if hand is None:
        known = command.hand_number <= table.carried.hand_number
        return Rejected("DECISION_STALE" if known else "DECISION_UNKNOWN")
    standing = (hand.number, hand.action_sequence)
    if named == standing:
        return None
    reason = "DECISION_UNKNOWN" if named > standing else "DECISION_STALE"
    return Rejected(reason, hand_number=hand.number, action_sequence=hand.action_sequence)


def _not_the_actor(table: Table, hand: Hand, player_id: str, actor_seat: int) -> Rejected:
    if table.seat_of(player_id) in hand.position_of:
        return Rejected("OUT_OF_TURN", actor_seat=actor_seat, action_sequence=hand.action_sequence)
    return Rejected("DECISION_NOT_YOURS", player_id=player_id)


def _time_out(table: Table, command: cmd.TimeOut) -> Decided:
    """Check where that is free, else fold, or stand pat (R-T15); nothing where the decision was made already."""
    hand = table.hand
    if hand is None or command.hand_number != hand.number or command.action_sequence != hand.action_sequence:
        return []
    happened: list[ev.Event] = []
    apply(table, happened, tev.TimedOut(hand.seats[hand.actor], hand.action_sequence))
    cause = ev.Cause.DISCONNECTED if command.disconnected else ev.Cause.TIME_OUT
    happened += _act_for(table, hand, unchosen_action(hand), cause)
    _carry_on(table, hand, happened, command.now)
    return happened


def _set_advance_action(table: Table, command: cmd.SetAdvanceAction) -> Decided:
    """What the player has said beforehand, done at once where it is the player's turn already (R-T16)."""
    noted = advance.set_advance_action(table, command)
    if isinstance(noted, Rejected):
        return noted
    happened: list[ev.Event] = []
    apply(table, happened, noted)
    if table.hand is not None:
        _carry_on(table, table.hand, happened, command.now)
    return happened


def _show_cards(table: Table, command: cmd.ShowCards) -> Decided:
    return showing.show_cards(table.ended, command)


def _cash_out(table: Table, command: cmd.CashOut) -> Decided:
    return _leave(table, command.player_id, command.now, "cash_out")


def _dismiss(table: Table, command: cmd.Dismiss) -> Decided:
    return _leave(table, command.player_id, command.now, "dismiss")


def _remove(table: Table, command: cmd.RemovePlayer) -> Decided:
    removed = resolving.not_at_the_table(table, command)
    return _leave(table, command.player_id, command.now, "remove") if removed is None else removed


def _leave(table: Table, player_id: str, now: int, how: Literal["cash_out", "dismiss", "remove"]) -> Decided:
    """Leave after the hand the player is in, or at once (R-T11)."""
    number = table.seat_of(player_id)
    if not number:
        return Rejected("PLAYER_NOT_SEATED")
    seat = table.seats[number]
    if not seat.bought_in:
        return Rejected("SEAT_NOT_BOUGHT_IN", seat_number=number)
    happened: list[ev.Event] = []
    if table.hand is None or not table.in_hand(number):
        leaving.free_seat(table, happened, number, leaving.REASONS[how], now)
        return happened
    if seat.acted_for or (seat.leaving and how == "cash_out"):
        return Rejected("PLAYER_LEAVING", seat_number=number)
    apply(table, happened, tev.LeaveRequested(number, how != "cash_out", how == "remove"))
    _carry_on(table, table.hand, happened, now)
    return happened


def _pause(table: Table, _: cmd.PauseTable) -> Decided:
    if table.carried.state is not tev.TableState.OPEN:
        return Rejected(f"TABLE_{table.carried.state.name}", table_id=table.table_id)
    return [tev.TablePaused()]


def _resume(table: Table, _: cmd.ResumeTable) -> Decided:
    if table.carried.state is not tev.TableState.PAUSED:
        return Rejected("TABLE_NOT_PAUSED", table_id=table.table_id)
    return [tev.TableResumed()]


def _carry_on(table: Table, hand: Hand, happened: list[ev.Event], now: int) -> None:
    """Act for those who were dismissed or have said beforehand what to do; clear the table after the hand."""
    while hand.actor != NOBODY:
        seat = table.seats[hand.seats[hand.actor]]
        if seat.acted_for:
            happened += _act_for(table, hand, unchosen_action(hand), ev.Cause.DISMISSED)
        elif seat.advance is not None and (action := advance.due(hand, seat)) is not None:
            happened += _act_for(table, hand, action, ev.Cause.ADVANCE)
        else:
            break
    if hand.ended:
        last = happened[-1]
        if not isinstance(last, ev.HandEnded):
            raise InvariantViolation(f"hand {hand.number} ended without saying so")
        end_hand(table, last)
        if table.rules.show_window_ms:
            table.ended = showing.ended_hand(hand, now + table.rules.show_window_ms * NS_PER_MS)
        leaving.clear(table, happened, now)


def _act_for(table: Table, hand: Hand, action: Action, cause: ev.Cause) -> list[ev.Event]:
    happened = play.act(hand, action, cause)
    if isinstance(happened, Rejected):
        raise InvariantViolation(f"{happened} where {action} is legal")
    after_action(table, play.action_of(happened))
    return happened


_DECIDE: dict[type, Callable[[Table, Any], Decided]] = {
    cmd.ReserveSeat: joining.reserve_seat,
    cmd.ReleaseSeat: joining.release_seat,
    cmd.ExpireReservation: joining.expire_reservation,
    cmd.RequestBuyIn: seating.request_buy_in,
    cmd.RequestRebuy: seating.request_rebuy,
    cmd.AcceptTransfer: seating.accept_transfer,
    cmd.ConfirmPost: seating.confirm_post,
    cmd.VoidTransfer: seating.void_transfer,
    cmd.ConfirmPayout: seating.confirm_payout,
    cmd.SitOut: seating.sit_out,
    cmd.SitIn: seating.sit_in,
    cmd.SetPreferences: advance.set_preferences,
    cmd.ShowCards: _show_cards,
    cmd.JoinWaitingList: waiting.join_waiting_list,
    cmd.LeaveWaitingList: waiting.leave_waiting_list,
    cmd.ExpireOffer: waiting.expire_offer,
    cmd.CommitEntropy: sharing.commit_entropy,
    cmd.CommitDeck: sharing.commit_deck,
    cmd.RevealEntropy: sharing.reveal_entropy,
    cmd.OpenDeck: sharing.open_deck,
    cmd.PauseTable: _pause,
    cmd.ResumeTable: _resume,
}

_RUN: dict[type, Callable[[Table, Any], Decided]] = {
    cmd.Act: _act,
    cmd.TimeOut: _time_out,
    cmd.SetAdvanceAction: _set_advance_action,
    cmd.CashOut: _cash_out,
    cmd.Dismiss: _dismiss,
    cmd.ExpireKeptSeat: leaving.expire_kept_seat,
    cmd.RefuseTransfer: leaving.refuse_transfer,
    cmd.CloseTable: leaving.close_table,
    cmd.ResolveTable: resolving.resolve_table,
    cmd.RemovePlayer: _remove,
}
