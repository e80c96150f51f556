"""Every metric of the service: its name, what it means, its labels and bounds. Who counts it is elsewhere.

Names are `croupier_<noun>_<unit>`; a counter's gets `_total` as it is told. No label names a table, a hand or a player,
and each has few values: those of the contract's enums, the houses on offer, their currencies, four tiers of stakes.
"""

from __future__ import annotations

from typing import Final

from croupier.adapters.metrics.metric import Metric

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
"""Bounds of what callers wait for; 50 and 250 ms are those of the service's objectives."""
_HAND_SECONDS: Final = (0.01, 0.1, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 1000.0)
_TAKEOVER_SECONDS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 60.0)
_RECORDS: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)
_CHIPS: Final = tuple(step * 10.0**power for power in range(1, 7) for step in (1.0, 2.5, 5.0))


# Calls

RPCS: Final = Metric(
    "counter", "croupier_rpcs", "RPCs finished; Play.Act is an action on a Play stream.", ("method", "code")
)
RPC_SECONDS: Final = Metric(
    "histogram", "croupier_rpc_seconds", "Time in an RPC's handler.", ("method",), SECONDS
)
PLAY_STREAMS: Final = Metric("gauge", "croupier_play_streams", "Play streams that are open.")
REJECTIONS: Final = Metric("counter", "croupier_rejections", "Commands refused by the rules.", ("reason",))

# Actions

ACTIONS: Final = Metric(
    "counter", "croupier_actions", "Actions accepted, by who made them and why.", ("action", "cause")
)
ANSWER_SECONDS: Final = Metric(
    "histogram",
    "croupier_action_answer_seconds",
    "From an action's arrival to its answer being free to go.",
    bounds=SECONDS,
)
PUBLISH_SECONDS: Final = Metric(
    "histogram",
    "croupier_action_publish_seconds",
    "From a record's making to its events reaching the watchers.",
    bounds=SECONDS,
)
TIME_OUTS: Final = Metric("counter", "croupier_time_outs", "Decisions whose time ran out.")
OVERDUE: Final = Metric(
    "gauge",
    "croupier_decision_overdue_seconds",
    "How long ago the decision overdue the longest should have been made; 0 where none is overdue.",
)

# The floor

TABLES: Final = Metric(
    "gauge", "croupier_tables", "Tables that are not closed; a halted one counts as halted alone.", ("state",)
)
SEATS: Final = Metric("gauge", "croupier_seats", "Seats of those tables.", ("state",))
WAITING_PLAYERS: Final = Metric("gauge", "croupier_waiting_players", "Players on waiting lists.")
HANDS_IN_PLAY: Final = Metric("gauge", "croupier_hands_in_play", "Hands dealt and not ended.")
HANDS: Final = Metric(
    "counter", "croupier_hands", "Hands settled or voided.", ("house", "structure", "outcome")
)
HAND_SECONDS: Final = Metric(
    "histogram",
    "croupier_hand_seconds",
    "From a hand's deal to its end; without hands that a restart has interrupted.",
    ("house",),
    _HAND_SECONDS,
)
POT_CHIPS: Final = Metric(
    "histogram",
    "croupier_pot_chips",
    "All pots of a hand, before rake.",
    ("house", "stake_tier", "currency"),
    _CHIPS,
)
TABLE_HALTS: Final = Metric("counter", "croupier_table_halts", "Tables halted by a broken invariant.")

# Money

