"""Who is calling and what they may do; the only source of authority in the service."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

Role = Literal["backend", "player", "operator", "observer"]


class Principal(msgspec.Struct, frozen=True):
    """A caller. `scope` limits a backend to players whose id begins with it (empty: any player)."""

    id: str
    role: Role
    scope: str = ""

    def may_act_for(self, player_id: str) -> bool:
        """Whether the caller may act, and see cards, as the player."""
        if self.role == "backend":
            return player_id.startswith(self.scope)
        return self.role == "player" and player_id == self.id

    def may_run_tables(self) -> bool:
        """Whether the caller may create, pause, resume and close tables."""
        return self.role in ("backend", "operator")

    def may_move_money(self) -> bool:
        """Whether the caller may deposit and withdraw."""
        return self.role == "backend"


LOCAL: Final = Principal("local", "backend")
"""The caller where no credentials are configured: the service then listens on loopback alone."""

SERVICE: Final = Principal("croupier", "operator")
"""The service itself: clocks, hand starts, the cashier."""
