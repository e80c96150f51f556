"""Chooses the evaluator: the best native one that the processor can run, or what CROUPIER_EVALUATOR names. It never
falls back in silence."""

from __future__ import annotations

import os

from croupier.handrank.batch import Batches
from croupier.unusable import EvaluatorUnusable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType
    from typing import SupportsIndex, TypeAlias

    from _typeshed import ReadableBuffer

    from croupier.handrank.batch import Kernels

    RankHands: TypeAlias = Callable[[Sequence[ReadableBuffer], ReadableBuffer], list[int]]

REFERENCE = "reference"
NAMES = ("portable", "avx2", "avx512", REFERENCE)


class Evaluator:
    """One way of ranking hands. All give the same ranks, and raise ValueError and TypeError for the same arguments."""

    def __init__(self, name: str, one: ModuleType, many: Kernels) -> None:
        self.name = name
        self.rank: Callable[[ReadableBuffer | SupportsIndex], int] = one.rank
        self.rank_low: Callable[[ReadableBuffer], int] = one.rank_low
        self.rank_holdem: RankHands = one.rank_holdem
        self.rank_omaha: RankHands = one.rank_omaha
        self.rank_omaha_low: RankHands = one.rank_omaha_low
        self.rank_five: RankHands = one.rank_five
        self.batches = Batches(many)


def supported() -> list[str]:
    """The evaluators that can be loaded here. Raises ImportError where the native one is not built."""
    return [*_native().supported(), REFERENCE]


def load(name: str | None = None) -> Evaluator:
    """The evaluator of the name, without one the best there is. Raises ImportError where the native evaluator is not
    built, EvaluatorUnusable for an unknown name and for one that the processor cannot run."""
    if name == REFERENCE:
        from croupier.handrank import reference, reference_batch

        return Evaluator(name, reference, reference_batch)
    if name is not None and name not in NAMES:
        raise EvaluatorUnusable(
            f"CROUPIER_EVALUATOR is {name!r}; it may be {', '.join(NAMES[:-1])} or {REFERENCE}"
        )
    native = _native()
    here = native.supported()
    name = here[-1] if name is None else name
    if name not in here:
        raise EvaluatorUnusable(
            f"CROUPIER_EVALUATOR is {name!r}, which this processor cannot run; "
            f"it may be {', '.join(here)} or {REFERENCE}"
        )
    return Evaluator(name, native, native.Kernels(name))


def _native() -> ModuleType:
    try:
        from croupier.handrank import native
    except ImportError as error:
        raise ImportError("the native hand evaluator is not built; run: make native") from error
    return native


ACTIVE = load(os.environ.get("CROUPIER_EVALUATOR") or None)
