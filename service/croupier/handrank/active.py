"""Chooses the evaluator: the best native one that the processor can run, or what CROUPIER_EVALUATOR names. It never
falls back in silence."""

import os
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NamedTuple, TypeAlias

from croupier.handrank.batch import Batches

RankHands: TypeAlias = Callable[[Sequence[bytes], bytes], list[int]]

REFERENCE = "reference"
NAMES = ("portable", "avx2", "avx512", REFERENCE)


class Evaluator(NamedTuple):
    """One way of ranking hands. All give the same ranks and raise ValueError for the same cards."""

    name: str
    rank: Callable[[bytes | int], int]
    rank_low: Callable[[bytes], int]
    rank_holdem: RankHands
    rank_omaha: RankHands
    rank_omaha_low: RankHands
    rank_five: RankHands
    batches: Batches


def supported() -> list[str]:
    """The evaluators that can be loaded here. Raises ImportError where the native one is not built."""
    return [*_native().supported(), REFERENCE]


def load(name: str | None = None) -> Evaluator:
    """The evaluator of the name, without one the best there is. Raises ImportError where the native evaluator is not
    built, ValueError for an unknown name and for one that the processor cannot run."""
    if name == REFERENCE:
        from croupier.handrank import reference, reference_batch

        return Evaluator(
            name,
            reference.rank,
            reference.rank_low,
            reference.rank_holdem,
            reference.rank_omaha,
            reference.rank_omaha_low,
            reference.rank_five,
            Batches(reference_batch.KERNELS),
        )
    if name is not None and name not in NAMES:
        raise ValueError(f"CROUPIER_EVALUATOR is {name!r}; it may be {', '.join(NAMES[:-1])} or {REFERENCE}")
    native = _native()
    here = native.supported()
    name = here[-1] if name is None else name
    if name not in here:
        raise ValueError(
            f"CROUPIER_EVALUATOR is {name!r}, which this processor cannot run; "
            f"it may be {', '.join(here)} or {REFERENCE}"
        )
    return Evaluator(
        name,
        native.rank,
        native.rank_low,
        native.rank_holdem,
        native.rank_omaha,
        native.rank_omaha_low,
        native.rank_five,
        Batches(native.kernels(name)),
    )


def _native() -> ModuleType:
    try:
        from croupier.handrank import native
    except ImportError as error:
        raise ImportError("the native hand evaluator is not built; run: make native") from error
    return native


ACTIVE = load(os.environ.get("CROUPIER_EVALUATOR") or None)
