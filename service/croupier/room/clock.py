"""A table's time: how long a decision may take, and one alarm for whatever is due next (R-T15)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final
from weakref import WeakMethod

from croupier.engine.hand import NOBODY
from croupier.engine.table import Table
from croupier.numbers import NS_PER_MS
from croupier.room.ports import Runtime, Timer

MOST_LATE_NS: Final = 1_000 * NS_PER_MS
"""An alarm later than this means a stopped process or machine: nobody could have acted meanwhile."""
MOST_DELAY_NS: Final = 250 * NS_PER_MS
"""A decision told later than this after it arose gets the delay back."""
MOST_REMEMBERED: Final = 1000
"""Players known to have watched a table; past it, whoever watches no longer is forgotten."""


async def pause(runtime: Runtime, span: int) -> None:
    """Return after so many nanoseconds."""
    waiter = runtime.future()
    timer = runtime.call_at(runtime.now() + span, partial(waiter.set_result, None))
    try:
        await waiter
    finally:
        timer.cancel()


class Alarm:
    """One timer, moved forward only when something is due sooner: setting a later time costs nothing.

    It keeps nobody: whoever is to be rung may be gone by then.
    """

    __slots__ = ("_ring", "_runtime", "_timer", "_when")

    def __init__(self, runtime: Runtime, ring: Callable[[], None]) -> None:
        """`ring` is a method."""
        self._runtime = runtime
        self._ring = WeakMethod(ring)
        self._timer: Timer | None = None
        self._when = 0

    def set(self, when: int) -> None:
        """Ring at `when` at the latest."""
        if self._timer is not None:
            if self._when <= when:
                return
            self._timer.cancel()
        self._when = when
        self._timer = self._runtime.call_at(when, self._rang)

    def stop(self) -> None:
        """Do not ring."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _rang(self) -> None:
        self._timer = None
        ring = self._ring()
        if ring is not None:
            ring()


def _nothing() -> None:
    pass


class DecisionClock:
    """`deadline` of the decision that stands, 0 where there is none. Presence is what watching tells."""

    __slots__ = ("_decision", "_gone", "_streams", "deadline", "on_gone")

    def __init__(self) -> None:
        self.deadline = 0
        self.on_gone: Callable[[], None] = _nothing
        """Called as a player's last stream ends."""
        self._decision = (0, 0)
        self._gone: tuple[str, int] | None = None
        """Who must act and has no time left, and since when."""
        self._streams: dict[str, int] = {}

    @property
    def ends(self) -> int:
        """When the decision's time is over: at its deadline, or since whoever must act is gone; 0 where none stands."""
        return self.deadline if self._gone is None else min(self.deadline, self._gone[1])

    def follow(self, table: Table, now: int) -> bool:
        """Give a new decision its time from `now` on; whether there is a new one."""
        hand = table.hand
        if hand is None or hand.actor == NOBODY:
            self.deadline = 0
            self._gone = None
            return False
        decision = (hand.number, hand.action_sequence)
        if decision == self._decision:
            return False
        self._decision = decision
        self._gone = None
        self.deadline = now + self._span_ms(table, hand.seats[hand.actor]) * NS_PER_MS
        return True

    def _span_ms(self, table: Table, number: int) -> int:
        """Half the time after each time-out running, down to the shortest; none for the disconnected."""
        rules = table.rules
        time_outs = table.carried.seats[number].time_outs
        if not time_outs:
            return rules.action_time_ms
        if self.disconnected(table, number):
            return 0
        return max(rules.shortest_action_time_ms, rules.action_time_ms >> time_outs)

    def told_late(self, delay: int) -> bool:
        """The decision became known `delay` after it arose: the time lost to us is given back; whether there is any."""
        if not self.deadline or delay <= MOST_DELAY_NS:
            return False
        self.deadline += delay
        return True

    def overslept(self, now: int) -> bool:
        """Whether the deadline passed so long ago that the service itself was not running then."""
        return bool(self.deadline) and now - self.deadline > MOST_LATE_NS

    def restart(self) -> None:
        """Give whoever has to act the whole time again."""
        self._decision = (0, 0)

    def disconnected(self, table: Table, number: int) -> bool:
        """Whether a player who watched the table, and timed out, watches no longer."""
        seat = table.carried.seats[number]
        return bool(seat.time_outs) and self._streams.get(seat.player_id) == 0

    def end(self, player_id: str, now: int) -> None:
        """Whoever must act has no time left, unless they are back before they are acted for."""
        self._gone = (player_id, now)

    def connected(self, player_id: str) -> None:
        """A stream of the player's own view opened."""
        self._streams[player_id] = self._streams.get(player_id, 0) + 1
        if self._gone is not None and self._gone[0] == player_id:
            self._gone = None

    def left(self, player_id: str) -> None:
        """A stream of the player's own view ended."""
        self._streams[player_id] -= 1
        gone = not self._streams[player_id]
        if len(self._streams) > MOST_REMEMBERED:
            self._streams = {player: count for player, count in self._streams.items() if count}
        if gone:
            self.on_gone()
