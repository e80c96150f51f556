"""How the keys of a house file must fit together; what each may be by itself, schema.py says."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from croupier.engine.game import DECK_SIZE, Game
from croupier.engine.rules import Structure
from croupier.houses import rake_rows
from croupier.houses.offers import highest_min_bet, structure_of
from croupier.houses.reading import Unfit
from croupier.houses.schema import MOST_CHIPS, GameSection, HouseFile, OfferSection, RakeRow


def check(file: HouseFile, games: Mapping[str, Game]) -> None:
    """Raises Unfit for the first contradiction. `games` are those that can be played, by name."""
    for checks in (
        _table(file),
        _games(file, games),
        _offers(file),
        _entry(file),
        _rake(file),
        _seal(file),
    ):
        for key, right, fits in checks:
            if not fits:
                raise Unfit(key, f"must be {right}")


Checks = Iterator[tuple[str, str, bool]]
"""A key, what would be right there, and whether it is."""


def _table(file: HouseFile) -> Checks:
    table = file.table
    seats = f"from table.min_seat_count, {table.min_seat_count},"
    times = table.action_times_s
    yield "table.max_seat_count", f"{seats} to 10", table.min_seat_count <= table.max_seat_count
    fits = table.min_seat_count <= table.default_seat_count <= table.max_seat_count
    yield "table.default_seat_count", f"{seats} to table.max_seat_count, {table.max_seat_count}", fits
    yield "table.action_times_s", "one or more times, each longer than the one before", _rising(times)
    yield (
        "table.default_action_time_s",
        f"one of table.action_times_s: {_listed(times)}",
        table.default_action_time_s in times,
    )
    shortest = table.shortest_action_time_s
    yield (
        "table.shortest_action_time_s",
        f"at most {times[0]}, the shortest action time",
        shortest <= times[0],
    )
    yield (
        "table.default_hand_pause_ms",
        f"at most table.max_hand_pause_ms, {table.max_hand_pause_ms}",
        table.default_hand_pause_ms <= table.max_hand_pause_ms,
    )
    no_limit = any(offer.structure == "no_limit" for offer in file.offers)
    yield (
        "table.all_in_rules",
        "empty where no offer is no_limit, which alone they hold in",
        no_limit or not table.all_in_rules,
    )


def _seal(file: HouseFile) -> Checks:
    escrow = file.seal.hand_keys == "escrow"
    key = file.seal.auditor_key
    yield "seal.auditor_key", "set with hand_keys escrow, and with no other", escrow == bool(key)
    yield (
        "seal.auditor_key",
        "an X25519 public key, and none of the weak ones",
        not key or key not in _WEAK,
    )


# Points of small order: with them anybody knows the shared secret.
_WEAK = frozenset(
    (
        "00" * 32,
        "01" + "00" * 31,
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ec" + "ff" * 30 + "7f",
        "ed" + "ff" * 30 + "7f",
        "ee" + "ff" * 30 + "7f",
    )
)


def _games(file: HouseFile, games: Mapping[str, Game]) -> Checks:
    offered = {game for offer in file.offers for game in offer.games}
    for name, options in file.games.items():
        key = f"games.{name}"
        yield key, f"named as one of {_listed(sorted(games))}", name in games
        yield key, "named by one of the offers, or left out", name in offered
        yield from _seats(file, options, key, games[name])
        draws = games[name].draws
        yield (
            f"{key}.most_drawn",
            "0, or left out: nobody draws in this game",
            draws or not options.most_drawn,
        )
        yield (
            f"{key}.last_round_opener",
            '"first", or left out: nobody draws in this game',
            draws or options.last_round_opener == "first",
        )


def _seats(file: HouseFile, options: GameSection, key: str, game: Game) -> Checks:
    """R-T1, R-H8: never more seats than the deck can deal."""
    deck = max(count for count in range(1, 11) if game.cards_needed(count, options.most_drawn) <= DECK_SIZE)
    fewest, most = file.table.min_seat_count, min(deck, file.table.max_seat_count)
    yield (
        f"{key}.max_seat_count",
        f"from {fewest} to {most}; the deck is enough for {deck} at this game",
        fewest <= (options.max_seat_count or file.table.max_seat_count) <= most,
    )


def _offers(file: HouseFile) -> Checks:
    yield "offers", "one or more", bool(file.offers)
    taken: set[tuple[str, str]] = set()
    for number, offer in enumerate(file.offers, start=1):
        key = f"offers#{number}"
        yield f"{key}.games", "one or more games", bool(offer.games)
        for game in offer.games:
            yield f"{key}.games", f"among [games]: {_listed(file.games)}; not {game}", game in file.games
            pair = (game, offer.structure)
            yield (
                f"{key}.structure",
                f"another: {game} is offered in {offer.structure} before, put all min_bets there",
                pair not in taken,
            )
            taken.add(pair)
        yield from _stakes(file, offer, key)


def _stakes(file: HouseFile, offer: OfferSection, key: str) -> Checks:
    listed = offer.lowest_min_bet is None
    yield f"{key}.min_bets", "one or more bets, or else lowest_min_bet one", listed == bool(offer.min_bets)
    blinds = any(file.games[game].blinds for game in offer.games)
    least = 2 if blinds else 1
    if listed:
        yield f"{key}.min_bets", "each larger than the one before", _rising(offer.min_bets)
        yield (
            f"{key}.min_bets",
            "even and 2 or more, so that the small blind is half of one",
            not blinds or all(bet >= 2 and bet % 2 == 0 for bet in offer.min_bets),
        )
        yield f"{key}.min_bets", "1 or more", offer.min_bets[0] >= 1
    else:
        yield (
            f"{key}.lowest_min_bet",
            f"from {least} up to what max_buy_in leaves within {MOST_CHIPS} chips",
            least <= (offer.lowest_min_bet or 0) <= highest_min_bet(offer),
        )
    yield (
        f"{key}.max_buy_in",
        f"at least min_buy_in, {offer.min_buy_in}",
        offer.min_buy_in <= offer.max_buy_in,
    )
    yield (
        f"{key}.max_buy_in",
        f"such that the greatest buy-in is at most {MOST_CHIPS} chips",
        highest_min_bet(offer) * offer.max_buy_in <= MOST_CHIPS,
    )
    spread = offer.structure == "spread_limit"
    right = "there, in minimum bets: spread_limit's greatest" if spread else "left out but in spread_limit"
    yield f"{key}.max_bet", right, spread == (offer.max_bet is not None)


def _entry(file: HouseFile) -> Checks:
    """Experience, passes and what newcomers owe."""
    levels, minimums = file.experience.levels, file.experience.minimums
    yield "experience.levels", "all different", len(set(levels)) == len(levels)
    bets = [minimum.from_min_bet for minimum in minimums]
    yield "experience.minimums", "by from_min_bet, each larger than the one before", not bets or _rising(bets)
    for number, minimum in enumerate(minimums, start=1):
        key = f"experience.minimums#{number}.level"
        yield key, f"one of experience.levels: {_listed(levels)}", minimum.level in levels
    free = file.free_play
    yield "free_play.days", "all different", len(set(free.days)) == len(free.days)
    yield (
        "free_play.time_zone",
        'a time zone such as "America/Los_Angeles"; left out where free_play.days is',
        _zone_known(free.time_zone) if free.days else not free.time_zone,
    )
    blinds = any(options.blinds for options in file.games.values())
    yield "seat.newcomers", '"free": no game here has blinds', blinds or file.seat.newcomers == "free"


def _rake(file: HouseFile) -> Checks:
    rows = file.rake.rows
    most = file.rake.most_basis_points
    for number, row in enumerate(rows, start=1):
        key = f"rake.rows#{number}"
        yield f"{key}.structures", "one or more", bool(row.structures)
        yield (
            f"{key}.step_of",
            "1 or more, or left out together with step",
            bool(row.step) == bool(row.step_of),
        )
        yield f"{key}.step", "at most step_of", row.step <= row.step_of
        yield (
            f"{key}.basis_points",
            "0, or left out, beside a step",
            not (row.basis_points and row.step_of),
        )
        pot = rake_rows.takes_more_than(row, most)
        share = f"at most rake.most_basis_points, {most}, of any pot; it takes more of {pot}"
        yield f"{key}.{'step' if row.step_of else 'basis_points'}", share, not pot
        yield from _caps(file, row, key)
    if rows:
        yield from _rows_for_offers(file)


def _caps(file: HouseFile, row: RakeRow, key: str) -> Checks:
    players = [cap.players for cap in row.caps]
    yield f"{key}.caps", "by players, each more than the one before", not players or _rising(players)
    yield (
        f"{key}.caps",
        f"for up to table.max_seat_count, {file.table.max_seat_count}, players, or for none",
        not players or players[-1] >= file.table.max_seat_count,
    )


def _rows_for_offers(file: HouseFile) -> Checks:
    """Where there is a rake at all, every stake offered has its row (R-K3)."""
    for structure in Structure:
        rows = rake_rows.rows_of(file.rake.rows, structure)
        begins = [row.from_min_bet for row in rows]
        name = structure.name.lower()
        yield "rake.rows", f"one at most for {name} from each from_min_bet", not begins or _rising(begins)
    for number, offer in enumerate(file.offers, start=1):
        rows = rake_rows.rows_of(file.rake.rows, structure_of(offer))
        begin = f"; the lowest begins at {rows[0].from_min_bet}" if rows else ""
        lowest = offer.min_bets[0] if offer.lowest_min_bet is None else offer.lowest_min_bet
        yield (
            "rake.rows",
            f"there for {offer.structure} from {lowest}, which offers#{number} needs{begin}",
            bool(rows) and rows[0].from_min_bet <= lowest,
        )


def _rising(values: Sequence[int]) -> bool:
    return bool(values) and all(one < next_one for one, next_one in pairwise(values))


def _listed(values: Iterator[object] | Sequence[object] | Mapping[str, object]) -> str:
    return ", ".join(str(value) for value in values)


def _zone_known(name: str) -> bool:
    try:
        zoneinfo.ZoneInfo(name)
    except (OSError, ValueError, zoneinfo.ZoneInfoNotFoundError):
        return False
    return True
