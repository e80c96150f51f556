"""What a table keeps of the shares that players have in the coming hand's deal. It decides nothing."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from croupier.engine import events as ev
from croupier.engine import table_events as tev


def place_of(entropy: Sequence[ev.Entropy], player_id: str) -> int | None:
    """Where a player's share stands."""
    for place, part in enumerate(entropy):
        if part.player_id == player_id:
            return place
    return None


def entropy_of(coming: tev.ComingDeal | None, roots: Sequence[bytes]) -> tuple[ev.Entropy, ...]:
    """The share of players in a deal from these decks: what was revealed for others counts as never revealed."""
    if coming is None:
        return ()
    if roots and tuple(roots) == coming.roots:
        return tuple(coming.entropy)
    return tuple([ev.Entropy(part.player_id, part.commitment) for part in coming.entropy])


def entropy_committed(carried: tev.TableCarried, event: tev.EntropyCommitted) -> None:
    """Apply it."""
    if carried.coming is None:
        carried.coming = tev.ComingDeal([])
    carried.coming.entropy.append(ev.Entropy(event.player_id, event.commitment))


def deck_committed(carried: tev.TableCarried, event: tev.DeckCommitted) -> None:
    """Apply it."""
    carried.coming = tev.ComingDeal(carried.coming.entropy if carried.coming else [], event.roots)


def entropy_revealed(carried: tev.TableCarried, event: tev.EntropyRevealed) -> None:
    """Apply it."""
    entropy = carried.coming.entropy if carried.coming else []
    place = place_of(entropy, event.player_id)
    if place is not None:
        entropy[place] = msgspec.structs.replace(entropy[place], revealed=event.entropy)


def player_left(carried: tev.TableCarried, player_id: str) -> None:
    """A commitment of who is gone before the deck is fixed counts for nothing."""
    coming = carried.coming
    if coming is not None and not coming.roots:
        kept = [part for part in coming.entropy if part.player_id != player_id]
        carried.coming = tev.ComingDeal(kept) if kept else None
