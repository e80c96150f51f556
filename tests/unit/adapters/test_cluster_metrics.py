"""What is told of servers that share a store, by the names that the catalogue has."""

from __future__ import annotations

from prometheus_client import CollectorRegistry

from croupier.adapters.metrics import ClusterLook, ClusterMetrics, catalogue
from croupier.adapters.metrics.feed import FeedLook, FeedMetrics
from croupier.room.subjects import Subjects, kind_of

LOOK = ClusterLook(
    serving=2,
    not_serving=1,
    ownerless=5,
    fenced_units=7,
    declared_dead=1,
    lease_remaining_s=2.5,
    late_renewals=3,
    clock_skew_s=-0.25,
    bus_connected=True,
    unheard=3,
    followers=11,
    follower_gaps=4,
)


def metrics(look: ClusterLook = LOOK) -> tuple[CollectorRegistry, ClusterMetrics]:
    registry = CollectorRegistry(auto_describe=True)
    return registry, ClusterMetrics(registry, lambda: look)


def test_what_is_exported_is_the_catalogue_of_servers_with_a_bus() -> None:
    registry, _ = metrics()
    FeedMetrics(registry, lambda: FeedLook(0, 0))
    told = {family.name: (family.type, family.documentation) for family in registry.collect()}
    shared = [metric for metric in catalogue.ALL if metric.with_bus]
    assert told == {metric.name: (metric.kind, metric.meaning) for metric in shared}


def test_it_tells_how_the_server_stands_when_it_is_asked() -> None:
    registry, _ = metrics()
    value = registry.get_sample_value
    assert value("croupier_servers", {"state": "serving"}) == 2
    assert value("croupier_servers", {"state": "not_serving"}) == 1
    assert value("croupier_ownerless_tables") == 5
    assert value("croupier_fenced_units_total") == 7
    assert value("croupier_declared_dead_servers_total") == 1
    assert value("croupier_lease_remaining_seconds") == 2.5
    assert value("croupier_late_renewals_total") == 3
    assert value("croupier_clock_skew_seconds") == -0.25
    assert value("croupier_bus_connected") == 1
    assert value("croupier_unheard_servers") == 3
    assert value("croupier_followers") == 11
    assert value("croupier_follower_gaps_total") == 4


def test_takeovers_are_told_by_their_seconds() -> None:
    registry, counted = metrics()
    counted.taken_over(1_600_000_000)
    counted.taken_over(20_000_000)
    counted.not_taken_over()
    value = registry.get_sample_value
    assert value("croupier_takeover_seconds_count") == 2
    assert value("croupier_takeover_seconds_bucket", {"le": "1.5"}) == 1
    assert value("croupier_takeover_seconds_bucket", {"le": "2.0"}) == 2
    assert value("croupier_failed_takeovers_total") == 1


def test_forwarded_calls_are_told_by_what_came_of_them() -> None:
    registry, counted = metrics()
    counted.forwarded("Act", "answered", 0.003)
    counted.forwarded("Act", "answered", 0.001)
    counted.forwarded("GetTable", "given_up", 5.0)
    counted.handed_over(64)
    value = registry.get_sample_value
    assert value("croupier_forwarded_calls_total", {"method": "Act", "outcome": "answered"}) == 2
    assert value("croupier_forwarded_calls_total", {"method": "GetTable", "outcome": "given_up"}) == 1
    assert value("croupier_forwarded_call_seconds_bucket", {"le": "0.005"}) == 2
    assert value("croupier_forwarded_call_seconds_count") == 3
    assert value("croupier_handed_over_tables_total") == 64


def test_unreadable_messages_are_told_by_what_their_subject_is_for() -> None:
    registry, counted = metrics()
    rooms = Subjects("a room")
    for subject in (rooms.news, rooms.calls("t"), rooms.calls("other"), rooms.node("n"), "_INBOX.a.news"):
        counted.unreadable(kind_of(subject))
    told = {
        sample.labels["kind"]: sample.value
        for family in registry.collect()
        for sample in family.samples
        if sample.name == "croupier_bus_unreadable_messages_total"
    }
    assert told == {
        "news": 1,
        "node_call": 1,
        "table_call": 2,
        "table_presence": 0,
        "table_records": 0,
        "answer": 1,
    }
