"""The accepted actions of a table's last two hands, so that a repeated request gets its first answer."""

from __future__ import annotations

from typing import Any

from croupier.engine.actions import Action
from croupier.room.commit import Commit
from croupier.room.failures import Refusal
from croupier.room.views import DecisionView

RequestName = tuple[str, str]
"""Principal and request_id."""


class Acted:
    """An accepted action as its answer needs it: the event it came to, and the decision that stood after it."""

    __slots__ = ("action", "commit", "decision", "event", "player_id", "request", "sequence")

    def __init__(
        self, request: RequestName, player_id: str, action: Action, event: Any, sequence: int
    ) -> None:
        self.request = request
        self.player_id = player_id
        self.action = action
        self.event = event
        self.sequence = sequence
        self.decision: DecisionView | None = None
        self.commit: Commit | None = None
        """What the answer waits for; None where it was read from the journal."""


class Acts:
    """Found by hand number and action_sequence, the lasting key of an action."""

    __slots__ = ("_by_decision", "_by_request")

    def __init__(self) -> None:
        self._by_decision: dict[tuple[int, int], Acted] = {}
        self._by_request: dict[RequestName, tuple[int, int]] = {}

    def repeated(
        self, request: RequestName, decision: tuple[int, int], player_id: str, action: Action
    ) -> Acted | None:
        """The first answer to a request that is made again, None for a new one.

        Raises Refusal REQUEST_ID_REUSED where the request's name stands for something else.
        """
        known = self._by_request.get(request)
        if known is None:
            return None
        acted = self._by_decision[known]
        if known == decision and acted.player_id == player_id and acted.action == action:
            return acted
        raise Refusal("REQUEST_ID_REUSED", request_id=request[1])

    def keep(self, decision: tuple[int, int], acted: Acted) -> None:
        """Remember an action; those of hands before the last one are forgotten."""
        number = decision[0]
        if self._by_decision and next(iter(self._by_decision))[0] < number - 1:
            for old in [known for known in self._by_decision if known[0] < number - 1]:
                del self._by_request[self._by_decision.pop(old).request]
        self._by_decision[decision] = acted
        self._by_request[acted.request] = decision

    def clear(self) -> None:
        """Forget everything."""
        self._by_decision.clear()
        self._by_request.clear()

    def ask_again(self, decision: DecisionView | None) -> None:
        """After a restart every answer names the decision that stands, with its new time."""
        for acted in self._by_decision.values():
            if acted.decision is not None:
                acted.decision = decision
