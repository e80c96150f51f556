"""What a run came to: rates, latencies, and every wrong answer."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

from croupier.client.load.history.check import Checked
from croupier.client.load.tally import Tally


class Report(NamedTuple):
    """Rates are of the `seconds` measured; `acknowledged` counts all actions, before and after them too.

    Latencies are of Act, in milliseconds, as its caller saw them. `request_prefix` begins the request_id of
    every action. Message sizes are means in bytes. `operations` are those recorded and held against the history,
    of `operations_unknown` no answer came.
    """

    seconds: float
    acts: int
    hands: int
    acts_per_second: float
    hands_per_second: float
    p50_ms: float
    p99_ms: float
    p999_ms: float
    max_ms: float
    acknowledged: int
    request_prefix: str
    other_calls: int
    probes: int
    late: int
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

    def as_json(self) -> dict[str, Any]:
        return self._asdict()


class Mark(NamedTuple):
    """Where the counts stood at a moment, in seconds of the monotonic clock."""

    time: float
    acts: int
    hands: int
    messages: int


def mark(tally: Tally, time: float) -> Mark:
    return Mark(time, tally.acts, tally.hands, tally.messages)


def quantile(ordered: Sequence[int], share: float) -> int:
    """The value below which `share` of the ordered values lie; 0 of none."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0


def report(
    tally: Tally,
    begin: Mark,
    end: Mark,
    *,
    request_prefix: str,
    ledger_entries: int,
    rake: int,
    checked: Checked | None,
) -> Report:
    """Measured from `begin` to `end`; wrong answers are of the whole run."""
    seconds = end.time - begin.time
    measured = array("q", sorted(tally.latencies[begin.acts : end.acts]))
    acts, hands = end.acts - begin.acts, end.hands - begin.hands
    messages = end.messages - begin.messages
    return Report(
        seconds=seconds,
        acts=acts,
        hands=hands,
        acts_per_second=acts / seconds,
        hands_per_second=hands / seconds,
        p50_ms=quantile(measured, 0.5) / 1e6,
        p99_ms=quantile(measured, 0.99) / 1e6,
        p999_ms=quantile(measured, 0.999) / 1e6,
        max_ms=quantile(measured, 1.0) / 1e6,
        acknowledged=tally.acts,
        request_prefix=request_prefix,
        other_calls=tally.other_calls,
        probes=tally.probes,
        late=tally.late,
        watch_messages=messages,
        watch_events=tally.events,
        messages_per_act=messages / acts if acts else 0.0,
        watchers_cut_off=tally.cut_off,
        request_bytes=tally.request_sizes.mean,
        response_bytes=tally.response_sizes.mean,
        message_bytes=tally.message_sizes.mean,
        ledger_entries=ledger_entries,
        rake=rake,
        operations=checked.operations if checked else 0,
        operations_unknown=checked.unknown if checked else 0,
        history_events=checked.events if checked else 0,
        watched_sequences=checked.watched if checked else 0,
        wrong=list(tally.wrong),
    )
