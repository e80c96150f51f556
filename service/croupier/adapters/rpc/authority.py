"""What a caller may say and read, told as a refusal where it may not. The Principal decides; this says so.

Which RPCs a role may call at all is access.py's.
"""

from __future__ import annotations

from croupier.adapters.rpc import checks
from croupier.room.failures import Refusal
from croupier.room.principal import Principal


def must_act_for(principal: Principal, player_id: str) -> None:
    """Raises Refusal CALLER_NOT_ALLOWED unless the caller may act, and see cards, as the player."""
    if not principal.may_act_for(player_id):
        raise not_allowed(principal, player_id)


def must_know_balance_of(principal: Principal, player_id: str) -> None:
    """Raises Refusal CALLER_NOT_ALLOWED unless the caller may read what the player has."""
    if not principal.may_know_balance_of(player_id):
        raise not_allowed(principal, player_id)


def scene_of(principal: Principal, field: str, told: str) -> str:
    """Where the caller says that a viewer is; empty where it does not.

    Raises Refusal FIELD_NOT_ALLOWED where a player says other than the credential.
    """
    scene = checks.optional_text(field, told)
    if scene and principal.role == "player" and scene != principal.scene:
        raise Refusal("FIELD_NOT_ALLOWED", field=field)
    return scene


def not_allowed(principal: Principal, player_id: str) -> Refusal:
    """The caller does not speak for the player."""
    return Refusal("CALLER_NOT_ALLOWED", role=principal.role, player_id=player_id)
