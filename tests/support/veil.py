"""Two worlds with other cards have other roots of decks: here roots are made of places alone, so that all else shows.

That a root tells nothing of cards that were not opened is shown apart. So with what marks a table's state for tokens:
it follows from the journal's hash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from unittest.mock import patch

from croupier.engine.game import DECK_SIZE
from croupier.room import merkle
from croupier.room.actor import TableActor
from croupier.room.proofs import Deck


def _tree_of_places(deck: Deck, number: int) -> merkle.Tree:
    return merkle.tree(
        [sha256(deck.context + bytes((number, position))).digest() for position in range(DECK_SIZE)]
    )


@contextmanager
def dealt_by(deal: Callable[[bytes], bytes]) -> Iterator[None]:
    """Decks are those of a world; what commits to them says nothing."""
    with (
        patch("croupier.room.actor.shuffled", deal),
        patch.object(Deck, "_tree", _tree_of_places),
        patch.object(TableActor, "state_mark", lambda actor: b"%d" % actor.sequence),
    ):
        yield
