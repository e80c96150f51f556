"""Who is calling and what they may speak for; the only source of authority in the service."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

Role = Literal["backend", "player", "operator", "observer", "auditor"]


class Principal(msgspec.Struct, frozen=True):
    """A caller. `id` is who that is for journal, requests and limits: "local", "backend/shop", "player/anna".

    `player_id` is who a player is, `scene` where; empty for nowhere in particular. A backend's `players` are beginnings
    of player ids, its `houses` house ids; None is all of them, nothing in them is none.
    """

    id: str
    role: Role
    player_id: str = ""
    players: tuple[str, ...] | None = None
    houses: frozenset[str] | None = None
    scene: str = ""

    def may_act_for(self, player_id: str) -> bool:
        """Whether the caller may act, and see cards, as the player."""
        if self.role == "backend":
            return self.players is None or player_id.startswith(self.players)
        return self.role == "player" and player_id == self.player_id

    def may_know_balance_of(self, player_id: str) -> bool:
        """Whether the caller may read what the player has."""
        return self.role in ("operator", "auditor") or self.may_act_for(player_id)

    def may_know_house(self, house_id: str) -> bool:
        """Whether the house, its tables and their hands are any of the caller's business."""
        return self.houses is None or house_id in self.houses

    def may_vouch(self) -> bool:
        """Whether the service takes the caller's word for what a player is and has."""
        return self.role == "backend"

    def may_read_whole_ledger(self) -> bool:
        """Whether the caller may read entries of any player, table and house."""
        return self.role != "backend" or (self.players is None and self.houses is None)


LOCAL: Final = Principal("local", "backend")
"""The caller where no credentials are configured: the service then listens on loopback alone."""

SERVICE: Final = Principal("croupier", "operator")
"""The service itself: clocks, hand starts, the cashier."""
