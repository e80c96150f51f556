"""Which role may call which RPC: the one table. What a caller may say for whom, room/principal.py says.

Every RPC that the server serves has a row; a server without one does not start. Where no credentials are configured,
there are no roles: whoever reaches the server, on loopback alone, may call everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from croupier.room.principal import Role

Roles = frozenset[Role]

_EVERYONE: Final[Roles] = frozenset(get_args(Role))
_PLAYING: Final[Roles] = frozenset(("backend", "player"))
_RUNNING: Final[Roles] = frozenset(("backend", "operator"))
_BANKING: Final[Roles] = frozenset(("backend",))
_OPERATING: Final[Roles] = frozenset(("operator",))
_BOOKS: Final[Roles] = frozenset(("backend", "operator", "auditor"))
_NOT_PLAYERS: Final[Roles] = _EVERYONE - {"player"}

ACCESS: Final[Mapping[str, Mapping[str, Roles]]] = {
    "TableService": {
        "ListHouses": _EVERYONE,
        "CreateTable": _RUNNING,
        "GetTable": _EVERYONE,
        "ListTables": _EVERYONE,
        "WatchTable": _EVERYONE,
        "PauseTable": _RUNNING,
        "ResumeTable": _RUNNING,
        "CloseTable": _RUNNING,
        "GetServerInfo": _EVERYONE,
    },
    "SeatService": {
        "ReserveSeat": _PLAYING,
        "ReleaseSeat": _PLAYING,
        "BuyIn": _PLAYING,
        "Rebuy": _PLAYING,
        "CashOut": _PLAYING,
        "Dismiss": _PLAYING,
        "SitOut": _PLAYING,
        "SitIn": _PLAYING,
        "SetPreferences": _PLAYING,
        "JoinWaitingList": _PLAYING,
        "LeaveWaitingList": _PLAYING,
    },
    "BettingService": {
        "Act": _PLAYING,
        "SetAdvanceAction": _PLAYING,
        "ShowCards": _PLAYING,
        "CommitEntropy": _PLAYING,
        "RevealEntropy": _PLAYING,
        "GetLegalActions": _PLAYING,
    },
    "PlayService": {"Play": _PLAYING},
    "SettlementService": {
        "Deposit": _BANKING,
        "Withdraw": _BANKING,
        "GetBalance": _BOOKS | {"player"},
        "ListEntries": _BOOKS,
        "GetHand": _EVERYONE,
        "ListHands": _EVERYONE,
        "ExportHand": _EVERYONE,
        "VerifyHand": _EVERYONE,
    },
    "OperatorService": {
        "ResolveTable": _OPERATING,
        "RemovePlayer": _OPERATING,
        "BlockPlayer": _OPERATING,
        "UnblockPlayer": _OPERATING,
        "AdjustBalance": _OPERATING,
        "ListOperations": _OPERATING | {"auditor"},
    },
    # Players at a table are not to be told by the house how they stand.
    "EvaluationService": {
        "EvaluateHands": _EVERYONE,
        "CalculateEquity": _NOT_PLAYERS,
    },
}
"""Roles by service and method."""


def roles_of(service: str, method: str) -> Roles:
    """The roles that may call an RPC; `service` is the name without its package. Raises LookupError without a row."""
    roles = ACCESS.get(service, {}).get(method)
    if roles is None:
        raise LookupError(f"{service}.{method} has no row in access.py: who may call it?")
    return roles
