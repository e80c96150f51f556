"""How many hands of each class there are, as anybody can look up; it counts none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.handrank import HandClass

COUNTS: Final[Mapping[int, Mapping[HandClass, int]]] = {
    5: {
        HandClass.ROYAL_FLUSH: 4,
        HandClass.STRAIGHT_FLUSH: 36,
        HandClass.FOUR_OF_A_KIND: 624,
        HandClass.FULL_HOUSE: 3_744,
        HandClass.FLUSH: 5_108,
        HandClass.STRAIGHT: 10_200,
        HandClass.THREE_OF_A_KIND: 54_912,
        HandClass.TWO_PAIR: 123_552,
        HandClass.PAIR: 1_098_240,
        HandClass.HIGH_CARD: 1_302_540,
    },
    6: {
        HandClass.ROYAL_FLUSH: 188,
        HandClass.STRAIGHT_FLUSH: 1_656,
        HandClass.FOUR_OF_A_KIND: 14_664,
        HandClass.FULL_HOUSE: 165_984,
        HandClass.FLUSH: 205_792,
        HandClass.STRAIGHT: 361_620,
        HandClass.THREE_OF_A_KIND: 732_160,
        HandClass.TWO_PAIR: 2_532_816,
        HandClass.PAIR: 9_730_740,
        HandClass.HIGH_CARD: 6_612_900,
    },
    7: {
        HandClass.ROYAL_FLUSH: 4_324,
        HandClass.STRAIGHT_FLUSH: 37_260,
        HandClass.FOUR_OF_A_KIND: 224_848,
        HandClass.FULL_HOUSE: 3_473_184,
        HandClass.FLUSH: 4_047_644,
        HandClass.STRAIGHT: 6_180_020,
        HandClass.THREE_OF_A_KIND: 6_461_620,
        HandClass.TWO_PAIR: 31_433_400,
        HandClass.PAIR: 58_627_800,
        HandClass.HIGH_CARD: 23_294_460,
    },
}
"""By the number of cards."""
