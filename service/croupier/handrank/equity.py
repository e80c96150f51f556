"""What share of a pot each of several hands wins, over all the ways in which unknown cards may fall.

All ways are gone through where they are few enough; else so many are drawn by lot, from a seed, and the result tells
its standard error. Counts are whole numbers. Odd chips, rake and side pots are not its business, nor what may yet be
drawn in draw poker: five cards held are compared as they are.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb, isqrt
from typing import Any, Final, NamedTuple

from croupier.cards import DECK
from croupier.handrank.equity_games import EQUITY_GAMES, EquityGame

try:
    from croupier.handrank._native import ffi, lib
except ImportError as error:
    raise ImportError("the native hand evaluator is not built; run: make native") from error

FEWEST_HANDS: Final = 2
SHARES: Final = 5040
"""Shares that a pot is of: halves of it, and equal parts of either for up to ten, are whole."""
MOST_DEALS: Final = 2_000_000
"""Deals looked at unless something else is asked for: every board of two Hold'em hands (1,712,304) is among so many."""
LARGEST_SEED: Final = 2**64 - 1

_UNKNOWN: Final = 255
_MOST_DEALT_OUT: Final = 150_000
"""Ways of dealing unknown hole cards that are gone through one by one, at about ten microseconds each."""
_SLICE_NS: Final = 1_000_000


class Stopped(Exception):
    """Raised where a calculation was told to stop."""


class Question(NamedTuple):
    """Hands of one game. A hand with fewer cards than the game deals has others that nobody knows, not in draw poker.

    `dead` cards are out of play. At most `most_deals` are looked at; where there are more, so many are drawn by lot
    from `seed`, 0 to LARGEST_SEED.
    """

    game: EquityGame
    hands: Sequence[bytes]
    board: bytes = b""
    dead: bytes = b""
    most_deals: int = MOST_DEALS
    seed: int = 0


