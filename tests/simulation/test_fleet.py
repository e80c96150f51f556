"""A small fleet: deaths are over in time, the store is not run down, tables lie evenly."""

from __future__ import annotations

from tests.simulation.fleet import simulated_fleet


def test_a_fleet_loses_servers_and_gains_others() -> None:
    start, quiet, one, some, come = simulated_fleet(2_000, 20)
    assert max(one.waits) < 5
    assert max(some.waits) < 5
    assert one.most < 4 * quiet.most
    assert some.most < 4 * quiet.most
    assert start.fullest < 1.5 * 2_000 / 20
    assert come.fewest > 0.5 * 2_000 / 20
