"""What `--house` names, and how many tables each kind gets."""

from __future__ import annotations

from collections import Counter

import pytest

from croupier.client.load.mix import TableKind, kind_of, spread


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("five_aces", TableKind("five_aces")),
        ("five_aces=3", TableKind("five_aces", weight=3)),
        ("poker_ocean:omaha", TableKind("poker_ocean", "omaha")),
        ("poker_ocean::no_limit:20=2", TableKind("poker_ocean", "", "no_limit", 20, 2)),
    ],
)
def test_a_kind_is_read_and_told_alike(text: str, kind: TableKind) -> None:
    assert kind_of(text) == kind
    assert str(kind) == text


@pytest.mark.parametrize(
    "text", ["", ":omaha", "a:b:c:0", "a:b:c:x", "a:b:c:1:2", "a=", "a=0", "a=-1", "a=1.5", "a=²"]
)
def test_what_is_no_kind_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not HOUSE"):
        kind_of(text)


def test_tables_are_spread_by_weight_from_the_first_on() -> None:
    heavy, light = TableKind("a", weight=3), TableKind("b")
    kinds = spread([light, heavy], 400)
    assert Counter(kinds) == {heavy: 300, light: 100}
    for many in range(1, 400):
        assert abs(kinds[:many].count(heavy) - many * 3 / 4) < 1


def test_of_equal_kinds_each_gets_a_table_before_any_gets_two() -> None:
    mix = [TableKind(name) for name in "abc"]
    assert [kind.house_id for kind in spread(mix, 4)] == ["a", "b", "c", "a"]