class HandEquity(NamedTuple):
    """Of so many deals, those in which the hand takes all of the pot (`wins`) or part of it (`ties`).

    `shares` are all that it takes in them, SHARES a pot; `squares` adds up the square of each deal's shares.
    """

    deals: int
    wins: int
    ties: int
    shares: int
    squares: int

    def per(self, whole: int) -> int:
        """The equity in parts of `whole`, to the nearest: 10,000 for basis points."""
        pot = SHARES * self.deals
        return (2 * whole * self.shares + pot) // (2 * pot)

    def standard_error_per(self, whole: int) -> int:
        """The standard error of the equity as drawn by lot, in parts of `whole`, rounded down."""
        spread = self.deals * self.squares - self.shares**2
        return isqrt(spread * whole**2 // (self.deals**3 * SHARES**2))


class Equity(NamedTuple):
    """A part for each hand, in the order asked. `exact` where every deal was looked at once."""

    hands: tuple[HandEquity, ...]
    deals: int
    exact: bool


def check(question: Question) -> None:
    """Raises ValueError for what cannot be dealt; the text names no card."""
    game, hands = question.game, question.hands
    if not FEWEST_HANDS <= len(hands) <= game.most_hands:
        raise ValueError(f"{FEWEST_HANDS} to {game.most_hands} hands can be compared, not {len(hands)}")
    fewest = 0 if game.board_cards else game.hole_cards
    for place, hand in enumerate(hands, start=1):
        if not fewest <= len(hand) <= game.hole_cards:
            raise ValueError(f"hand {place} has {len(hand)} cards, and {game.name} deals {game.hole_cards}")
    if len(question.board) > game.board_cards:
        raise ValueError(f"a board of {len(question.board)} cards, and {game.name} has {game.board_cards}")
    cards = b"".join((*hands, question.board, question.dead))
    if max(cards, default=0) >= len(DECK):
        raise ValueError("a card is out of range: they go from 0 to 51")
    if len(set(cards)) != len(cards):
        raise ValueError("a card appears twice")
    if _missing(question) > len(DECK) - len(cards):
        raise ValueError("there are too many dead cards for the hands and the board")
    if question.most_deals < 1 or not 0 <= question.seed <= LARGEST_SEED:
        raise ValueError(f"most_deals begins at 1, and seeds go from 0 to {LARGEST_SEED}")


def all_deals(question: Question) -> int:
    """In how many ways the unknown cards may fall."""
    return _dealt_out(question) * _boards(question)


def calculate(question: Question, stopped: Callable[[], bool] = lambda: False) -> Equity:
    """The equities. `stopped` is asked about every millisecond, and Stopped raised once it says so.

    The interpreter lock is held for a few microseconds of that millisecond. Raises ValueError as `check` does.
    """
    check(question)
    exact = all_deals(question) <= question.most_deals and _dealt_out(question) <= _MOST_DEALT_OUT
    tallies: Any = ffi.new("struct croupier_equity_tally[]", len(question.hands))
    for step in _all(question) if exact else _by_lot(question):
        if stopped():
            raise Stopped
        if not step(tallies):
            raise ValueError("the native evaluator refused cards that are well-formed")
    deals = all_deals(question) if exact else question.most_deals
    parts = [HandEquity(deals, one.wins, one.ties, one.shares, one.squares) for one in tallies]
    return Equity(tuple(parts), deals, exact)


_Step = Callable[[Any], bool]


def _all(question: Question) -> Iterator[_Step]:
    boards, most = _boards(question), _slice(question)
    for hands in _with_unknown_dealt(question.hands, question.game.hole_cards, _stub(question)):
        deal = _deal(question._replace(hands=hands))
        for first in range(0, boards, most):
            yield lambda tallies, deal=deal, first=first: lib.croupier_equity_enumerate(  # type: ignore[misc]
                deal, first, most, tallies
            )


def _by_lot(question: Question) -> Iterator[_Step]:
    deal, most = _deal(question), _slice(question)
    for first in range(0, question.most_deals, most):
        count = min(most, question.most_deals - first)
        yield lambda tallies, first=first, count=count: lib.croupier_equity_sample(  # type: ignore[misc]
            deal, question.seed, first, count, tallies
        )


def _with_unknown_dealt(hands: Sequence[bytes], size: int, stub: bytes) -> Iterator[list[bytes]]:
    """The hands, with every choice from the stub for the cards that they lack."""
    if not hands:
        yield []
        return
    for more in combinations(stub, size - len(hands[0])):
        left = bytes([card for card in stub if card not in more])
        for others in _with_unknown_dealt(hands[1:], size, left):
            yield [hands[0] + bytes(more), *others]


def _deal(question: Question) -> Any:
    """The question as the native code takes it."""
    game, stub = question.game, _stub(question)
    full = [hand.ljust(game.hole_cards, bytes([_UNKNOWN])) for hand in question.hands]
    deal: Any = ffi.new("struct croupier_equity_deal *")
    deal.game, deal.hand_count, deal.hole_count = game.number, len(full), game.hole_cards
    deal.board_count, deal.stub_count = len(question.board), len(stub)
    ffi.memmove(deal.hole_cards, b"".join(full), len(full) * game.hole_cards)
    ffi.memmove(deal.board, question.board, len(question.board))
    ffi.memmove(deal.stub, stub, len(stub))
    return deal


def _stub(question: Question) -> bytes:
    seen = b"".join((*question.hands, question.board, question.dead))
    return bytes([card for card in DECK if card not in seen])


def _missing(question: Question) -> int:
    """Cards that nobody knows, of hands and board."""
    game = question.game
    unknown = game.hole_cards * len(question.hands) - sum(map(len, question.hands))
    return unknown + game.board_cards - len(question.board)


def _dealt_out(question: Question) -> int:
    """In how many ways the unknown hole cards may fall."""
    left, ways = len(_stub(question)), 1
    for hand in question.hands:
        lacking = question.game.hole_cards - len(hand)
        ways *= comb(left, lacking)
        left -= lacking
    return ways


def _boards(question: Question) -> int:
    """In how many ways the rest of the board may fall, once all hands are known."""
    to_come = question.game.board_cards - len(question.board)
    return comb(len(_stub(question)) - (_missing(question) - to_come), to_come)


def _slice(question: Question) -> int:
    """Deals that take about as long as a calculation may go unasked."""
    return _SLICE_NS // (question.game.ranking_ns * len(question.hands))


def game_named(name: str) -> EquityGame:
    """Raises ValueError for an unknown name."""
    game = EQUITY_GAMES.get(name)
    if game is None:
        raise ValueError(f"no game is called {name!r}; there are {', '.join(EQUITY_GAMES)}")
    return game
