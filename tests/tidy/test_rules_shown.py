"""Every rule of the game has a row in tests/README.md, and every row names tests that exist and name the rule.

So do the files that the page names beside."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.require import require
from tests.tidy.sources import ROOT, functions, modules

TESTS = ROOT / "tests"
RULES = ROOT.parent / "shared" / "RULES.md"
ROW = re.compile(r"^\| (R-[A-Z]\d+) \| (.+) \|$", re.MULTILINE)
NAMED = re.compile(r"R-([A-Z])(\d+)(?: to R-\1(\d+))?")


def rows() -> dict[str, list[str]]:
    """The tests of each rule, as `path::name`."""
    found = ROW.findall((TESTS / "README.md").read_text())
    assert len({rule for rule, _ in found}) == len(found), "a rule has two rows"
    return {rule: re.findall(r"`([^`]+)`", tests) for rule, tests in found}


def rules_in(text: str | None) -> Iterator[str]:
    """The rules that a docstring names; "R-B1 to R-B6" names six."""
    for kind, first, last in NAMED.findall(text or ""):
        yield from (f"R-{kind}{number}" for number in range(int(first), int(last or first) + 1))


def rules_by_test() -> dict[str, set[str]]:
    """Every test of the suite, as `path::name`, and the rules that it or its module names."""
    found: dict[str, set[str]] = {}
    for path, tree in modules(TESTS).items():
        if not Path(path).name.startswith("test_"):
            continue
        of_module = set(rules_in(ast.get_docstring(tree)))
        for function in functions(tree):
            name = f"{Path(path).relative_to('tests')}::{function.name}"
            found[name] = of_module.union(rules_in(ast.get_docstring(function)))
    return found


def test_every_rule_has_its_row() -> None:
    if not RULES.exists():
        require("vectors", "../shared/RULES.md is absent")
    stated = re.findall(r"^- (R-[A-Z]\d+) ", RULES.read_text(), re.MULTILINE)
    assert len(stated) > 60
    assert list(rows()) == stated, "in their order"


def test_every_row_names_tests_and_all_of_them_exist() -> None:
    known = rules_by_test()
    assert not [rule for rule, tests in rows().items() if not tests]
    assert not [name for tests in rows().values() for name in tests if name not in known]


def test_the_tests_of_a_row_name_its_rule() -> None:
    known = rules_by_test()
    silent = [
        f"{rule}: {name}"
        for rule, tests in rows().items()
        for name in tests
        if rule not in known.get(name, ())
    ]
    assert not silent


def test_files_that_the_page_names_exist() -> None:
    page = (TESTS / "README.md").read_text()
    named = set(re.findall(r"`((?:\w+/)+test_\w+\.py)`", page))
    assert len(named) > 30
    assert not [name for name in sorted(named) if not (TESTS / name).exists()]
