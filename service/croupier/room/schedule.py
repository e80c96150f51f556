"""What is due at one table, and when: time-outs, seats that free themselves, hands that start by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from weakref import proxy

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.hand import NOBODY
from croupier.engine.rotation import ready
from croupier.engine.seating import pending_to
from croupier.numbers import NS_PER_MS
from croupier.room.clock import Alarm
from croupier.room.failures import Refusal, StoreAway, TableHalted
from croupier.room.reach import Reached
from croupier.room.services import Services

if TYPE_CHECKING:
    from croupier.room.actor import TableActor

RETRY_NS: Final = 500 * NS_PER_MS
_SOON_NS: Final = 20 * NS_PER_MS


class Schedule:
    """Wakes one actor, which has it and is not kept by it, and puts to it whatever is due by then."""

    def __init__(self, services: Services, actor: TableActor) -> None:
        self._services = services
        self._runtime = services.runtime
        self._actor: TableActor = proxy(actor)
        self._alarm = Alarm(services.runtime, self.rang)
        self._draining = False
        self._next_hand_at = 0
        self._not_over_before = 0
        actor.clock.on_gone = self._somebody_is_gone

    def carry_on(self) -> None:
        """Start the hands that are due now, and wake again when something else is (R-T18)."""
        actor = self._actor
        while self._hand_can_start():
            now = self._runtime.now()
            if not self._next_hand_at:
                self._next_hand_at = now + actor.table.rules.hand_pause_ms * NS_PER_MS
            actor.commit_deck()
            if actor.halted:
                return
            if self._next_hand_at > now or actor.busy():
                break
            self._next_hand_at = 0
            actor.start_hand(now)
        due = self._due()
        if due:
            self._alarm.set(due)

    def wake_by(self, when: int) -> None:
        """Ring at `when` at the latest."""
        self._alarm.set(when)

    def rest(self) -> None:
        """Do what is due, but not at once."""
        self._alarm.stop()
        self._alarm.set(self._runtime.now() + RETRY_NS)

    def stop(self) -> None:
        """Ring no more, and remember no cards."""
        self._alarm.stop()
        self._actor.table.ended = None

    def drain(self) -> None:
        """Start no more hands."""
        self._draining = True

    def time_again(self) -> None:
        """Give whoever has to act the whole time again (R-T15)."""
        actor = self._actor
        actor.clock.restart()
        if actor.clock.follow(actor.table, self._runtime.now()):
            self._alarm.set(max(actor.clock.deadline, self._not_over_before))
            actor.tell_standing()

    def _somebody_is_gone(self) -> None:
        """Act at once for whoever must act, has timed out and watches no longer (R-T15), unless we ended the stream."""
        actor = self._actor
        hand, clock, now = actor.table.hand, actor.clock, self._runtime.now()
        if actor.watchers.ended or hand is None or hand.actor == NOBODY or clock.ends <= now:
            return
        number = hand.seats[hand.actor]
        if clock.disconnected(actor.table, number):
            clock.end(actor.table.carried.seats[number].player_id, now)
            self._alarm.set(max(now, self._not_over_before))

    def _time_is_over(self, now: int) -> bool:
        """Not where callers may not have got here: then the time is given again, once that is known."""
        reach = self._services.reach
        if reach is None:
            return True
        reached = reach.at(self._actor.clock.ends)
        if reached is Reached.NO:
            self._not_over_before = now + RETRY_NS  # who is gone has no time, which would be over at once
            self.time_again()
        elif reached is Reached.UNKNOWN:
            self._not_over_before = now + _SOON_NS
        return reached is Reached.YES

    def restart(self) -> None:
        """The pause before the next hand begins anew."""
        self._next_hand_at = 0

    def _hand_can_start(self) -> bool:
        actor = self._actor
        if actor.table.hand is not None or actor.halted or self._draining:
            self._next_hand_at = 0
            return False
        if actor.table.carried.state is not tev.TableState.OPEN or ready(actor.table) < 2:
            self._next_hand_at = 0
            return False
        return True

    def _due(self) -> int:
        """When something is next to be done, 0 for never."""
        table = self._actor.table
        ends = self._actor.clock.ends
        times = [ends and max(ends, self._not_over_before), self._next_hand_at]
        kept = table.rules.seat_kept_ms * NS_PER_MS
        for number, seat in table.seats.items():
            if seat.reserved_until and not pending_to(table, number):
                times.append(seat.reserved_until)
            if seat.sitting_out:
                times.append(seat.sitting_out_since + kept)
        times += [one.until for one in table.carried.waiting]
        if table.ended is not None:
            times.append(table.ended.until)
        return min((time for time in times if time), default=0)

    def rang(self) -> None:
        """Do what is due, then wake again for the next."""
        actor = self._actor
        if actor.halted or actor.table.carried.state is tev.TableState.CLOSED:
            return
        now = self._runtime.now()
        if actor.unsettled():
            self._alarm.set(now + 10 * NS_PER_MS)
            return
        try:
            self._do_due(now)
        except (Refusal, StoreAway, TableHalted) as failure:
            self._services.observer.clock_failed(actor.table_id, failure)
        due = self._due()
        if due:
            self._alarm.set(due if due > now else now + RETRY_NS)

    def _do_due(self, now: int) -> None:
        actor = self._actor
        hand, clock = actor.table.hand, actor.clock
        if clock.overslept(now):
            self.time_again()
        elif hand is not None and 0 < clock.ends <= now and self._time_is_over(now):
            gone = clock.disconnected(actor.table, hand.seats[hand.actor])
            actor.run(cmd.TimeOut(hand.number, hand.action_sequence, now, gone))
        for number, seat in list(actor.table.seats.items()):
            if seat.reserved_until:
                actor.run(cmd.ExpireReservation(number, now))
            elif seat.sitting_out:
                actor.run(cmd.ExpireKeptSeat(number, now))
        if actor.table.ended is not None and actor.table.ended.until <= now:
            actor.table.ended = None
        for one in list(actor.table.carried.waiting):
            if one.seat:
                actor.run(cmd.ExpireOffer(one.player_id, now))
        self.carry_on()
