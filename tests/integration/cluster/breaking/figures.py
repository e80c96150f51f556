"""What a fault cost whoever plays: how long each table stood still, and which calls had to be repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from time import monotonic_ns, time_ns
from typing import Final, NamedTuple

from tests.integration.cluster.breaking.faults import Struck

from croupier.client.load.history.operation import READS, Operation

_NS: Final = 1_000_000_000
_NO_ANSWER: Final = "DEADLINE_EXCEEDED"


class Cost(NamedTuple):
    """`silences` are seconds, the longest without an acknowledged change at each table that a fault was aimed at; from
    the fault on where its owner answers no more. `elsewhere` are those of the others. `tries` are the failed tries of
    each table's caller, `refused` those of them that a server refused, or that were lost with its connection: the
    others had no answer in the caller's own time. `reasons` are what they failed with. `timed_out` are decisions whose
    time was over.
    """

    fault: str
    silences: list[float]
    elsewhere: list[float]
    tries: list[int]
    refused: list[int]
    reasons: Counter[str]
    timed_out: int


def cost_of(
    struck: Struck, until: int, operations: Mapping[str, Sequence[Operation]], timed_out: Sequence[int]
) -> Cost:
    """From its beginning `until` the next one; `timed_out` are moments of the system's clock."""
    silences: dict[str, float] = {}
    tries: list[int] = []
    refused: list[int] = []
    reasons: Counter[str] = Counter()
    for table_id, of_table in operations.items():
        if not table_id:
            continue
        concerned = [one for one in of_table if one.ended > struck.began and one.sent < until]
        ended = sorted(one.ended for one in concerned if one.answered and one.method not in READS)
        silences[table_id] = _longest(struck.began, ended, until)
        failed = [one.reason for each in concerned for one in each.tries if struck.began < one.failed < until]
        tries.append(len(failed))
        refused.append(len(failed) - failed.count(_NO_ANSWER))
        reasons.update(failed)
    aimed = [silence for table_id, silence in silences.items() if table_id in struck.tables]
    others = [silence for table_id, silence in silences.items() if table_id not in struck.tables]
    begins = time_ns() - monotonic_ns()
    over = sum(struck.began < moment - begins < until for moment in timed_out)
    return Cost(struck.fault, aimed, others, tries, refused, reasons, over)


def _longest(began: int, ended: Iterable[int], until: int) -> float:
    moments = [began, *(moment for moment in ended if moment < until), until]
    return max(after - before for before, after in pairwise(moments)) / _NS


def quantile(values: Sequence[float], share: float) -> float:
    """The least value that so large a share of them does not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def table_of(costs: Sequence[Cost]) -> Iterable[str]:
    """As Markdown: one line a kind of fault."""
    heads = (
        "fault | times | tables | p50 | p99 | max | others, max | time-outs | tries, max | refused, max | why"
    )
    yield f"| {heads} |"
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for fault in dict.fromkeys(cost.fault for cost in costs):
        of_kind = [cost for cost in costs if cost.fault == fault]
        silences = [silence for cost in of_kind for silence in cost.silences]
        others = [silence for cost in of_kind for silence in cost.elsewhere]
        most = max(tries for cost in of_kind for tries in cost.tries)
        reasons = sum((cost.reasons for cost in of_kind), Counter[str]())
        why = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common(4))
        figures = [f"{quantile(silences, share):.2f} s" for share in (0.5, 0.99, 1)]
        rest = f"{max(others):.2f} s" if others else ""
        over = sum(cost.timed_out for cost in of_kind)
        refused = max(tries for cost in of_kind for tries in cost.refused)
        counts = f"{rest} | {over} | {most} | {refused} | {why}"
        yield f"| {fault} | {len(of_kind)} | {len(silences)} | {' | '.join(figures)} | {counts} |"
