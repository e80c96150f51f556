"""The words of one language and the hands put into them; it reads no file and takes its words for checked."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace

from croupier.handrank.classes import HandClass
from croupier.handrank.lows import low_ranks
from croupier.handrank.words.kinds import Ranks, high_kind

PLACES = ("first", "second", "third", "fourth", "fifth")
"""What a text calls the ranks that count most, next, and so on."""


class Catalogue:
    """A text for each class of hands, one for lows, and of each rank of cards its forms by name, deuce first."""

    def __init__(
        self, hands: Mapping[HandClass, str], low: str, rank_forms: Sequence[Mapping[str, str]]
    ) -> None:
        self._hands = hands
        self._low = low
        self._ranks = [SimpleNamespace(**forms) for forms in rank_forms]

    def describe(self, rank: int) -> str:
        """A high hand. Raises ValueError off the scale."""
        hand_class, ranks = high_kind(rank)
        return self._filled(self._hands[hand_class], ranks)

    def describe_low(self, rank: int) -> str:
        """A low. Raises ValueError off the scale of `lows`, and for NO_LOW."""
        return self._filled(self._low, low_ranks(rank))

    def _filled(self, text: str, ranks: Ranks) -> str:
        return text.format(**dict(zip(PLACES, (self._ranks[rank] for rank in ranks), strict=False)))
