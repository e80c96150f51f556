"""Planting a bug for as long as a seed, or many, are played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

Plant = Callable[[ExitStack], None]


@contextmanager
def planted(plant: Plant | None) -> Iterator[None]:
    """The service with a bug in it, or with none."""
    with ExitStack() as stack:
        if plant is not None:
            plant(stack)
        yield
