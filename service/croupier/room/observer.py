"""What the room tells whoever measures it; the metrics adapter implements this, tests count with it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from croupier.engine.table_rules import TableRules


class HandFigures(NamedTuple):
    """What a settled hand came to: chips of all pots before rake, seconds from deal to end and from end to disk.

    `seconds` is None where the deal was before a restart.
    """

    pot: int
    rake: int
    showdown: bool
    seconds: float | None
    lag: float


class Observer(Protocol):
    """Measurements, cheap to take: called on the path of an action."""

    def acted(self, action: str, cause: str) -> None:
        """An action was accepted; `cause` says who made it."""
        ...

    def timed_out(self) -> None:
        """The time of a decision ran out."""
        ...

    def answered(self, seconds: float) -> None:
        """Time from receiving an action to its answer being free to go."""
        ...

    def published(self, seconds: float) -> None:
        """Time from a record being made to its events being handed to the watchers."""
        ...

    def hand_ended(self, rules: TableRules, figures: HandFigures) -> None:
        """A hand was settled and is durable."""
        ...

    def hand_voided(self, rules: TableRules) -> None:
        """A hand was voided by an operator, which is durable."""
        ...

    def rejected(self, reason: str) -> None:
        """A command was refused by the rules."""
        ...

    def table_halted(self, table_id: str, violation: Exception) -> None:
        """A table's invariants broke; it stands still until an operator resolves it."""
        ...

    def follower_failed(self, table_id: str, failure: Exception) -> None:
        """A table that another server plays can be followed no longer; whoever watches it is sent elsewhere."""
        ...

    def commit_failed(self, table_id: str, why: str) -> None:
        """A record did not become durable; the table is rebuilt from its journal."""
        ...

    def store_failed(self, failure: Exception) -> None:
        """The store could not be asked; it will be asked again."""
        ...

    def hands_left_out(self, table_id: str, why: Exception) -> None:
        """A table's journal is damaged: the index leaves out its hands from there on."""
        ...

    def clock_failed(self, table_id: str, failure: Exception) -> None:
        """What was due at a table could not be done; it will be tried again."""
        ...

    def watcher_cut_off(self) -> None:
        """A slow watcher's stream was ended."""
        ...
