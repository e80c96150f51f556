"""Compares how a replayed hand ended with what its record says; it decides what is a site's own way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from croupier.adapters.recorded import payoffs
from croupier.adapters.recorded.hand import RecordedHand, RecordedPot, ReturnedBet
from croupier.adapters.recorded.playing import Played, street_name
from croupier.adapters.recorded.verdict import SAME, Outcome, Verdict
from croupier.engine import events as ev

CAPPED_LAST_CALL: Final = "capped last call"


def compare(recorded: RecordedHand, played: Played) -> Verdict:
    """The verdict on a hand that was played to its end."""
    differences = [
        *_returned(recorded, played),
        *_pots(recorded, played),
        *_winners(recorded, played),
        *_showdown(recorded, played),
    ]
    paid = payoffs.compare(recorded, played)
    differences += paid.differences
    if differences:
        return Verdict(Outcome.DIFFERENT, tuple(differences))
    ways = [*([CAPPED_LAST_CALL] if played.capped else []), *paid.sites_way]
    if ways:
        return Verdict(Outcome.SITES_OWN_WAY, tuple(ways))
    told = recorded.checkable and recorded.payoffs is not None
    return SAME if told else Verdict(Outcome.UP_TO_SHOWDOWN)


def _returned(recorded: RecordedHand, played: Played) -> Iterator[str]:
    if recorded.uncalled_returned is msgspec.UNSET:
        return
    told = recorded.uncalled_returned
    returned: ReturnedBet | None = None
    street = int(played.hand.rules.game.streets[0].street)
    for event in played.events:
        if isinstance(event, ev.StreetDealt):
            street = event.street
        elif isinstance(event, ev.UncalledBetReturned) and event.amount > played.capped:
            returned = ReturnedBet(event.seat, event.amount - played.capped, street_name(street))
    if returned != told:
        yield f"uncalled: recorded {_bet_text(told)}, the engine returns {_bet_text(returned)}"


def _bet_text(bet: object) -> str:
    return f"{bet.amount} to seat {bet.seat} ({bet.street})" if isinstance(bet, ReturnedBet) else "nothing"


def _pots(recorded: RecordedHand, played: Played) -> Iterator[str]:
    if recorded.pots is None:
        return
    awarded = sorted(_awarded(played), key=lambda event: event.index)
    total = sum(event.amount for event in awarded)
    if recorded.pot is not None and recorded.pot != total:
        yield f"pot: recorded {recorded.pot}, the engine has {total}"
    told = [_pot_text(pot.amount, pot.eligible) for pot in recorded.pots]
    made = [_pot_text(event.amount, event.eligible_seats) for event in awarded]
    if told != made:
        yield f"pots: recorded {'; '.join(told)}, the engine has {'; '.join(made)}"
        return
    if not recorded.checkable:
        return
    for pot, event in zip(recorded.pots, awarded, strict=True):
        if sorted(_winners_of(pot)) != sorted(event.winners):
            yield f"pot {event.index}: recorded winners {_winners_of(pot)}, the engine's {event.winners}"
        elif not _same_lows(pot, event):
            yield f"pot {event.index}: recorded lows {pot.lo_winners}, the engine's {event.low_winners}"


def _winners_of(pot: RecordedPot) -> tuple[int, ...]:
    """Who won the pot; one eligible alone wins it without a word."""
    return pot.eligible if pot.hi_winners is None else pot.hi_winners


def _same_lows(pot: RecordedPot, event: ev.PotAwarded) -> bool:
    """Whether the low was won by those recorded; a pot of the same winners is not halved here (R-P5)."""
    told = sorted(pot.lo_winners or ())
    return told == sorted(event.low_winners) or (not event.low_winners and told == sorted(event.winners))


def _pot_text(amount: int, eligible: tuple[int, ...]) -> str:
    return f"{amount} for seats {', '.join(str(seat) for seat in sorted(eligible))}"


def _winners(recorded: RecordedHand, played: Played) -> Iterator[str]:
    if recorded.winners is None or not recorded.checkable:
        return
    won = {seat for event in _awarded(played) for seat in (*event.winners, *event.low_winners)}
    if set(recorded.winners) != won:
        yield f"winners: recorded {sorted(recorded.winners)}, the engine's {sorted(won)}"


def _showdown(recorded: RecordedHand, played: Played) -> Iterator[str]:
    """Whether it came to a showdown, and for whom; who of them showed is the site's."""
    hand = played.hand
    live = {seat for seat, folded in zip(hand.seats, hand.folded, strict=True) if not folded}
    if recorded.showdown is not None and recorded.showdown != (len(live) > 1):
        yield f"showdown: recorded {recorded.showdown}, the engine {len(live) > 1}"
    shown = [action for action in recorded.actions if action.type in ("show", "muck")]
    if recorded.showdown and sorted(action.seat for action in shown) != sorted(live):
        yield f"showdown: recorded {[action.seat for action in shown]}, the engine has seats {sorted(live)}"
    for action in shown:
        if action.type == "show" and recorded.holes.get(action.seat) != action.cards:
            yield f"showdown: seat {action.seat} shows other cards than it holds"
        if action.type == "muck" and action.cards:
            yield f"showdown: seat {action.seat} mucks and shows"


def _awarded(played: Played) -> list[ev.PotAwarded]:
    return [event for event in played.events if isinstance(event, ev.PotAwarded)]
