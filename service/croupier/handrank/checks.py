"""What cards may be ranked; it ranks none. Its messages name no card: hole cards must not reach a log."""

from __future__ import annotations

from operator import index

from croupier.cards import DECK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import SupportsIndex, TypeAlias

    from _typeshed import ReadableBuffer

    Hands: TypeAlias = Sequence[ReadableBuffer]
    Showdown: TypeAlias = tuple[list[bytes], bytes]

_NO_CARDS = 0xE000E000E000E000


def bytes_of(buffer: ReadableBuffer) -> memoryview:
    """The bytes of a buffer of cards, where they lie. Raises ValueError for other numbers and where they lie apart,
    TypeError for what is no buffer."""
    view = memoryview(buffer)
    if view.itemsize != 1:
        raise ValueError(f"cards are bytes, not numbers of {view.itemsize} bytes")
    return in_one_piece(view)


def in_one_piece(view: memoryview) -> memoryview:
    """The bytes of a buffer of any numbers. Raises ValueError where they lie apart."""
    if not view.c_contiguous:
        raise ValueError("the bytes of a buffer must lie in one piece")
    return view.cast("B") if view.nbytes else memoryview(b"")


def cards_or_set(cards: ReadableBuffer | SupportsIndex) -> bytes | int:
    """What `rank` is asked for: a buffer without dimensions is a number, as NumPy's scalars are. Raises as
    `bytes_of`."""
    try:
        view = memoryview(cards)  # type: ignore[arg-type]
    except TypeError:
        return index(cards)  # type: ignore[arg-type]
    return bytes(bytes_of(view)) if view.ndim else index(cards)  # type: ignore[arg-type]


def check_hand(cards: bytes) -> None:
    """Raises ValueError unless these are 5 to 7 different cards."""
    if not 5 <= len(cards) <= 7:
        raise ValueError(f"a hand is ranked from 5 to 7 cards, not {len(cards)}")
    _check_deal(cards)


def check_set(cards: int) -> None:
    """Raises ValueError unless every bit of the set is a card: 16 * suit + rank."""
    if not 0 <= cards < 1 << 64 or cards & _NO_CARDS:
        raise ValueError("a set of cards has a bit that is none: bit 16 * suit + rank")


def check_showdown(hole_cards: Hands, board: ReadableBuffer) -> Showdown:
    """Hole cards and board as bytes. Raises ValueError unless each hand has 2 hole cards, the board 3 to 5, and all
    of them differ; TypeError for what are no cards."""
    holes, board = _as_bytes(hole_cards, board)
    _check_board(board)
    for hole in holes:
        if len(hole) != 2:
            raise ValueError(f"a Hold'em hand has 2 hole cards, not {len(hole)}")
    _check_deal(b"".join(holes) + board)
    return holes, board


def check_omaha_showdown(hole_cards: Hands, board: ReadableBuffer) -> Showdown:
    """The same for hands of 4, 5 or 6 hole cards, all hands as many."""
    holes, board = _as_bytes(hole_cards, board)
    _check_board(board)
    for hole in holes:
        if not 4 <= len(hole) <= 6:
            raise ValueError(f"an Omaha hand has 4, 5 or 6 hole cards, not {len(hole)}")
        if len(hole) != len(holes[0]):
            raise ValueError(f"Omaha hands of {len(holes[0])} and {len(hole)} hole cards in one showdown")
    _check_deal(b"".join(holes) + board)
    return holes, board


def check_draw_showdown(hole_cards: Hands, board: ReadableBuffer) -> Showdown:
    """The same for hands of 5 cards, without a board."""
    holes, board = _as_bytes(hole_cards, board)
    if board:
        raise ValueError(f"draw poker has no board, and here are {len(board)} cards of one")
    for hole in holes:
        if len(hole) != 5:
            raise ValueError(f"a draw hand has 5 cards, not {len(hole)}")
    _check_deal(b"".join(holes))
    return holes, board


def _as_bytes(hole_cards: Hands, board: ReadableBuffer) -> Showdown:
    holes = [bytes(bytes_of(hole_cards[place])) for place in range(len(hole_cards))]
    return holes, bytes(bytes_of(board))


def _check_board(board: bytes) -> None:
    if not 3 <= len(board) <= 5:
        raise ValueError(f"a board has 3 to 5 cards, not {len(board)}")


def _check_deal(cards: bytes) -> None:
    if max(cards, default=0) >= len(DECK):
        raise ValueError("a card is out of range: they go from 0 to 51")
    if len(set(cards)) != len(cards):
        raise ValueError("a card appears twice")
