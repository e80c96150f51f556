"""The results of `croupier load` for people, on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from croupier.cli.load_objectives import Judged
from croupier.client.load import Report

_MOST_SHOWN: Final = 20


def lines(report: Report, slo: Sequence[Judged]) -> Iterator[str]:
    plan = report.conditions.plan
    cut = ", interrupted" if report.interrupted else ""
    mix = ", ".join(plan["mix"])
    yield (
        f"{plan['tables']} tables of {plan['players_per_table']} players ({mix}), "
        f"{report.seconds:.1f} s at {plan['target']}{cut}"
    )
    yield f"  {report.hands_per_second:12,.1f} hands/s"
    yield f"  {report.acts_per_second:12,.1f} actions/s"
    yield from _latencies(report)
    if report.due:
        yield f"  {of_due(report)}"
    if report.watch_messages:
        told = f"{report.watch_messages:,} messages, {report.messages_per_act:.2f} for each action"
        yield f"  watchers: {told}, cut off {report.watchers_cut_off} times"
    yield f"  probes: {of_probes(report)}"
    if report.repeated:
        of_them = f", {report.away:,} of them for want of a server" if report.away else ""
        yield f"  repeated: {report.repeated:,} tries that were not answered{of_them}"
    if report.late:
        yield f"  late: {report.late} actions came after their time"
    yield f"  ledger: {report.ledger_entries:,} entries read, {report.rake:,} chips of rake from these tables"
    yield (
        f"  history: {report.operations:,} operations, {report.operations_unknown:,} of them without an answer, "
        f"held against {report.history_events:,} events, {report.watched_sequences:,} told to watchers"
    )
    yield from (str(one) for one in slo)
    yield from _outage(report)
    yield from (f"WRONG {what}" for what in report.wrong[:_MOST_SHOWN])
    more = len(report.wrong) - _MOST_SHOWN
    if more > 0:
        yield f"and {more} more wrong answers"
    yield report.judgement


def _outage(report: Report) -> Iterator[str]:
    if report.unanswered:
        codes = ", ".join(f"{count:,} {code}" for code, count in sorted(report.unanswered.items()))
        yield f"OUTAGE {sum(report.unanswered.values()):,} calls got no answer and were given up: {codes}"
    elif report.outage and report.away:
        yield f"OUTAGE {report.away:,} tries found no server"
    yield from (f"NOT CHECKED {what}" for what in report.unchecked[:_MOST_SHOWN])


def _latencies(report: Report) -> Iterator[str]:
    yield f"  {'latency in ms':18}{'calls':>10}{'p50':>10}{'p90':>10}{'p99':>10}{'p99.9':>10}{'max':>10}"
    rows = dict(report.latency)
    if report.due:
        first, *_ = rows
        rows = {
            f"{first} from its time": rows.pop(first),
            f"{first} from sending": report.from_sending,
            **rows,
        }
    for name, one in rows.items():
        figures = (one.p50_ms, one.p90_ms, one.p99_ms, one.p999_ms, one.max_ms)
        yield f"  {name:18}{one.calls:10,}" + "".join(f"{figure:10,.2f}" for figure in figures)


def of_probes(report: Report) -> str:
    """How the requests were answered that had to be refused, and the repetitions."""
    if report.probes_failed:
        return f"{report.probes_failed:,} of {report.probes:,} not refused or repeated as they must be"
    return f"{report.probes:,} refused or repeated as they must be"


def of_due(report: Report) -> str:
    """What became of the actions that were due."""
    unserved = f", {report.unserved:,} never sent, no table was ready in time" if report.unserved else ""
    unmeasured = f", {report.unmeasured:,} late or without an answer" if report.unmeasured else ""
    answered = f"{report.from_sending.calls:,} answered"
    return f"{report.due:,} actions were due in the steady phase: {answered}{unserved}{unmeasured}"
