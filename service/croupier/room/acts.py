"""The accepted actions of a table's last two hands, so that a repeated request gets its first answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from croupier.engine import commands as cmd
from croupier.engine.actions import Action
from croupier.room.commit import Commit
from croupier.room.exchange import Discard, by_cards
from croupier.room.failures import Refusal
from croupier.room.ports import Record
from croupier.room.seal import Seal
from croupier.room.views import DecisionView

RequestName = tuple[str, str]
"""Principal and request_id."""


class Acted:
    """An accepted action as its answer needs it: the event it came to, and the decision that stood after it."""

    __slots__ = ("action", "asks", "commit", "decision", "event", "player_id", "request", "sequence")

    def __init__(
        self, request: RequestName, player_id: str, action: Action | Discard | None, event: Any, sequence: int
    ) -> None:
        self.request = request
        self.player_id = player_id
        self.action = action
        """None for a draw that can only be told by its request: the hand's key is gone."""
        self.event = event
        self.sequence = sequence
        self.decision: DecisionView | None = None
        self.commit: Commit | None = None
        """What the answer waits for; None where it was read from the journal."""
        self.asks: Commit | None = None
        """What `decision` arose from."""

    def durable(self) -> None:
        """The decision has its time from when it can be told (R-T15)."""
        asks, followed = self.asks, self.decision
        if asks is not None and followed is not None and asks.deadline > followed.deadline:
            self.decision = msgspec.structs.replace(followed, deadline=asks.deadline)

    def again(self, player_id: str, action: Action | Discard, standing: DecisionView | None) -> Acted:
        """The answer to the same request made again: the decision that followed is named while it stands.

        Raises Refusal REQUEST_ID_REUSED where another player or action is named.
        """
        if self.player_id != player_id or self.action not in (action, None):
            raise Refusal("REQUEST_ID_REUSED", request_id=self.request[1])
        same = Acted(self.request, player_id, action, self.event, self.sequence)
        same.commit, same.asks = self.commit, self.asks
        followed = self.decision
        if followed is not None and standing is not None:
            now = (standing.hand_number, standing.action_sequence)
            same.decision = standing if now == (followed.hand_number, followed.action_sequence) else None
        return same


def acted_of(record: Record, command: cmd.Act, event: Any, seal: Seal) -> Acted:
    """A journaled action; `event` is what it came to."""
    request = (record.principal, record.request_id)
    return Acted(request, command.player_id, by_cards(record, command, seal), event, record.sequence)


class Acts:
    """Found by hand number and action_sequence, the lasting key of an action."""

    __slots__ = ("_by_decision", "_by_request", "since")

    def __init__(self) -> None:
        self.since = 1
        """The first hand all of whose actions are known here."""
        self._by_decision: dict[tuple[int, int], Acted] = {}
        self._by_request: dict[RequestName, tuple[int, int]] = {}

    def repeated(
        self,
        request: RequestName,
        decision: tuple[int, int],
        player_id: str,
        action: Action | Discard,
        standing: Callable[[], DecisionView | None],
    ) -> Acted | None:
        """The first answer to a request that is made again; None for a new one, and for one of a hand forgotten here.

        Raises Refusal REQUEST_ID_REUSED where the request's name stands for something else.
        """
        known = self._by_request.get(request)
        if known is None or decision[0] < self.since:
            return None
        if known != decision:
            raise Refusal("REQUEST_ID_REUSED", request_id=request[1])
        return self._by_decision[known].again(player_id, action, standing())

    def keep(self, decision: tuple[int, int], acted: Acted) -> None:
        """Remember an action; those of hands before the last one are forgotten."""
        number = decision[0]
        if self._by_decision and next(iter(self._by_decision))[0] < number - 1:
            self.since = max(self.since, number - 1)
            for old in [known for known in self._by_decision if known[0] < number - 1]:
                del self._by_request[self._by_decision.pop(old).request]
        self._by_decision[decision] = acted
        self._by_request[acted.request] = decision
