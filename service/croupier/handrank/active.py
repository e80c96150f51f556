"""Chooses the evaluator: the native one, or what CROUPIER_EVALUATOR names. It never falls back in silence."""

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

RankHands: TypeAlias = Callable[[Sequence[bytes], bytes], list[int]]


class Evaluator(NamedTuple):
    """One way of ranking hands. All give the same ranks and raise ValueError for the same cards."""

    name: str
    rank: Callable[[bytes], int]
    rank_low: Callable[[bytes], int]
    rank_holdem: RankHands
    rank_omaha: RankHands
    rank_omaha_low: RankHands
    rank_five: RankHands


def load(name: str) -> Evaluator:
    """Raises ImportError where the native evaluator is not built, ValueError for an unknown name."""
    if name == "reference":
        from croupier.handrank import reference

        return Evaluator(
            name,
            reference.rank,
            reference.rank_low,
            reference.rank_holdem,
            reference.rank_omaha,
            reference.rank_omaha_low,
            reference.rank_five,
        )
    if name != "native":
        raise ValueError(f"CROUPIER_EVALUATOR is {name!r}; it may be native or reference")
    try:
        from croupier.handrank import native
    except ImportError as error:
        raise ImportError("the native hand evaluator is not built; run: make native") from error
    return Evaluator(
        name,
        native.rank,
        native.rank_low,
        native.rank_holdem,
        native.rank_omaha,
        native.rank_omaha_low,
        native.rank_five,
    )


ACTIVE = load(os.environ.get("CROUPIER_EVALUATOR") or "native")
