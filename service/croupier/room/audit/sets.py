"""What an entry set must be by its kind, and whether one kept is the one meant. It reads no store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.room import accounts
from croupier.room.audit.books import StoredEntry, StoredSet
from croupier.room.ports import EntrySet, Posting
from croupier.room.row_hash import hash_of_set

OF_TABLES: Final = frozenset(("buy_in", "rebuy", "cash_out", "settlement"))
"""Kinds that a table's record brings about; the others move chips between a wallet and elsewhere."""
_MOVES: Final = {
    "deposit": ("world", "wallet"),
    "withdrawal": ("wallet", "world"),
    "reservation": ("wallet", "reserved"),
    "release": ("reserved", "wallet"),
    "payout": ("reserved", "wallet"),
}
"""From which kind of account to which; what is outside of the ledger for good is the world's."""
_PARTS: Final = {"wallet": 2, "reserved": 2, "stack": 3, "rake": 2, "adjustment": 2}


def wrong_set(kept: StoredSet, entries: Sequence[StoredEntry]) -> str:
    """What is wrong with a set by itself, or nothing."""
    if len(entries) != kept.entry_count:
        return f"has {len(entries)} entries of {kept.entry_count}"
    if entries[0].entry_id != kept.set_key:
        return f"begins at entry {entries[0].entry_id}, not {kept.set_key}"
    currencies = sorted({entry.currency for entry in entries})
    for currency in currencies:
        total = sum(entry.amount for entry in entries if entry.currency == currency)
        if total:
            return f"is out of balance by {total} {currency}"
    if len(currencies) > 1:
        return f"is in several currencies: {', '.join(currencies)}"
    if kept.hash is not None and kept.hash != kept_hash(kept, entries):
        return "is not what its hash says"
    return _wrong_kind(kept, entries)


def kept_hash(kept: StoredSet, entries: Sequence[StoredEntry]) -> bytes:
    """The hash of what is kept."""
    currencies = list(dict.fromkeys(entry.currency for entry in entries))
    postings = [
        (
            currency,
            [Posting(entry.account or "", entry.amount) for entry in entries if entry.currency == currency],
        )
        for currency in currencies
    ]
    return hash_of_set(
        kept.entry_set_id, kept.kind, kept.table_id, kept.hand_id, kept.recorded_time, postings
    )


def wrong_entry(entry: StoredEntry, names: Sequence[str]) -> str:
    """What is wrong with an entry and its account's row; `names` are the accounts of the entry's set."""
    if entry.account is None:
        return "is on an account that there is not"
    if not entry.amount:
        return "moves nothing"
    owner = accounts.owner_of(entry.account, names)
    if entry.player_id != owner:
        return f"is on an account of player {owner}, whose row says {entry.player_id}"
    return ""


def wrong_name(name: str) -> str:
    """What is wrong with an account's name, or nothing."""
    parts = name.split("/")
    if parts[0] == "world":
        known = name in (accounts.DEPOSITS, accounts.WITHDRAWALS) or accounts.player_of(name)
        return "" if known else "is no account of the world's"
    if _PARTS.get(parts[0]) != len(parts) or not all(parts):
        return "has a name that no account has"
    return ""


def differs(meant: EntrySet, recorded_time: int, kept: StoredSet, entries: Sequence[StoredEntry]) -> str:
    """How a set kept differs from the one that a record brings about."""
    for what, one, other in (
        ("kind", meant.kind, kept.kind),
        ("table", meant.table_id, kept.table_id),
        ("hand", meant.hand_id, kept.hand_id),
        ("time", recorded_time, kept.recorded_time),
    ):
        if one != other:
            return f"its {what} is {other}, by the journal {one}"
    found = [(entry.account, entry.currency, entry.amount) for entry in entries]
    wanted = [(posting.account, meant.currency, posting.amount) for posting in meant.postings]
    if found == wanted:
        return ""
    for line, kept_line in zip(wanted, found, strict=False):
        if line != kept_line:
            return f"it moves {_line(kept_line)}, by the journal {_line(line)}"
    return f"it has {len(found)} entries, by the journal {len(wanted)}"


def _kind_of(account: str) -> str:
    kind = account.partition("/")[0]
    return "wallet" if kind == "world" and accounts.player_of(account) else kind


def _line(line: tuple[str | None, str, int]) -> str:
    account, currency, amount = line
    return f"{amount:+} {currency} on {account}"


def _wrong_kind(kept: StoredSet, entries: Sequence[StoredEntry]) -> str:
    if kept.kind in OF_TABLES:
        return "" if kept.table_id else f"is a {kept.kind} of no table"
    move = _MOVES.get(kept.kind)
    kinds = sorted((entry.amount > 0, _kind_of(entry.account or "")) for entry in entries)
    if kept.kind == "adjustment":
        known = sorted(kind for _, kind in kinds) == ["adjustment", "wallet"]
        return "" if known else "is no adjustment"
    if move is None:
        return f"is of no kind that is known here: {kept.kind}"
    if kinds != [(False, move[0]), (True, move[1])]:
        return f"is no {kept.kind}"
    if "reserved" in move:
        return _wrong_transfer(kept, entries)
    return ""


def _wrong_transfer(kept: StoredSet, entries: Sequence[StoredEntry]) -> str:
    """A transfer's set is named for its transfer."""
    transfer_id = kept.entry_set_id.partition("/")[2]
    named = kept.entry_set_id == f"{kept.kind}/{transfer_id}" and transfer_id
    if not named or accounts.reserved(transfer_id) not in [entry.account for entry in entries]:
        return f"is not named for the transfer that it is a {kept.kind} of"
    return ""
