"""What is measured, as Prometheus reads it. No metric has a table, a hand or a player as a label."""

from croupier.adapters.metrics.cluster import ClusterLook, ClusterMetrics
from croupier.adapters.metrics.gauges import Gauges, Sources
from croupier.adapters.metrics.ledger_check import LedgerCheck
from croupier.adapters.metrics.loop_lag import LoopLag
from croupier.adapters.metrics.metrics import Metrics

__all__ = ["ClusterLook", "ClusterMetrics", "Gauges", "LedgerCheck", "LoopLag", "Metrics", "Sources"]
