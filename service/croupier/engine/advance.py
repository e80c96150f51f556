"""What a player says before the turn comes: actions in advance (R-T16) and preferences. Nobody else hears of either."""

from __future__ import annotations

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.actions import CALL, CHECK, FOLD, Action
from croupier.engine.betting import legal_actions
from croupier.engine.hand import Hand
from croupier.engine.rejection import Rejected
from croupier.engine.table import Table
from croupier.engine.table_events import AdvanceKind


def set_preferences(table: Table, command: cmd.SetPreferences) -> list[ev.Event] | Rejected:
    """All preferences of a seated player; they take the place of those before."""
    number = table.seat_of(command.player_id)
    if not number:
        return Rejected("PLAYER_NOT_SEATED")
    sequence = table.seats[number].private_sequence + 1
    return [tev.PreferencesSet(number, command.player_id, command.preferences, sequence)]


def set_advance_action(table: Table, command: cmd.SetAdvanceAction) -> tev.AdvanceActionSet | Rejected:
    """Note what is to be done when the turn comes, or take that back.

    Where it is the player's turn already, what is noted is due at once.
    """
    refused = Rejected("ADVANCE_ACTION_NOT_ALLOWED", hand_number=command.hand_number)
    hand = table.hand
    number = table.seat_of(command.player_id)
    if hand is None or hand.number != command.hand_number or number not in hand.position_of:
        return refused
    seat = table.seats[number]
    if not hand.can_act[hand.position_of[number]] or seat.acted_for:
        return refused
    if command.action is not None and not _can_answer(hand, number, command.action):
        return refused
    return tev.AdvanceActionSet(number, command.player_id, command.action, seat.private_sequence + 1)


def _can_answer(hand: Hand, number: int, action: tev.AdvanceAction) -> bool:
    """Whether the action may come to be done as the hand stands."""
    if hand.drawing:
        return action.kind is AdvanceKind.CHECK_FOLD
    if hand.actor == hand.position_of[number]:
        return _comes_to(hand, number, action) is not None
    if action.kind is AdvanceKind.CHECK and not hand.price and not hand.rules.opening_checks:
        return False
    return not _void(hand, number, action)


def standing(hand: Hand, number: int, seat: tev.Seat) -> tev.AdvanceAction | None:
    """What the player at the seat has said to do at the next turn; None where that is void by now.

    All but check-or-fold end with the street they were chosen on; check-or-fold, with the hand.
    """
    action = seat.advance
    if action is None or not hand.can_act[hand.position_of[number]]:
        return None
    if action.kind is not AdvanceKind.CHECK_FOLD and seat.advance_street != hand.street:
        return None
    return None if _void(hand, number, action) else action


def due(hand: Hand, seat: tev.Seat) -> Action | None:
    """What the actor, at `seat`, has said to do now, where that is legal. Cards are never exchanged so."""
    number = hand.seats[hand.actor]
    action = standing(hand, number, seat)
    if action is None or hand.drawing:
        return None
    return _comes_to(hand, number, action)


def _void(hand: Hand, number: int, action: tev.AdvanceAction) -> bool:
    """Whether a check has something to call by now, or a call another amount."""
    if action.kind is AdvanceKind.CHECK:
        return bool(_owed(hand, number))
    return action.kind is AdvanceKind.CALL and _owed(hand, number) != action.call_amount


def _owed(hand: Hand, number: int) -> int:
    """What a call would add, were it the seat's turn."""
    position = hand.position_of[number]
    return max(0, min(hand.stack[position], hand.price - hand.street_bet[position]))


def _comes_to(hand: Hand, number: int, action: tev.AdvanceAction) -> Action | None:
    """The action of the actor, at seat `number`; None where it is not legal."""
    if _void(hand, number, action):
        return None
    legal = legal_actions(hand)
    if legal.can_check and action.kind is not AdvanceKind.CALL:
        return CHECK
    if action.kind is AdvanceKind.CHECK_FOLD:
        return FOLD if legal.can_fold else None
    if action.kind is AdvanceKind.CHECK:
        return None
    return CALL if legal.call_amount else None
