"""Whether the caller's credential allows what a run needs, asked before it begins. Changes nothing."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

from croupier.client import Croupier
from croupier.client.errors import Refused


async def must_be_allowed(client: Croupier, run_id: str) -> None:
    """Raises ValueError for a credential that may not open tables and seat and act for the players of this run, which
    a backend's alone may, or not read the whole ledger, which one limited to some players or houses may not.
    """
    player_id = f"load-{run_id}-0-1"
    await _allowed(
        client.get_legal_actions("load", player_id), f"open tables and act for players such as {player_id}"
    )
    await _allowed(
        anext(client.list_entries(page_size=1), None),
        "read the whole ledger, which every result is held against at the end",
    )


async def _allowed(call: Awaitable[Any], what: str) -> None:
    try:
        await call
    except Refused as refusal:
        if refusal.reason == "CALLER_NOT_ALLOWED":
            role = refusal.facts.get("role", "")
            whose = f"this credential, of role {role}," if role else "this credential"
            raise ValueError(
                f"{whose} may not {what}: take a backend's that is limited to no players and no houses"
            ) from None
        if refusal.reason.startswith("CREDENTIALS_"):
            raise
