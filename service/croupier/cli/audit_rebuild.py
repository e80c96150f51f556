"""`croupier audit --rebuild`: what follows from journal and entries put where the store says otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from croupier.adapters.games import GAMES
from croupier.adapters.sqlite.books import SqliteBooks
from croupier.room.audit.audit import Audit, Wanted
from croupier.room.audit.findings import Findings
from croupier.room.audit.journals import Tick

if TYPE_CHECKING:
    from croupier.adapters.postgres.books import PostgresBooks

_OF_THE_INDEX: Final = frozenset(("hands",))
_OF_BALANCES: Final = frozenset(("accounts", "conservation", "stacks"))
"""Checks that a wrong balance does not stand."""


class Rebuilt(msgspec.Struct, frozen=True):
    """What came of it: how many balances were another, and how many defects are left in the store."""

    done: bool
    left: int
    balances: int = 0

    def told(self, hands: int, found: int) -> str:
        """In a line or two; `found` are the defects of before."""
        if not self.done:
            why = "by more than balances and the index of hands, which alone could be"
            return f"nothing is rebuilt: the books are wrong {why}"
        lines = [f"rebuilt: the index of hands, {hands:,} hands, from the journal"]
        if self.balances:
            lines.append(f"rebuilt: {self.balances:,} balances, from their entries")
        if found:
            lines.append(f"defects left: none of {found:,}")
        return "\n".join(lines)


def rebuild(books: SqliteBooks | PostgresBooks, found: Findings, tick: Tick) -> Rebuilt:
    """Replace balances and the index of hands where nothing else is wrong, and nothing at all is once they are.

    Else the store stays as it was. Raises BooksDamaged.
    """
    if found.checks.keys() - _OF_BALANCES - _OF_THE_INDEX:
        return Rebuilt(done=False, left=found.count)
    balances = books.replace_balances() if found.checks.keys() & _OF_BALANCES else 0
    books.replace_index()
    left = Findings()
    Audit(books, GAMES, Wanted(), left, tick).run()
    if left.count:
        return Rebuilt(done=False, left=found.count)
    books.commit()
    return Rebuilt(done=True, left=0, balances=balances)
