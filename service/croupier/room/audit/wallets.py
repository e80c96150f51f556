"""Wallets' balances while the ledger is read, held against the balances that answers told of."""

from __future__ import annotations

from collections import deque
from typing import Final

from croupier.room.audit.books import StoredEntry, StoredSet

_LATE: Final = 4096
"""Answers of earlier versions may tell of a balance that was so many movements older, where a table moved chips too."""


class Wallets:
    """`tell` what answers say first, then `read` all entry sets in order."""

    def __init__(self) -> None:
        self._told: dict[int, tuple[str, str, int]] = {}
        self._held: dict[tuple[str, str], int] = {}
        self._before: deque[tuple[str, str, int]] = deque(maxlen=_LATE)

    def tell(self, set_key: int, account: str, currency: str, after: int) -> None:
        """An answer says that a wallet holds so much after a set."""
        self._told[set_key] = (account, currency, after)

    def read(self, kept: StoredSet, own: list[StoredEntry]) -> str:
        """Take in the next set; how the answer that was written with it differs, or nothing."""
        told = self._told.pop(kept.set_key, None)
        change = 0
        for entry in own:
            name = entry.account or ""
            if not name.startswith("wallet/"):
                continue
            place = (name, entry.currency)
            held = self._held.get(place, 0)
            self._before.append((*place, held))
            self._held[place] = held + entry.amount
            if told is not None and place == told[:2]:
                change = entry.amount
        if told is None:
            return ""
        account, currency, after = told
        held = self._held.get((account, currency), 0)
        if after == held or (account, currency, after - change) in self._before:
            return ""
        return f"was answered with a balance of {after} {currency}; {account} held {held}"
