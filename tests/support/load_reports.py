"""Reports of load runs that were never made, for what is written of them."""

from __future__ import annotations

from typing import Final

from croupier.client.load import Plan, Report, TableKind
from croupier.client.load.conditions import Conditions
from croupier.client.load.history.check import Checked
from croupier.client.load.report import Proved, mark, report
from croupier.client.load.tally import Tally
from croupier.client.load.timing import Counts

HOSTILE: Final = "</script><img src=x onerror=alert(1)>'\"&"
SECOND: Final = 1_000_000_000
MS: Final = 1_000_000
RAMP: Final = 3
STEADY: Final = 12


def made_report(*, rate: float = 100.0, calls: int = 100, wrong: bool = True) -> Report:
    """Of so many calls a second, every 50th slow, and a stall of a second in the middle."""
    tally = Tally()
    timing = tally.timing
    timing.start(0)
    begin = end = mark(tally, RAMP * SECOND)
    for second in range(RAMP + STEADY):
        if second == RAMP:
            timing.steady(second * SECOND)
            begin = mark(tally, second * SECOND)
        for number in range(calls * min(RAMP, second + 1) // RAMP):
            due = second * SECOND + number * SECOND // calls
            sent = due + (MS // 2 if rate else 0)
            took = (120 if number % 50 == 49 else 4 + number % 7) * MS
            timing.act(due, sent, sent + took + (SECOND // 2 if second == 8 else 0))
            tally.acts += 1
            if rate:
                timing.taken(due)
        if calls:
            due_so_far = int(rate) and tally.acts
            timing.point(
                (second + 1) * SECOND,
                "ramp" if second < RAMP else "steady",
                Counts(due_so_far, tally.acts, second // 5, second // 9, 40 if second == 8 else 0),
            )
    end = mark(tally, (RAMP + STEADY) * SECOND)
    timing.over((RAMP + STEADY) * SECOND)
    timing.other("GetTable", 5 * SECOND, 5 * SECOND + 3 * MS)
    if wrong:
        tally.wrong.append(f"table t: {HOSTILE}")
    plan = Plan(HOSTILE, mix=(TableKind(HOSTILE), TableKind("five_aces", weight=2)), rate=rate)
    about = Conditions(
        "2026-01-02T03:04:05+00:00", HOSTILE, HOSTILE, "avx2", "sqlite", "0.1.0", "Linux", plan.told()
    )
    return report(
        tally,
        begin,
        end,
        about,
        Proved(10, 20, Checked(30, 0, 1, 40, 50, [])),
        request_prefix="act-",
        interrupted=False,
    )