RAKE_CHIPS: Final = Metric(
    "counter", "croupier_rake_chips", "Chips taken as rake.", ("house", "stake_tier", "currency")
)
LEDGER_RAKE: Final = Metric(
    "gauge",
    "croupier_ledger_rake_chips",
    "What the ledger holds as rake, from all time.",
    ("house", "currency"),
)
IMBALANCE: Final = Metric(
    "gauge",
    "croupier_ledger_imbalance_chips",
    "Sum of all accounts; anything but 0 is a defect.",
    ("currency",),
)
LAST_GOOD_CHECK: Final = Metric(
    "gauge",
    "croupier_ledger_last_good_check_timestamp_seconds",
    "When all accounts last added up to nothing; 0 before the first time.",
)
SETTLEMENT_LAG: Final = Metric(
    "histogram",
    "croupier_settlement_lag_seconds",
    "From a hand's end to its settlement being durable in the ledger.",
    bounds=SECONDS,
)
IN_PLAY: Final = Metric(
    "gauge", "croupier_in_play_chips", "Chips on the tables: stacks, pots, rebuys that wait.", ("currency",)
)
TRANSFERS: Final = Metric(
    "gauge", "croupier_pending_transfers", "Buy-ins, rebuys and payouts between a wallet and a table."
)

# Journal

COMMIT_SECONDS: Final = Metric(
    "histogram",
    "croupier_journal_commit_seconds",
    "From a commit's first statement until it is on disk.",
    bounds=SECONDS,
)
COMMIT_RECORDS: Final = Metric(
    "histogram",
    "croupier_journal_commit_records",
    "Records of the journal in one commit.",
    bounds=_RECORDS,
)
WAITING_RECORDS: Final = Metric(
    "gauge", "croupier_journal_waiting_records", "Records of the journal that wait for the disk."
)
JOURNAL_FAILING: Final = Metric(
    "gauge", "croupier_journal_failing", "1 while /readyz tells of a failure of the store, else 0."
)
FAILED_UNITS: Final = Metric(
    "counter",
    "croupier_failed_units",
    "Units of the store that did not become durable, but for repetitions and what is another server's.",
)
REBUILT_TABLES: Final = Metric(
    "counter",
    "croupier_rebuilt_tables",
    "Tables rebuilt since a record of theirs did not become durable.",
)
UNINDEXED_HANDS: Final = Metric(
    "gauge", "croupier_unindexed_hands", "Settled hands that ListHands does not tell of yet."
)
WAL_BYTES: Final = Metric("gauge", "croupier_wal_bytes", "Size of SQLite's write-ahead log; 0 on PostgreSQL.")

# Watchers

WATCHERS: Final = Metric("gauge", "croupier_watchers", "Streams and views that follow a table.")
BACKLOG: Final = Metric("gauge", "croupier_watcher_backlog_events", "Events that wait for any watcher.")
LONGEST_BACKLOG: Final = Metric(
    "gauge",
    "croupier_watcher_longest_backlog_events",
    "Events that wait for the slowest watcher; past 256 it is cut off.",
)
CUT_OFF: Final = Metric("counter", "croupier_watchers_cut_off", "Watchers too slow to be kept.")
BUS_DROPPED: Final = Metric(
    "counter", "croupier_bus_dropped_messages", "Messages for other servers that the bus did not take."
)

# Servers that share a store

