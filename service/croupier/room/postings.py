"""What each record means to the ledger: entry sets from events, balanced, one currency (DESIGN, Money)."""

from __future__ import annotations

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.room import accounts
from croupier.room.ports import EntrySet, Posting


class Postings:
    """Turns one table's events into entry sets."""

    __slots__ = ("_currency", "_house_id", "_table_id")

    def __init__(self, table_id: str, house_id: str, currency: str) -> None:
        self._table_id = table_id
        self._house_id = house_id
        self._currency = currency

    def of(
        self, events: list[ev.Event], started: ev.HandStarted | None, hand_id: str
    ) -> tuple[EntrySet, ...]:
        """The entry sets of a record's events; `started` and `hand_id` are the hand's they may settle."""
        sets: list[EntrySet] = []
        for event in events:
            kind = type(event)
            if kind is ev.HandEnded:
                settled = self._settlement(event, started, hand_id)  # type: ignore[arg-type]
                if settled is not None:
                    sets.append(settled)
            elif kind is tev.BoughtIn or kind is tev.Rebought:
                sets.append(self._in(event))  # type: ignore[arg-type]
            elif kind is tev.PlayerLeft:
                sets += self._out(event.player_id, event.amount, event.transfer_id)  # type: ignore[attr-defined]
            elif kind is tev.RebuyApplied:
                sets += self._out(event.player_id, event.returned, event.transfer_id)  # type: ignore[attr-defined]
        return tuple(sets)

    def _settlement(
        self, event: ev.HandEnded, started: ev.HandStarted | None, hand_id: str
    ) -> EntrySet | None:
        if started is None:
            raise ValueError(f"{hand_id} ended without a beginning")
        postings = [
            Posting(accounts.stack(self._table_id, player), after - before)
            for player, before, after in zip(started.players, started.stacks, event.stacks, strict=True)
            if after != before
        ]
        if event.rake:
            postings.append(Posting(accounts.rake(self._house_id), event.rake))
        if not postings:
            return None
        return EntrySet(
            f"settlement/{hand_id}", self._currency, "settlement", tuple(postings), self._table_id, hand_id
        )

    def _in(self, event: tev.BoughtIn | tev.Rebought) -> EntrySet:
        kind = "buy_in" if isinstance(event, tev.BoughtIn) else "rebuy"
        return EntrySet(
            f"{kind}/{event.transfer_id}",
            self._currency,
            kind,
            (
                Posting(accounts.reserved(event.transfer_id), -event.amount),
                Posting(accounts.stack(self._table_id, event.player_id), event.amount),
            ),
            self._table_id,
        )

    def _out(self, player_id: str, amount: int, transfer_id: str) -> list[EntrySet]:
        if not amount:
            return []
        return [
            EntrySet(
                f"cash_out/{transfer_id}",
                self._currency,
                "cash_out",
                (
                    Posting(accounts.stack(self._table_id, player_id), -amount),
                    Posting(accounts.reserved(transfer_id), amount),
                ),
                self._table_id,
            )
        ]
