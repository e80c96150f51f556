"""The package as its documentation shows it."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re

import pytest

from croupier import cards, handrank

MODULES = [
    handrank.__name__,
    cards.__name__,
    *(
        each.name
        for each in pkgutil.walk_packages(handrank.__path__, "croupier.handrank.")
        if not each.name.endswith("._native")
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_come_out_as_they_are_told(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_package_has_examples_and_names_all_that_it_offers() -> None:
    told = handrank.__doc__ or ""
    assert len(doctest.DocTestParser().get_examples(told)) > 15
    scales = {"STRONGEST", "WEAKEST", "STRONGEST_LOW", "WEAKEST_LOW", "NO_LOW", "HandClass"}
    assert not {name for name in handrank.__all__ if not re.search(rf"\b{name}\b", told)} - scales
