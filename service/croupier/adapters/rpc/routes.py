"""Which server carries out which RPC, where several share a store: the one table. Who may call it is access.py's.

Every RPC that the server serves has a row; a server without one does not start.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

Route = Literal["owner", "any", "view"]
"""The owner of the table that the request's table_id names; any, from the store; any, by what it follows of a table."""

ROUTES: Final[Mapping[str, Mapping[str, Route]]] = {
    "TableService": {
        "ListHouses": "any",
        "CreateTable": "any",
        "GetTable": "owner",
        "ListTables": "any",
        "WatchTable": "view",
        "PauseTable": "owner",
        "ResumeTable": "owner",
        "CloseTable": "owner",
        "GetServerInfo": "any",
    },
    "SeatService": {
        "ReserveSeat": "owner",
        "ReleaseSeat": "owner",
        "BuyIn": "owner",
        "Rebuy": "owner",
        "CashOut": "owner",
        "Dismiss": "owner",
        "SitOut": "owner",
        "SitIn": "owner",
        "SetPreferences": "owner",
        "JoinWaitingList": "owner",
        "LeaveWaitingList": "owner",
    },
    "BettingService": {
        "Act": "owner",
        "SetAdvanceAction": "owner",
        "ShowCards": "owner",
        "CommitEntropy": "owner",
        "RevealEntropy": "owner",
        "GetLegalActions": "owner",
    },
    # Its acts go to their tables' owners one by one.
    "PlayService": {"Play": "view"},
    "SettlementService": {
        "Deposit": "any",
        "Withdraw": "any",
        "GetBalance": "any",
        "ListEntries": "any",
        "GetHand": "any",
        "ListHands": "any",
        "ExportHand": "any",
        "VerifyHand": "any",
    },
    "OperatorService": {
        "ResolveTable": "owner",
        "RemovePlayer": "owner",
        "BlockPlayer": "any",
        "UnblockPlayer": "any",
        "AdjustBalance": "any",
        "ListOperations": "any",
    },
    "EvaluationService": {
        "EvaluateHands": "any",
        "CalculateEquity": "any",
    },
}
"""Routes by service and method."""


def route_of(service: str, method: str) -> Route:
    """Where an RPC goes; `service` is the name without its package. Raises LookupError without a row."""
    route = ROUTES.get(service, {}).get(method)
    if route is None:
        raise LookupError(f"{service}.{method} has no row in routes.py: which server carries it out?")
    return route
