"""Everybody who can look at a table, and what of others' affairs is theirs to see."""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from croupier.room.principal import LOCAL, Principal

PLAYERS: Final = ("anna", "bert", "cleo", "dora", "emil", "fritz", "gina")
"""Who sits at tables, from seat 1 on."""
NEWCOMER: Final = "walt"
"""Has money and a place on the waiting list, and no seat."""


class Viewer(NamedTuple):
    """`name` is whose view is asked for (empty: nobody's); `sees` are players whose cards, wishes and wallets are
    the viewer's to see; `reads_books` where wallets of all are."""

    kind: str
    principal: Principal
    name: str = ""
    sees: tuple[str, ...] = ()
    reads_books: bool = False


def player(name: str) -> Principal:
    """As a player's own credential has it."""
    return Principal(f"player/{name}", "player", name)


KINDS: Final = (
    "player",
    "player beside",
    "backend of one",
    "newcomer",
    "nobody",
    "observer",
    "operator",
    "auditor",
    "backend of another house",
    "backend",
)


def viewer(kind: str, random: Random, seated: int) -> Viewer:
    """A viewer of the kind; where that is a player, one of those seated."""
    one = random.choice(PLAYERS[:seated])
    match kind:
        case "player":
            return Viewer(kind, player(one), one, (one,))
        case "player beside":
            return Viewer(kind, player(PLAYERS[0]), PLAYERS[0], (PLAYERS[0],))
        case "backend of one":
            return Viewer(kind, Principal("backend/one", "backend", players=(one,)), one, (one,))
        case "newcomer":
            return Viewer(kind, player(NEWCOMER), NEWCOMER, (NEWCOMER,))
        case "nobody":
            return Viewer(kind, player("zoe"), "", ("zoe",))
        case "observer":
            return Viewer(kind, Principal("observer/olga", "observer"))
        case "operator":
            return Viewer(kind, Principal("operator/otto", "operator"), reads_books=True)
        case "auditor":
            return Viewer(kind, Principal("auditor/ada", "auditor"), reads_books=True)
        case "backend of another house":
            houses = frozenset({"nowhere"})
            elsewhere = Principal("backend/else", "backend", players=("zoe",), houses=houses)
            return Viewer(kind, elsewhere, sees=("zoe",))
        case _:
            return Viewer(kind, LOCAL, one, (*PLAYERS, NEWCOMER, "zoe"), reads_books=True)
