"""What a caller may do, told as a refusal where it may not. The Principal decides; this says so."""

from __future__ import annotations

from croupier.room.failures import Refusal
from croupier.room.principal import Principal


def must_act_for(principal: Principal, player_id: str) -> None:
    """Raises Refusal CALLER_NOT_ALLOWED unless the caller may act, and see cards, as the player."""
    if not principal.may_act_for(player_id):
        raise Refusal("CALLER_NOT_ALLOWED", role=principal.role, player_id=player_id)


def must_run_tables(principal: Principal) -> None:
    """Raises Refusal CALLER_NOT_ALLOWED unless the caller may open, pause, resume and close tables."""
    if not principal.may_run_tables():
        raise Refusal("CALLER_NOT_ALLOWED", role=principal.role)


def must_move_money(principal: Principal) -> None:
    """Raises Refusal CALLER_NOT_ALLOWED unless the caller may deposit and withdraw."""
    if not principal.may_move_money():
        raise Refusal("CALLER_NOT_ALLOWED", role=principal.role)
