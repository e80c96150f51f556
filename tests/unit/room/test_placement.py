"""Where tables belong: evenly spread, and few move when servers come and go."""

from __future__ import annotations

from collections import Counter
from statistics import mean

from croupier.room.placement import Placement

NODES = [f"host-{number}/71/ab" for number in range(20)]
TABLES = [f"{number:020x}" for number in range(10_000)]


def test_tables_are_spread_evenly() -> None:
    placement = Placement(NODES)
    counts = Counter(placement.node_of(table_id) for table_id in TABLES)
    assert len(counts) == len(NODES)
    assert max(counts.values()) < 1.2 * mean(counts.values())
    assert min(counts.values()) > 0.8 * mean(counts.values())


def test_few_tables_move_but_a_gone_servers() -> None:
    before, after = Placement(NODES), Placement(NODES[1:])
    moved = [table_id for table_id in TABLES if before.node_of(table_id) != after.node_of(table_id)]
    own = before.of(NODES[0], TABLES)
    assert {*own} <= {*moved}
    assert len(moved) < 2 * len(own)


def test_a_new_server_takes_its_share_from_all_alike() -> None:
    before, after = Placement(NODES[1:]), Placement(NODES)
    taken = [before.node_of(table_id) for table_id in TABLES if after.node_of(table_id) == NODES[0]]
    assert 0.8 * len(TABLES) < len(taken) * len(NODES) < 1.2 * len(TABLES)
    assert len({*taken}) == len(NODES) - 1


def test_the_order_in_which_servers_are_told_is_none_of_its_business() -> None:
    one, other = Placement(NODES), Placement(reversed(NODES))
    assert [one.node_of(table) for table in TABLES[:500]] == [other.node_of(table) for table in TABLES[:500]]


def test_each_server_is_told_its_own_and_what_is_elsewhere() -> None:
    placement = Placement(NODES)
    own = placement.of(NODES[3], TABLES)
    elsewhere = placement.elsewhere(NODES[3], TABLES)
    assert len(own) + len(elsewhere) == len(TABLES)
    assert all(placement.node_of(table_id) == node_id != NODES[3] for table_id, node_id in elsewhere.items())


def test_without_servers_a_table_is_nowhere() -> None:
    assert Placement([]).node_of("one") == ""
    assert Placement([]).elsewhere("", ["one"]) == {}
