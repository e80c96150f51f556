"""What a table keeps of players without a seat: who waits for one, and who left ahead. It decides nothing."""

from __future__ import annotations

from croupier.engine import table_events as tev
from croupier.engine.rejection import InvariantViolation


def waiting_of(carried: tev.TableCarried, player_id: str) -> tev.Waiting | None:
    """A player's place in the waiting list, None where the player does not wait."""
    for one in carried.waiting:
        if one.player_id == player_id:
            return one
    return None


def joined(carried: tev.TableCarried, event: tev.WaitingListJoined) -> None:
    """The player waits behind all others."""
    carried.waiting.append(tev.Waiting(event.player_id))


def left(carried: tev.TableCarried, event: tev.WaitingListLeft) -> None:
    """The player waits no longer; no seat is held for the player."""
    carried.waiting.remove(_must_wait(carried, event.player_id))


def offered(carried: tev.TableCarried, event: tev.SeatOffered) -> None:
    """The seat is held for the player."""
    one = _must_wait(carried, event.player_id)
    one.seat, one.until = event.seat, event.until


def _must_wait(carried: tev.TableCarried, player_id: str) -> tev.Waiting:
    one = waiting_of(carried, player_id)
    if one is None:
        raise InvariantViolation(f"{player_id} does not wait")
    return one


def remember(carried: tev.TableCarried, event: tev.PlayerLeft, brought: int, window: int) -> None:
    """Keep what a player left with who is ahead; what is older than the window, in nanoseconds, is forgotten."""
    now = event.banked_until - window
    for player_id in [name for name, one in carried.cashed_out.items() if one.until <= now]:
        del carried.cashed_out[player_id]
    carried.cashed_out[event.player_id] = tev.CashedOut(event.amount, event.banked_until, brought)
