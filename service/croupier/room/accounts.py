"""Names of the ledger's accounts: how they are written and read. What moves between them is not decided here.

A name is a kind and one or two parts, joined by "/". Ids come from callers and may hold any character, so
"%" and "/" inside a part are written "%25" and "%2F": no two accounts share a name, whatever the ids.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

DEPOSITS: Final = "world/deposits"
WITHDRAWALS: Final = "world/withdrawals"
ADJUSTMENTS: Final = "adjustment/balance"
"""Where operators' corrections of wallets come from and go to; may be below zero."""

_UNGUARDED: Final = ("world/", "adjustment/")
_PLAYER_PARTS: Final = {"wallet": 1, "stack": 2}


def wallet(player_id: str) -> str:
    """What a player holds away from the tables."""
    return f"wallet/{_part(player_id)}"


def outside(player_id: str) -> str:
    """What a player has taken to tables from a wallet kept elsewhere, below zero, and brought back to it."""
    return f"world/wallet/{_part(player_id)}"


def reserved(transfer_id: str) -> str:
    """Chips on their way between a wallet and a table."""
    return f"reserved/{_part(transfer_id)}"


def stack(table_id: str, player_id: str) -> str:
    """A player's chips at a table; bets of a running hand are still in it."""
    return f"stack/{_part(table_id)}/{_part(player_id)}"


def rake(house_id: str) -> str:
    return f"rake/{_part(house_id)}"


def guarded(account: str) -> bool:
    """Whether the account may never go below zero."""
    return not account.startswith(_UNGUARDED)


def player_of(account: str) -> str | None:
    """The player whose wallet, in the ledger or outside, or stack this is; None for every other account."""
    kind, *parts = parts_of(account)
    if kind == "world":
        return parts[1] if len(parts) == 2 and parts[0] == "wallet" else None
    return parts[-1] if len(parts) == _PLAYER_PARTS.get(kind) else None


def owner_of(account: str, moved_with: Iterable[str]) -> str | None:
    """Whose account it is: what is reserved is the one player's that it is moved from or to."""
    if not account.startswith("reserved/"):
        return player_of(account)
    players = [player for other in moved_with if (player := player_of(other)) is not None]
    return players[0] if len(set(players)) == 1 else None


def parts_of(account: str) -> list[str]:
    """The account's kind, then the ids it was named for."""
    return [part.replace("%2F", "/").replace("%25", "%") for part in account.split("/")]


def _part(text: str) -> str:
    if not text:
        raise ValueError("an account's name has no empty part")
    return text.replace("%", "%25").replace("/", "%2F")
