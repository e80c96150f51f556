"""The service's own ledger, read to its end and held against itself, the balances and the scores kept.

Reads through ListEntries and GetBalance alone, so that what is proved is what callers are told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from croupier.client import Croupier
from croupier.client.load.score import Score
from croupier.client.load.seating import Seating
from croupier.v1.settlement_service_pb2 import Balance, EntryKind, LedgerEntry

DEPOSIT = EntryKind.ENTRY_KIND_DEPOSIT
SETTLEMENT = EntryKind.ENTRY_KIND_SETTLEMENT


class Ledger:
    """Sums over every entry. `won` is by table and player, `rake` by table."""

    def __init__(self) -> None:
        self.entries = 0
        self.last_id = 0
        self.disorder = 0
        self.currencies: defaultdict[str, int] = defaultdict(int)
        self.sets: defaultdict[tuple[str, str], int] = defaultdict(int)
        self.accounts: defaultdict[tuple[str, str], int] = defaultdict(int)
        self.deposited: defaultdict[str, int] = defaultdict(int)
        self.won: defaultdict[tuple[str, str], int] = defaultdict(int)
        self.rake: defaultdict[str, int] = defaultdict(int)
        self.raked: defaultdict[tuple[str, str], int] = defaultdict(int)

    def add(self, entry: LedgerEntry) -> None:
        amount, account = entry.amount, entry.account
        self.entries += 1
        self.disorder += entry.entry_id <= self.last_id
        self.last_id = entry.entry_id
        self.currencies[entry.currency] += amount
        self.sets[entry.entry_set_id, entry.currency] += amount
        self.accounts[account, entry.currency] += amount
        if entry.kind == DEPOSIT and account.startswith("wallet/"):
            self.deposited[entry.player_id] += amount
        elif entry.kind == SETTLEMENT:
            if account.startswith("stack/"):
                self.won[entry.table_id, entry.player_id] += amount
            else:
                self.rake[entry.table_id] += amount
                self.raked[account, entry.currency] += amount


async def read_ledger(client: Croupier) -> Ledger:
    """All entries, from the first on."""
    ledger = Ledger()
    async for entry in client.list_entries():
        ledger.add(entry)
    return ledger


def of_whole(ledger: Ledger) -> Iterator[str]:
    """What is wrong with the ledger in itself."""
    if ledger.disorder:
        yield f"{ledger.disorder} entries do not follow the one before"
    for currency, total in ledger.currencies.items():
        if total:
            yield f"all entries in {currency} add up to {total}"
    for (entry_set, currency), total in ledger.sets.items():
        if total:
            yield f"the set {entry_set} adds up to {total} {currency}"
    for (account, currency), total in ledger.accounts.items():
        if total < 0 and not account.startswith(("world", "adjustment")):
            yield f"{account} holds {total} {currency}"
    for (account, currency), raked in ledger.raked.items():
        if not account.startswith("rake/"):
            yield f"hands were settled with {account}"
        elif raked != ledger.accounts[account, currency]:
            held = ledger.accounts[account, currency]
            yield f"the hands paid {raked} {currency} of rake, {account} holds {held}"


def of_player(ledger: Ledger, seating: Seating, player_id: str, balance: Balance) -> Iterator[str]:
    """What is wrong with a player's chips once the table has closed."""
    wallet = ledger.accounts[f"wallet/{player_id}", seating.currency]
    stack = ledger.accounts[f"stack/{seating.table_id}/{player_id}", seating.currency]
    if ledger.deposited[player_id] != seating.deposited:
        yield f"{seating.deposited} deposited, {ledger.deposited[player_id]} in the ledger"
    if balance.available != wallet:
        yield f"the wallet is told to hold {balance.available}, its entries add up to {wallet}"
    if stack or balance.reserved or balance.tables:
        yield f"the table has closed: {stack} still there by the ledger, told {balance}"
    due = seating.deposited + ledger.won[seating.table_id, player_id]
    if wallet != due:
        yield f"deposits and results make {due}, the wallet's entries {wallet}"


def of_table(ledger: Ledger, seating: Seating, score: Score | None) -> Iterator[str]:
    """What is wrong with a closed table's results and rake, with what a watcher saw of them."""
    table_id = seating.table_id
    won = {player: ledger.won[table_id, player] for player in seating.players}
    rake = ledger.rake[table_id]
    if sum(won.values()) + rake:
        yield f"results {won} and rake {rake} do not add up to 0"
    if rake < 0:
        yield f"the rake is {rake}"
    if score is not None:
        seen = {player: score.net.get(seat, 0) for seat, player in enumerate(seating.players, start=1)}
        if seen != won or score.rake != rake:
            yield f"watched: {seen}, rake {score.rake}; in the ledger: {won}, rake {rake}"


async def audit(client: Croupier, tables: Sequence[tuple[Seating, Score | None]]) -> tuple[Ledger, list[str]]:
    """The ledger, and everything wrong with it or with what it says of those of the tables that were left."""
    ledger = await read_ledger(client)
    wrong = [f"ledger: {what}" for what in of_whole(ledger)]
    for seating, score in tables:
        if not seating.left:
            continue
        wrong += [f"ledger, table {seating.table_id}: {what}" for what in of_table(ledger, seating, score)]
        for player_id in seating.players:
            balance = await client.get_balance(player_id, seating.currency)
            found = of_player(ledger, seating, player_id, balance)
            wrong += [f"ledger, player {player_id}: {what}" for what in found]
    return ledger, wrong
