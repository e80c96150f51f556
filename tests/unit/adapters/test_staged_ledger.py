"""Which accounts a writer remembers between batches."""

from __future__ import annotations

from tests.support.units import money

from croupier.adapters.units.ledger import Account, StagedLedger
from croupier.room import accounts, ledger
from croupier.room.ports import Unit


class Books(StagedLedger):
    """Over a mapping; `read` are the accounts that were not remembered."""

    def __init__(self) -> None:
        super().__init__()
        self.stored: dict[str, tuple[int, int]] = {}
        self.read: list[str] = []

    def post(self, *units: Unit) -> None:
        """In a batch of its own."""
        self.stage(self.check([entry_set for unit in units for entry_set in unit.entry_sets]), 0)
        for account in self._changed:
            self.stored[account.name] = (account.key, account.balance)
        self.settle()

    def _has(self, entry_set_id: str) -> bool:
        return entry_set_id in self._sets

    def _account(self, name: str, currency: str) -> Account:
        account = self._known.get((name, currency))
        if account is None:
            self.read.append(name)
            account = self._known[name, currency] = Account(name, currency, *self.stored.get(name, ()))
        return account


WALLET, RESERVED = accounts.wallet("ann"), accounts.reserved("x")


def deposit(name: str = "d") -> Unit:
    return Unit(entry_sets=(ledger.deposit("ann", "POE", 300, name),))


def test_an_account_that_holds_chips_is_read_once() -> None:
    books = Books()
    for number in range(3):
        books.post(deposit(f"d{number}"))
    assert books.read.count(WALLET) == 1
    assert books.stored[WALLET] == (books.stored[WALLET][0], 900)


def test_an_account_that_holds_nothing_is_forgotten_and_read_again() -> None:
    """What is checked and posted afterwards is by what is stored."""
    books = Books()
    books.post(deposit())
    books.post(money("there", (WALLET, -300), (RESERVED, 300)))
    books.post(money("back", (RESERVED, -300), (WALLET, 300)))
    assert list(books._known) == [(accounts.DEPOSITS, "POE"), (WALLET, "POE")]
    keys = {name: key for name, (key, _) in books.stored.items()}
    books.post(money("there again", (WALLET, -100), (RESERVED, 100)))
    assert books.read == [accounts.DEPOSITS, WALLET, RESERVED, WALLET, RESERVED]
    assert books.stored[RESERVED] == (keys[RESERVED], 100)
    assert books.stored[WALLET] == (keys[WALLET], 200)


def test_an_account_that_passes_chips_on_in_one_batch_is_forgotten_too() -> None:
    books = Books()
    books.post(
        deposit(),
        money("there", (WALLET, -300), (RESERVED, 300)),
        money("back", (RESERVED, -300), (WALLET, 300)),
    )
    assert (RESERVED, "POE") not in books._known
    assert books.stored[RESERVED][1] == 0