SERVERS: Final = Metric(
    "gauge",
    "croupier_servers",
    "Servers whose lease runs, as this one sees them; those that are serving take tables.",
    ("state",),
    with_bus=True,
)
OWNERLESS: Final = Metric(
    "gauge",
    "croupier_ownerless_tables",
    "Open tables on which nobody's lease runs, as this server sees them.",
    with_bus=True,
)
TAKEOVER_SECONDS: Final = Metric(
    "histogram",
    "croupier_takeover_seconds",
    "From the end of a lease, or this server's start after that, to each of its tables going on here.",
    bounds=_TAKEOVER_SECONDS,
    with_bus=True,
)
FAILED_TAKEOVERS: Final = Metric(
    "counter",
    "croupier_failed_takeovers",
    "Tables that are this server's and could not be gone on with.",
    with_bus=True,
)
HANDED_OVER: Final = Metric(
    "counter", "croupier_handed_over_tables", "Tables handed over to other servers.", with_bus=True
)
FENCED_UNITS: Final = Metric(
    "counter",
    "croupier_fenced_units",
    "Units refused by the store since another server has, or had, their table.",
    with_bus=True,
)
DECLARED_DEAD: Final = Metric(
    "counter",
    "croupier_declared_dead_servers",
    "Servers that this one declared dead, whose lease had run out.",
    with_bus=True,
)
LEASE_REMAINING: Final = Metric(
    "gauge",
    "croupier_lease_remaining_seconds",
    "What is left of this server's lease at least; below 0 since it may have run out.",
    with_bus=True,
)
LATE_RENEWALS: Final = Metric(
    "counter",
    "croupier_late_renewals",
    "Renewals of this server's lease that were sent after half of it had gone by.",
    with_bus=True,
)
CLOCK_SKEW: Final = Metric(
    "gauge",
    "croupier_clock_skew_seconds",
    "This server's clock ahead of the database's; wrong by half a round trip at most.",
    with_bus=True,
)
BUS_CONNECTED: Final = Metric(
    "gauge", "croupier_bus_connected", "1 while this server is connected to the bus, else 0.", with_bus=True
)
UNHEARD_SERVERS: Final = Metric(
    "gauge",
    "croupier_unheard_servers",
    "Servers that do not answer this one over the bus, to which it is connected: of those that take tables 8 at most, "
    "and itself.",
    with_bus=True,
)
BUS_UNREADABLE: Final = Metric(
    "counter",
    "croupier_bus_unreadable_messages",
    "Messages on the bus that make no sense to this version, by what their subject is for; answer: to what it asked.",
    ("kind",),
    with_bus=True,
)
FORWARDED_CALLS: Final = Metric(
    "counter",
    "croupier_forwarded_calls",
    "Calls for tables of other servers, by what came of them; taken_over: carried out here after all.",
    ("method", "outcome"),
    with_bus=True,
)
FORWARDED_SECONDS: Final = Metric(
    "histogram",
    "croupier_forwarded_call_seconds",
    "From a call's going to another server to what came of it.",
    bounds=SECONDS,
    with_bus=True,
)
FOLLOWERS: Final = Metric(
    "gauge", "croupier_followers", "Tables of other servers that are watched here.", with_bus=True
)
FOLLOWER_GAPS: Final = Metric(
    "counter",
    "croupier_follower_gaps",
    "Times that a follower missed records of its table, which it then reads from the store.",
    with_bus=True,
)

# The feed

FEED_MESSAGES: Final = Metric(
    "counter",
    "croupier_feed_messages",
    "Messages that the feed has taken: settled hands, and entry sets.",
    ("kind",),
    with_bus=True,
)
FEED_FAILURES: Final = Metric(
    "counter", "croupier_feed_failures", "Times that the feed did not take something.", with_bus=True
)
FEED_LAG_HANDS: Final = Metric(
    "gauge",
    "croupier_feed_lag_hands",
    "Settled hands of this server's tables that the feed has not taken yet.",
    with_bus=True,
)
FEED_LAG_SECONDS: Final = Metric(
    "gauge",
    "croupier_feed_lag_seconds",
    "How long the oldest of them has been settled; 0 while there is none.",
    with_bus=True,
)

# The process

READY: Final = Metric("gauge", "croupier_ready", "1 while /readyz answers that callers may come, else 0.")
LOOP_LAG: Final = Metric(
    "histogram",
    "croupier_event_loop_lag_seconds",
    "How late the event loop ran what was due.",
    bounds=SECONDS,
)
CLOCK_OFFSET: Final = Metric(
    "gauge",
    "croupier_clock_offset_seconds",
    "System clock ahead of the service's, which keeps its pace when the former is set.",
)
BUILD: Final = Metric(
    "info", "croupier_build", "What this server is made of.", ("version", "evaluator", "store")
)

ALL: Final = tuple(value for value in globals().values() if isinstance(value, Metric))
