"""The report of `croupier load` as one page: nothing is fetched, and what others named is text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final

import orjson

from croupier.cli.load_objectives import Judged
from croupier.cli.load_page import SCRIPT, STYLE
from croupier.cli.load_text import of_due, of_probes
from croupier.client.load import Report
from croupier.client.load.histogram import Latency

_STATIC: Final = files("croupier").joinpath("adapters", "console", "static")
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
_COLUMNS: Final = ("at", "rate", "due_rate", "wrong", "late", "waiting")
_TIMES: Final = ("p50_ms", "p99_ms", "max_ms")


def page(report: Report, slo: Sequence[Judged]) -> str:
    """The whole document."""
    title = f"Load of {report.conditions.target}, {report.conditions.began}"
    script, style = _shipped("vendor/uPlot.iife.min.js"), _shipped("vendor/uPlot.min.css")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<link rel="icon" href="data:,">
<title>{escape(title)}</title>
<style>{style}{_shipped("base.css")}{STYLE}</style>
</head>
<body>
<main>
{"".join(_body(title, report, slo))}
</main>
<script id="figures" type="application/json">{_data(report)}</script>
<script>/*
{_shipped("vendor/LICENSE.uplot")}*/
{script}</script>
<script>{SCRIPT}</script>
</body>
</html>
"""


def _body(title: str, report: Report, slo: Sequence[Judged]) -> Iterator[str]:
    wrong = len(report.wrong)
    verdict = f"wrong answers: {wrong}" if wrong else escape(report.judgement)
    cut = "<span class='missed'>interrupted</span>" if report.interrupted else ""
    kind = "verdict bad" if wrong else "verdict"
    yield f"<header><h1>{escape(title)}</h1><span class='{kind}'>{verdict}</span>{cut}</header>"
    yield _tiles(report)
    if slo:
        rows = "".join(f"<li class='{'met' if one.met else 'missed'}'>{escape(str(one))}</li>" for one in slo)
        yield f"<section><h2>Objectives</h2><ul>{rows}</ul></section>"
    yield "<div class='plots'>"
    yield _plot("curve", "Latency of an action by the share that was as fast", "steady phase")
    yield _plot("rate", "Actions a second", "the ramp is shaded")
    yield _plot("times", "Latency of an action over time", "by when it was answered")
    yield _plot("faults", "Wrong, late and waiting actions", "waiting: due, and no table was ready")
    yield "</div>"
    yield f"<section><h2>Latency <small>ms, steady phase</small></h2>{_latencies(report)}</section>"
    if wrong:
        yield f"<section><h2>Wrong answers</h2><ul class='wrongs'>{_items(report.wrong)}</ul></section>"
    yield f"<section><h2>What was done</h2>{_pairs(_counts(report))}</section>"
    yield f"<section><h2>Conditions</h2>{_pairs(_conditions(report))}</section>"


def _tiles(report: Report) -> str:
    acts = report.of_acts
    told = {
        "actions a second": f"{report.acts_per_second:,.1f}",
        "hands a second": f"{report.hands_per_second:,.1f}",
        "half within": f"{acts.p50_ms:,.2f} ms",
        "99 % within": f"{acts.p99_ms:,.2f} ms",
        "99.9 % within": f"{acts.p999_ms:,.2f} ms",
        "longest": f"{acts.max_ms:,.2f} ms",
    }
    rows = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in told.items())
    return f"<dl class='tiles'>{rows}</dl>"


def _plot(name: str, title: str, note: str) -> str:
    return (
        f"<figure><figcaption><h2>{title} <small>{note}</small></h2></figcaption>"
        f"<div class='chart' id='{name}' role='img' aria-label='{title}'></div></figure>"
    )


def _latencies(report: Report) -> str:
    (method, acts), *others = report.latency.items()
    rows: list[tuple[str, Latency]] = [(method, acts), *others]
    if report.due:
        rows = [(f"{method}, from its time", acts), (f"{method}, from sending", report.from_sending), *others]
    names = ("calls", "mean", "p50", "p90", "p99", "p99.9", "longest")
    head = "".join(f"<th class='number'>{name}</th>" for name in names)
    body = "".join(
        f"<tr><th>{escape(name)}</th><td class='number'>{one.calls:,}</td>"
        + "".join(f"<td class='number'>{figure:,.2f}</td>" for figure in one[1:7])
        + "</tr>"
        for name, one in rows
    )
    return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"


def _counts(report: Report) -> dict[str, Any]:
    return {
        "steady phase": f"{report.seconds:,.1f} s: {report.acts:,} actions, {report.hands:,} hands",
        "by the schedule": of_due(report) if report.due else "",
        "late": f"{report.late:,} actions came after their time" if report.late else "",
        "probes": of_probes(report),
        "watchers": f"{report.watch_messages:,} messages, {report.messages_per_act:.2f} for each action, "
        f"cut off {report.watchers_cut_off} times",
        "ledger": f"{report.ledger_entries:,} entries read, {report.rake:,} chips of rake",
        "history": f"{report.operations:,} operations, {report.operations_unknown:,} without an answer, "
        f"held against {report.history_events:,} events, {report.watched_sequences:,} told to watchers",
    }


def _conditions(report: Report) -> dict[str, Any]:
    told = report.conditions
    ran = {name: value for name, value in told.plan.items() if name not in ("target", "mix")}
    return {
        "began": told.began,
        "target": told.target,
        "server": f"croupier {told.server}, evaluator {told.evaluator}, store {told.store}",
        "client": f"croupier {told.client} on {told.machine}",
        "tables of": ", ".join(told.plan["mix"]),
        **{name.replace("_", " "): value for name, value in ran.items()},
    }


def _pairs(pairs: dict[str, Any]) -> str:
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>"
        for name, value in pairs.items()
        if value != ""
    )
    return f"<table><tbody>{rows}</tbody></table>"


def _items(texts: Iterable[str]) -> str:
    return "".join(f"<li>{escape(text)}</li>" for text in texts)


def _data(report: Report) -> str:
    """What is plotted, as JSON that ends no script."""
    points = report.points
    columns: dict[str, list[Any]] = {name: [getattr(one, name) for one in points] for name in _COLUMNS}
    columns |= {name: [getattr(one, name) or None for one in points] for name in _TIMES}
    curve = report.of_acts.curve()
    told = {
        "points": columns,
        "curve": {
            "share": [share for share, _ in curve],
            "due": [took or None for _, took in curve],
            "sent": _beside(report, len(curve)),
        },
        "unmeasured": list(_unmeasured(report)),
    }
    return orjson.dumps(told).decode().replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _beside(report: Report, count: int) -> list[float | None]:
    """The curve from sending, as long as the other."""
    if not report.due:
        return []
    took = [one or None for _, one in report.from_sending.curve()][:count]
    return [*took, *([None] * (count - len(took)))]


def _unmeasured(report: Report) -> Iterator[tuple[float, float]]:
    """From and to, in seconds of the run, of what is no steady phase."""
    ends = [(0.0, "ramp"), *((point.at, point.phase) for point in report.points)]
    for (before, _), (at, phase) in pairwise(ends):
        if phase != "steady":
            yield before, at


def _shipped(name: str) -> str:
    """A file that the console ships."""
    return _STATIC.joinpath(*name.split("/")).read_text("utf-8")
