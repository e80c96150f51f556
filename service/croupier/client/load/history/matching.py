"""Finds for each deed of a table's history the operation that asked for it, and what is left without its deed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from croupier.client.load.history.finding import Finding, Kind
from croupier.client.load.history.fold import Deed
from croupier.client.load.history.operation import READS, Operation, Outcome, Standing
from croupier.v1.hand_pb2 import ActionKind

_PRIVATE: Final = frozenset({"SetAdvanceAction", "SetPreferences"})
"""They change what one player alone may know: no watcher's history tells of them."""
_OF_BETS: Final = (ActionKind.ACTION_KIND_BET_TO, ActionKind.ACTION_KIND_RAISE_TO)
_OF_ALL_IN: Final = (ActionKind.ACTION_KIND_CALL, *_OF_BETS)

_STEPS: Final = (-1, 1, -2, 2, 3, 4)
"""How far from its decision an action is looked for."""

_Key = tuple[str, str, str]
"""Method, player, hand."""


class Asked:
    """The changes that a table's clients asked for; repetitions of a request are one, told wrong where they differ."""

    def __init__(self, table_id: str, operations: Iterable[Operation]) -> None:
        self._table_id: Final = table_id
        self.changes: Final[list[Operation]] = []
        self.findings: Final[list[Finding]] = []
        self._acts: Final[defaultdict[tuple[str, int], list[Operation]]] = defaultdict(list)
        self._others: Final[defaultdict[_Key, list[Operation]]] = defaultdict(list)
        self._at: Final[dict[int, list[Operation]]] = {}
        self._done: Final[set[int]] = set()
        self._preferring: Final[set[str]] = set()
        self._unasked: Final[list[tuple[int, Deed]]] = []
        self._gather(operations)

    def _gather(self, operations: Iterable[Operation]) -> None:
        first: dict[str, Operation] = {}
        for operation in operations:
            if operation.method in READS:
                continue
            if operation.method in _PRIVATE:
                self._preferring.add(operation.player_id)
                continue
            earlier = first.setdefault(operation.request_id, operation) if operation.request_id else operation
            if earlier is operation:
                self.changes.append(operation)
            else:
                self._repeated(earlier, operation)
        for operation in self.changes:
            if operation.method == "Act":
                self._acts[operation.hand_id, operation.number].append(operation)
            else:
                self._others[_key(operation)].append(operation)
            if operation.answered:
                self._at.setdefault(operation.sequence, []).append(operation)

    def _repeated(self, first: Operation, again: Operation) -> None:
        """Takes a repetition's answer where the first had none; else it must be the same."""
        if not again.answered:
            return
        if not first.answered:
            first.outcome, first.reason = Outcome.ANSWERED, ""
            first.ended, first.sequence = again.ended, again.sequence
            first.done, first.paid = again.done, again.paid
            first.street_bet, first.all_in = again.street_bet, again.all_in
        elif first.sequence != again.sequence:
            what = f"{_of(first)} was answered at {first.sequence}, its repetition at {again.sequence}"
            self._find(Kind.DOUBLED, again.sequence, first, what)
        elif _answer(first) != _answer(again):
            what = f"{_of(first)} was answered {_answer(first)}, its repetition {_answer(again)}"
            self._find(Kind.ALTERED, again.sequence, first, what)

    def number_told(self, hand_id: str, player_id: str, sequence: int) -> int:
        """The decision that an action at this sequence answered, by its acknowledgement; 0 where there is none."""
        for operation in self._at.get(sequence, ()):
            if (operation.method, operation.hand_id, operation.player_id) == ("Act", hand_id, player_id):
                return operation.number
        return 0

    def take(self, deed: Deed, sequence: int) -> None:
        """A deed of the history's: looks for who asked for it."""
        candidates = self._candidates(deed)
        best = min(candidates, key=lambda operation: self._rank(operation, deed, sequence), default=None)
        if best is None:
            self._unasked.append((sequence, deed))
            return
        done = id(best) in self._done
        self._done.add(id(best))
        if done:
            self._find(Kind.DOUBLED, sequence, best, f"{_told(deed)} is there once more")
        elif best.outcome is Outcome.REFUSED and self._out_of_turn(deed):
            self._unasked.append((sequence, deed))
        elif best.outcome is Outcome.REFUSED:
            what = f"{_of(best)} was refused with {best.reason}, yet {_told(deed)} is there"
            self._find(Kind.INVENTED, sequence, best, what)
        elif differs := _differs(best, deed):
            self._find(Kind.ALTERED, sequence, best, differs)
        elif best.answered and best.sequence != sequence:
            what = f"{_of(best)} was answered at {best.sequence}, and stands at {sequence}"
            self._find(Kind.REORDERED, sequence, best, what)

    def _out_of_turn(self, deed: Deed) -> bool:
        """Whether it is what its player did just before, although somebody else was told to be next."""
        asked_anew = Standing(deed.hand_id, deed.number, deed.player_id)
        return any(
            id(operation) in self._done
            and operation.number == deed.number - 1
            and operation.standing not in (None, asked_anew)
            for operation in self._nearby(deed)
        )

    def _explain(self, deed: Deed, sequence: int) -> None:
        """A deed that no operation asked for, once it is known which of them have their own."""
        if "SitOut" in deed.methods and deed.player_id in self._preferring:
            return
        for operation in self._nearby(deed):
            if id(operation) in self._done:
                asked_anew = Standing(deed.hand_id, deed.number, deed.player_id)
                if operation.number == deed.number - 1 and operation.standing != asked_anew:
                    self._find(Kind.DOUBLED, sequence, operation, f"{_of(operation)} is there once more")
                    return
            elif operation.answered:
                self._done.add(id(operation))
                what = f"{_of(operation)} was answered at {operation.sequence}, it is there as decision {deed.number}"
                self._find(Kind.REORDERED, sequence, operation, what)
                return
        self._find(Kind.INVENTED, sequence, None, f"nobody asked for {_told(deed)}")

    def _nearby(self, deed: Deed) -> Iterator[Operation]:
        """Actions of the same player, asked for in other decisions of the hand."""
        for step in _STEPS:
            for operation in self._acts.get((deed.hand_id, deed.number + step), ()):
                if operation.player_id == deed.player_id and not _differs(operation, deed):
                    yield operation

    def _candidates(self, deed: Deed) -> list[Operation]:
        if deed.methods == ("Act",):
            asked = self._acts.get((deed.hand_id, deed.number), [])
            return [operation for operation in asked if operation.player_id == deed.player_id]
        return [
            operation
            for method in deed.methods
            for operation in self._others.get((method, deed.player_id, deed.hand_id), ())
        ]

    def _rank(self, operation: Operation, deed: Deed, sequence: int) -> tuple[bool, bool, bool, bool, bool]:
        """The less, the likelier that it asked for the deed."""
        return (
            operation.outcome is Outcome.REFUSED,
            id(operation) in self._done,
            operation.answered and operation.sequence != sequence,
            not operation.answered,
            bool(_differs(operation, deed)),
        )

    def finish(self, last: int) -> Iterator[Finding]:
        """What is wrong with a history that ends at `last`."""
        for sequence, deed in self._unasked:
            self._explain(deed, sequence)
        yield from self.findings
        for operation in self.changes:
            if operation.answered and id(operation) not in self._done:
                where = f"which ends at {last}" if operation.sequence > last else "or not as this"
                what = f"{_of(operation)} was acknowledged, and is not in the history, {where}"
                yield Finding(Kind.LOST, self._table_id, operation.sequence, operation.request_id, what)

    def _find(self, kind: Kind, sequence: int, operation: Operation | None, what: str) -> None:
        request_id = operation.request_id if operation is not None else ""
        self.findings.append(Finding(kind, self._table_id, sequence, request_id, what))


