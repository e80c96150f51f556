"""What cards may be ranked; it ranks none. Its messages name no card: hole cards must not reach a log."""

from __future__ import annotations

from croupier.cards import DECK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_NO_CARDS = 0xE000E000E000E000


def check_hand(cards: bytes) -> None:
    """Raises ValueError unless these are 5 to 7 different cards."""
    if not 5 <= len(cards) <= 7:
        raise ValueError(f"a hand is ranked from 5 to 7 cards, not {len(cards)}")
    _check_deal(cards)


def check_set(cards: int) -> None:
    """Raises ValueError unless every bit of the set is a card: 16 * suit + rank."""
    if not 0 <= cards < 1 << 64 or cards & _NO_CARDS:
        raise ValueError("a set of cards has a bit that is none: bit 16 * suit + rank")


def check_showdown(hole_cards: Sequence[bytes], board: bytes) -> None:
    """Raises ValueError unless each hand has 2 hole cards, the board 3 to 5, and all of them differ."""
    if not 3 <= len(board) <= 5:
        raise ValueError(f"a board has 3 to 5 cards, not {len(board)}")
    for hole in hole_cards:
        if len(hole) != 2:
            raise ValueError(f"a Hold'em hand has 2 hole cards, not {len(hole)}")
    _check_deal(b"".join(hole_cards) + board)


def check_omaha_showdown(hole_cards: Sequence[bytes], board: bytes) -> None:
    """Raises ValueError unless each hand has 4, 5 or 6 hole cards, all hands as many, the board 3 to 5, and
    all of them differ."""
    if not 3 <= len(board) <= 5:
        raise ValueError(f"a board has 3 to 5 cards, not {len(board)}")
    for hole in hole_cards:
        if not 4 <= len(hole) <= 6:
            raise ValueError(f"an Omaha hand has 4, 5 or 6 hole cards, not {len(hole)}")
        if len(hole) != len(hole_cards[0]):
            raise ValueError(
                f"Omaha hands of {len(hole_cards[0])} and {len(hole)} hole cards in one showdown"
            )
    _check_deal(b"".join(hole_cards) + board)


def check_draw_showdown(hole_cards: Sequence[bytes], board: bytes) -> None:
    """Raises ValueError unless each hand has 5 cards, there is no board, and all cards differ."""
    if board:
        raise ValueError(f"draw poker has no board, and here are {len(board)} cards of one")
    for hole in hole_cards:
        if len(hole) != 5:
            raise ValueError(f"a draw hand has 5 cards, not {len(hole)}")
    _check_deal(b"".join(hole_cards))


def _check_deal(cards: bytes) -> None:
    if max(cards, default=0) >= len(DECK):
        raise ValueError("a card is out of range: they go from 0 to 51")
    if len(set(cards)) != len(cards):
        raise ValueError("a card appears twice")
