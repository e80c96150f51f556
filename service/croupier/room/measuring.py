"""What an observer hears of one durable record: actions, time-outs, and what a hand that it ends came to."""

from __future__ import annotations

from typing import Final

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.table_rules import TableRules
from croupier.numbers import NS_PER_S
from croupier.room.commit import Commit
from croupier.room.observer import HandFigures, Observer

ACTIONS: Final = frozenset((ev.Folded, ev.Checked, ev.Called, ev.BetMade, ev.Raised, ev.CardsDrawn))


def measure(observer: Observer, rules: TableRules, commit: Commit, delay: int) -> None:
    """`delay` from the record's making to its being durable, in nanoseconds."""
    for event in commit.events:
        kind = type(event)
        if kind in ACTIONS:
            observer.acted(kind.__name__, getattr(event, "cause", ev.Cause.PLAYER).name)
        elif kind is tev.TimedOut:
            observer.timed_out()
    if commit.record.checkpoint:
        _hand(observer, rules, commit, delay)


def _hand(observer: Observer, rules: TableRules, commit: Commit, delay: int) -> None:
    """The hand that a record ends, where it ends one."""
    pot, showdown = 0, False
    for event in commit.events:
        if isinstance(event, ev.PotAwarded):
            pot += event.amount
        elif isinstance(event, ev.HoleCardsShown):
            showdown = True
        elif isinstance(event, ev.HandVoided):
            observer.hand_voided(rules)
            return
        elif isinstance(event, ev.HandEnded):
            dealt, ended = commit.dealt_time, commit.record.recorded_time
            seconds = (ended - dealt) / NS_PER_S if dealt else None
            observer.hand_ended(rules, HandFigures(pot, event.rake, showdown, seconds, delay / NS_PER_S))
