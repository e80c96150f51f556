"""Why the writer does not write a unit: raised by what checks it, turned into an outcome by the writer."""

from __future__ import annotations

from croupier.room.ports import RequestRecord


class Unfit(Exception):
    """Raised when a unit contradicts what is stored; the text says how."""


class Elsewhere(Unfit):
    """Raised when a unit's table is another server's, or has been in between."""


class Answered(Unfit):
    """Raised when a unit's request has its answer already, as after a crash a step that was done before."""

    def __init__(self, request: RequestRecord) -> None:
        super().__init__(
            f"request {request.request_id!r} of {request.principal!r} to {request.method} is answered"
        )


class Moved(Unfit):
    """Raised when what a request moves was moved before, though it has no answer: a row of the store is lost."""

    def __init__(self, request: RequestRecord) -> None:
        super().__init__(
            f"what request {request.request_id!r} of {request.principal!r} to {request.method} moves was moved before"
        )


class Overdrawn(Exception):
    """Raised when a set would take `account`, which holds `available`, below zero."""

    def __init__(self, account: str, available: int) -> None:
        super().__init__(account, available)
        self.account = account
        self.available = available


class Conflict(Exception):
    """Raised when the file is not as the writer remembers it: someone else has written to it."""
