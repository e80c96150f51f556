"""Chooses the evaluator: the native one, or what CROUPIER_EVALUATOR names. It never falls back in silence."""

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Evaluator(NamedTuple):
    """One way of ranking hands. All give the same ranks and raise ValueError for the same cards."""

    name: str
    rank: Callable[[bytes], int]
    rank_holdem: Callable[[Sequence[bytes], bytes], list[int]]


def load(name: str) -> Evaluator:
    """Raises ImportError where the native evaluator is not built, ValueError for an unknown name."""
    if name == "reference":
        from croupier.handrank import reference

        return Evaluator(name, reference.rank, reference.rank_holdem)
    if name != "native":
        raise ValueError(f"CROUPIER_EVALUATOR is {name!r}; it may be native or reference")
    try:
        from croupier.handrank import native
    except ImportError as error:
        raise ImportError("the native hand evaluator is not built; run: make native") from error
    return Evaluator(name, native.rank, native.rank_holdem)


ACTIVE = load(os.environ.get("CROUPIER_EVALUATOR") or "native")
