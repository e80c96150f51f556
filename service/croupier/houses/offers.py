"""What a house offers, worked out from its file: each game and structure with its stakes, seats and rake."""

from __future__ import annotations

import msgspec

from croupier.engine.rake import NO_RAKE, RakeSchedule
from croupier.engine.rules import Structure
from croupier.houses import rake_rows
from croupier.houses.schema import MOST_CHIPS, HouseFile, OfferSection


class Stakes(msgspec.Struct, frozen=True):
    """What a minimum bet means in a structure, in chips.

    `big_bet` is fixed limit's bet of the later streets, spread limit's greatest bet or raise, and 0 elsewhere.
    """

    min_bet: int
    big_bet: int
    small_blind: int
    big_blind: int
    min_buy_in: int
    max_buy_in: int


class Offer(msgspec.Struct, frozen=True):
    """A game and a structure at minimum bets from `min_bet` to `max_min_bet`, which share all that is here.

    `min_experience` is a place on the house's ladder.
    """

    game: str
    structure: Structure
    section: OfferSection
    blinds: bool
    min_bet: int
    max_min_bet: int
    max_seat_count: int
    rake: RakeSchedule
    min_experience: int

    def stakes(self, min_bet: int) -> Stakes:
        """Bets, blinds and buy-ins; half a minimum bet is rounded down (R-T2, R-T3, R-T4)."""
        big_bet = 0
        if self.structure is Structure.FIXED_LIMIT:
            big_bet = 2 * min_bet
        elif self.section.max_bet is not None:
            big_bet = self.section.max_bet * min_bet
        return Stakes(
            min_bet=min_bet,
            big_bet=big_bet,
            small_blind=min_bet // 2 if self.blinds else 0,
            big_blind=min_bet if self.blinds else 0,
            min_buy_in=self.section.min_buy_in * min_bet,
            max_buy_in=self.section.max_buy_in * min_bet,
        )


def offers_of(file: HouseFile, max_min_bet: int | None = None) -> tuple[Offer, ...]:
    """Everything a checked file offers, by game and structure, smallest stakes first.

    Nothing above `max_min_bet`, an ocean's cap, is offered (R-T2).
    """
    found = [
        offer
        for section in file.offers
        for game in section.games
        for low, high in _spans(file, section)
        if (offer := _offer(file, section, game, low, high, max_min_bet)) is not None
    ]
    order = list(file.games)
    found.sort(key=lambda offer: (order.index(offer.game), offer.structure, offer.min_bet))
    return tuple(found)


def highest_min_bet(section: OfferSection) -> int:
    """The greatest minimum bet of an offer."""
    return section.min_bets[-1] if section.min_bets else MOST_CHIPS // section.max_buy_in


def structure_of(section: OfferSection) -> Structure:
    """The offer's structure as the engine names it."""
    return Structure[section.structure.upper()]


def _spans(file: HouseFile, section: OfferSection) -> list[tuple[int, int]]:
    """Minimum bets from and to, cut where another row of the rake or another level of experience begins."""
    if section.lowest_min_bet is None:
        return [(bet, bet) for bet in section.min_bets]
    lowest, highest = section.lowest_min_bet, highest_min_bet(section)
    begins = {row.from_min_bet for row in rake_rows.rows_of(file.rake.rows, structure_of(section))}
    begins |= {minimum.from_min_bet for minimum in file.experience.minimums}
    starts = [lowest, *sorted(begin for begin in begins if lowest < begin <= highest)]
    return [(start, end - 1) for start, end in zip(starts, [*starts[1:], highest + 1], strict=True)]


def _offer(
    file: HouseFile, section: OfferSection, game: str, low: int, high: int, cap: int | None
) -> Offer | None:
    if cap is not None:
        high = min(high, cap)
    if high < low:
        return None
    structure = structure_of(section)
    options = file.games[game]
    return Offer(
        game=game,
        structure=structure,
        section=section,
        blinds=options.blinds,
        min_bet=low,
        max_min_bet=high,
        max_seat_count=options.max_seat_count or file.table.max_seat_count,
        rake=_rake(file, structure, low),
        min_experience=_min_experience(file, low),
    )


def _rake(file: HouseFile, structure: Structure, min_bet: int) -> RakeSchedule:
    """The row found by the minimum bet; stakes between two rows take the row below (R-K3)."""
    rows = [row for row in rake_rows.rows_of(file.rake.rows, structure) if row.from_min_bet <= min_bet]
    return rake_rows.schedule(rows[-1]) if rows else NO_RAKE


def _min_experience(file: HouseFile, min_bet: int) -> int:
    levels = [one.level for one in file.experience.minimums if one.from_min_bet <= min_bet]
    return file.experience.levels.index(levels[-1]) if levels else 0
