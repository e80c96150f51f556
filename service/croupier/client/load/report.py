"""What a run came to: rates, latencies, what happened second by second, and every wrong answer."""

from __future__ import annotations

from typing import Any, NamedTuple

from croupier.client.load.conditions import Conditions
from croupier.client.load.histogram import Latency
from croupier.client.load.history.check import Checked
from croupier.client.load.tally import Tally
from croupier.client.load.timing import Point


class Report(NamedTuple):
    """Rates are of the `seconds` of the steady phase; `acknowledged` counts all actions, before and after it too.

    `latency` is by method, of what was due in the steady phase: of the action first, as "Act" or "Play", from when it
    was due by the schedule, or from its sending where there is no schedule; of other calls from their sending.
    `from_sending` is of actions from their sending. Of the actions that were `due` by the schedule in the steady phase
    `unserved` were never sent, since no table could take them before the end: their latency is the time until then; and
    `unmeasured` have none, being late or without an answer. `interrupted` runs were ended before they were over.
    `request_prefix` begins the request_id of every action. Message sizes are means in bytes. Of the `probes` so many as
    `probes_failed` were not answered as they must be. `operations` are those recorded and held against the history, of
    `operations_unknown` no answer came. `repeated` tries were not answered and made again, streams among them, for
    `away` of which there was no server. `unanswered` calls were given up then, counted by what came instead;
    `unchecked` is what could not be read back, `denial` why the credential was refused before the end.
    """

    conditions: Conditions
    interrupted: bool
    seconds: float
    acts: int
    hands: int
    acts_per_second: float
    hands_per_second: float
    latency: dict[str, Latency]
    from_sending: Latency
    points: list[Point]
    due: int
    unserved: int
    unmeasured: int
    acknowledged: int
    request_prefix: str
    other_calls: int
    probes: int
    probes_failed: int
    late: int
    repeated: int
    away: int
    unanswered: dict[str, int]
    unchecked: list[str]
    denial: str
    watch_messages: int
    watch_events: int
    messages_per_act: float
    watchers_cut_off: int
    request_bytes: float
    response_bytes: float
    message_bytes: float
    ledger_entries: int
    rake: int
    operations: int
    operations_unknown: int
    history_events: int
    watched_sequences: int
    wrong: list[str]

    @property
    def outage(self) -> bool:
        """Whether there was no server for longer than the run had patience."""
        impatient = not self.conditions.plan["patience"]
        return bool(self.unanswered or self.unchecked or (self.away and impatient))

    @property
    def judgement(self) -> str:
        """Whether the server answered rightly, in words."""
        if self.wrong:
            return f"{len(self.wrong)} wrong answers"
        if self.denial:
            return f"every answer was right, until the credential was refused ({self.denial})"
        if self.outage:
            return "every answer was right, but there was no server at times"
        return "every answer was right"

    @property
    def of_acts(self) -> Latency:
        """What an objective is about."""
        return next(iter(self.latency.values()))

    def as_json(self) -> dict[str, Any]:
        return {
            **self._asdict(),
            "conditions": self.conditions._asdict(),
            "latency": {method: latency._asdict() for method, latency in self.latency.items()},
            "from_sending": self.from_sending._asdict(),
            "points": [point._asdict() for point in self.points],
        }


class Mark(NamedTuple):
    """Where the counts stood at a moment, in nanoseconds of the monotonic clock."""

    time: int
    acts: int
    hands: int
    messages: int


def mark(tally: Tally, time: int) -> Mark:
    return Mark(time, tally.acts, tally.hands, tally.messages)


class Proved(NamedTuple):
    """What was read back after the run; `checked` is None where the history could not be."""

    ledger_entries: int
    rake: int
    checked: Checked | None


def report(
    tally: Tally,
    begin: Mark,
    end: Mark,
    conditions: Conditions,
    proved: Proved,
    *,
    request_prefix: str,
    interrupted: bool,
) -> Report:
    """Measured from `begin` to `end`; wrong answers are of the whole run."""
    seconds = (end.time - begin.time) / 1e9
    acts, hands = end.acts - begin.acts, end.hands - begin.hands
    messages = end.messages - begin.messages
    timing, checked = tally.timing, proved.checked
    method = conditions.plan["via"].capitalize()
    measured = timing.acts.latency()
    others = {name: timing.others[name].latency() for name in sorted(timing.others)}
    return Report(
        conditions=conditions,
        interrupted=interrupted,
        seconds=seconds,
        acts=acts,
        hands=hands,
        acts_per_second=acts / seconds if seconds else 0.0,
        hands_per_second=hands / seconds if seconds else 0.0,
        latency={method: measured, **others},
        from_sending=timing.from_sending.latency(),
        points=timing.points,
        due=timing.due_count,
        unserved=timing.unserved_count,
        unmeasured=timing.due_count - measured.calls if timing.due_count else 0,
        acknowledged=tally.acts,
        request_prefix=request_prefix,
        other_calls=tally.other_calls,
        probes=tally.probes,
        probes_failed=tally.probes_failed,
        late=tally.late,
        repeated=tally.repeated,
        away=tally.away,
        unanswered=dict(tally.unanswered),
        unchecked=list(tally.unchecked),
        denial=tally.denial,
        watch_messages=messages,
        watch_events=tally.events,
        messages_per_act=messages / acts if acts else 0.0,
        watchers_cut_off=tally.cut_off,
        request_bytes=tally.request_sizes.mean,
        response_bytes=tally.response_sizes.mean,
        message_bytes=tally.message_sizes.mean,
        ledger_entries=proved.ledger_entries,
        rake=proved.rake,
        operations=checked.operations if checked else 0,
        operations_unknown=checked.unknown if checked else 0,
        history_events=checked.events if checked else 0,
        watched_sequences=checked.watched if checked else 0,
        wrong=list(tally.wrong),
    )
