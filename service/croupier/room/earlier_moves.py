"""What an entry set that stands already led to, from the entries alone: for a request whose lasting answer is lost."""

from __future__ import annotations

from typing import Final

from croupier.room import accounts
from croupier.room.answers import BalanceAnswer, TableBalance
from croupier.room.ports import EntrySet, Posting, Store

_PAGE: Final = 1000


async def balance_after(store: Store, wanted: EntrySet, player_id: str) -> BalanceAnswer | None:
    """A player's chips right after the set of this id; None where it is not what is wanted for the player's wallet."""
    held: dict[str, int] = {}
    after = 0
    while page := await store.entries(player_id=player_id, after=after, limit=_PAGE):
        for entry in page:
            if entry.currency == wanted.currency:
                held[entry.account] = held.get(entry.account, 0) + entry.amount
            if entry.entry_set_id == wanted.entry_set_id:
                same = (entry.currency, entry.kind) == (wanted.currency, wanted.kind)
                posted = Posting(entry.account, entry.amount) in wanted.postings
                return _balance(held, player_id, wanted.currency) if same and posted else None
        after = page[-1].entry_id
    return None


def _balance(held: dict[str, int], player_id: str, currency: str) -> BalanceAnswer:
    reserved, tables = 0, []
    for name, chips in sorted(held.items()):
        parts = accounts.parts_of(name)
        if parts[0] == "reserved":
            reserved += chips
        elif parts[0] == "stack" and chips:
            tables.append(TableBalance(parts[1], chips))
    available = held.get(accounts.wallet(player_id), 0)
    return BalanceAnswer(player_id, currency, available, reserved, tuple(tables))
