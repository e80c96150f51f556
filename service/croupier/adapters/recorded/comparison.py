"""Compares how a replayed hand ended with what its record says; it decides what is a site's own way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import msgspec

from croupier.adapters.recorded import payoffs
from croupier.adapters.recorded.hand import RecordedHand, RecordedPot, ReturnedBet
from croupier.adapters.recorded.playing import Played, street_name
from croupier.adapters.recorded.verdict import SAME, Outcome, Verdict
from croupier.cards import cards_text
from croupier.engine import events as ev
from croupier.engine.hand import Hand

CAPPED_LAST_CALL: Final = "capped last call"
DRAW_UNSAID: Final = "draw left out"


def compare(recorded: RecordedHand, played: Played) -> Verdict:
    """The verdict on a hand that was played to its end."""
    differences = [
        *_cards(recorded, played),
        *_returned(recorded, played),
        *_pots(recorded, played),
        *_winners(recorded, played),
        *_showdown(recorded, played),
    ]
    paid = payoffs.compare(recorded, played)
    differences += paid.differences
    if differences:
        return Verdict(Outcome.DIFFERENT, tuple(differences))
    capped = [CAPPED_LAST_CALL] if played.capped else []
    unsaid = [DRAW_UNSAID] if played.unsaid else []
    ways = [*played.ways, *capped, *unsaid, *paid.sites_way]
    if ways:
        return Verdict(Outcome.SITES_OWN_WAY, tuple(ways))
    told = recorded.checkable and recorded.payoffs is not None
    return SAME if told else Verdict(Outcome.UP_TO_SHOWDOWN)


def _cards(recorded: RecordedHand, played: Played) -> Iterator[str]:
    """Whether all cards that decide the hand are told, and those drawn are those recorded.

    A board may be longer: some sites go on to show what would have come.
    """
    hand = played.hand
    if len(recorded.board) < len(hand.board):
        yield f"board: cut short at {len(recorded.board)} cards, the engine deals {len(hand.board)}"
    for seat, cards in zip(hand.seats, hand.hole_cards, strict=True):
        final = recorded.final_hands.get(seat)
        if final is not None and "??" not in final and set(final) != set(cards_text(cards)):
            yield f"seat {seat}: recorded {' '.join(final)}, the engine {' '.join(cards_text(cards))}"
    for position in _live(hand) if recorded.checkable and hand.in_hand > 1 else ():
        told = _held(recorded, hand.seats[position])
        if len(told) != hand.rules.game.hole_cards or "??" in told:
            yield f"seat {hand.seats[position]}: its cards decide the hand and are not told"


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
        return
    told = {seat: sum(amounts) for seat, amounts in recorded.winners.items() if amounts}
    for seat, won_in_all in told.items():
        paid = (recorded.payoffs or {}).get(seat)
        if paid is not None and won_in_all != paid + _put_in(recorded, seat):
            yield f"winners: seat {seat} with {won_in_all}, by its payoff it is {paid + _put_in(recorded, seat)}"
    awards = Counter[int]()
    for award in recorded.awards or ():
        awards[award.seat] += award.amount
    if recorded.awards is not None and told and awards != told:
        yield f"awards: recorded {dict(awards)}, by the winners {told}"


def _put_in(recorded: RecordedHand, seat: int) -> int:
    """By its actions, less what came back uncalled."""
    returned = recorded.uncalled_returned
    back = returned.amount if isinstance(returned, ReturnedBet) and returned.seat == seat else 0
    return sum(action.amount or 0 for action in recorded.actions if action.seat == seat) - back


def _showdown(recorded: RecordedHand, played: Played) -> Iterator[str]:
    """Whether it came to a showdown, and for whom; who of them showed is the site's."""
    hand = played.hand
    live = {hand.seats[position] for position in _live(hand)}
    if recorded.showdown is not None and recorded.showdown != (len(live) > 1):
        yield f"showdown: recorded {recorded.showdown}, the engine {len(live) > 1}"
    shown = [action for action in recorded.actions if action.type in ("show", "muck")]
    if recorded.showdown and sorted(action.seat for action in shown) != sorted(live):
        yield f"showdown: recorded {[action.seat for action in shown]}, the engine has seats {sorted(live)}"
    for action in shown:
        if action.type == "show" and not action.cards:
            yield f"showdown: seat {action.seat} shows no cards"
        elif action.type == "show" and _held(recorded, action.seat) != action.cards:
            yield f"showdown: seat {action.seat} shows other cards than it holds"
        if action.type == "muck" and action.cards:
            yield f"showdown: seat {action.seat} mucks and shows"


def _live(hand: Hand) -> list[int]:
    return [position for position, folded in enumerate(hand.folded) if not folded]


def _held(recorded: RecordedHand, seat: int) -> tuple[str, ...]:
    """What a seat held in the end, as far as it is told."""
    return recorded.final_hands.get(seat) or recorded.holes.get(seat, ())


def _awarded(played: Played) -> list[ev.PotAwarded]:
    return [event for event in played.events if isinstance(event, ev.PotAwarded)]