def _key(operation: Operation) -> _Key:
    hand = operation.hand_id if operation.method == "ShowCards" else ""
    player = operation.player_id
    return operation.method, player, hand


def _answer(operation: Operation) -> tuple[int, ...]:
    return operation.done, operation.paid, operation.street_bet, operation.all_in


def _differs(operation: Operation, deed: Deed) -> str:
    """How a deed is other than it was asked for or answered; empty where it is the same."""
    if operation.method == "Act":
        asked, did = operation.action, deed.action
        if asked != did and not (asked == ActionKind.ACTION_KIND_ALL_IN and did in _OF_ALL_IN):
            return f"{_of(operation)} is there as {_told(deed)}"
        if asked in _OF_BETS and operation.amount != deed.amount:
            return f"a total of {operation.amount} was asked for, {deed.amount} is there"
        if did == ActionKind.ACTION_KIND_DRAW and len(operation.cards) != deed.amount:
            return f"{len(operation.cards)} cards were to be exchanged, {deed.amount} were"
        stands = (did, deed.paid, deed.street_bet, deed.all_in)
        told = _answer(operation) if did in _OF_ALL_IN else (operation.done, operation.paid)
        if operation.answered and told != stands[: len(told)]:
            return f"answered as {_answer(operation)} (action, paid, street_bet, all_in), there as {stands}"
        return ""
    if operation.method in ("BuyIn", "Rebuy") and operation.amount != deed.amount:
        return f"{operation.method} of {operation.amount} chips is there with {deed.amount}"
    if operation.method == "ReserveSeat" and operation.seat_number != deed.seat_number:
        return f"seat {operation.seat_number} was asked for, {deed.seat_number} is there"
    if operation.method == "ShowCards" and operation.cards and set(operation.cards) != set(deed.cards):
        return f"{' '.join(operation.cards)} were to be shown, {' '.join(deed.cards)} were"
    return ""


def _action(number: int) -> str:
    kind = ActionKind.Name(number) if number in ActionKind.values() else str(number)  # type: ignore[arg-type]
    return kind.removeprefix("ACTION_KIND_").lower()


def _of(operation: Operation) -> str:
    if operation.method == "Act":
        amount = f" {operation.amount}" if operation.amount else ""
        return f"{_action(operation.action)}{amount} by {operation.player_id} in decision {operation.number}"
    by = f" by {operation.player_id}" if operation.player_id else ""
    return f"{operation.method}{by}"


def _told(deed: Deed) -> str:
    if deed.methods == ("Act",):
        amount = f" {deed.amount}" if deed.amount else ""
        return f"{_action(deed.action)}{amount} by {deed.player_id} in decision {deed.number}"
    by = f" by {deed.player_id}" if deed.player_id else ""
    return f"{' or '.join(deed.methods)}{by}"
