"""What the database keeps beside the books: numbers that nodes draw from, who owns what, how far a feed is.

Each statement tells what is wrong, with the table of the room concerned where there is one, and a record of it or 0.
"""

from __future__ import annotations

from typing import Final

_MARK_BYTES: Final = 32
_NODE: Final = "^[^/]+/[0-9]+/[0-9a-f]{8}$"
"""Host, process, and what tells a process from another of that number."""

_ONE_ROW: Final = """
SELECT 'the database''s table ' || name || ' has ' || found || ' rows; it must have one', '', 0::bigint
FROM (SELECT 'counters' AS name, count(*) AS found FROM counters
      UNION ALL SELECT 'ownership', count(*) FROM ownership
      UNION ALL SELECT 'feed', count(*) FROM feed) AS counted
WHERE found <> 1"""
_COUNTERS: Final = """
SELECT 'the row of counters says that ' || counted || ' ' || name || ' were numbered; the last number is ' || newest,
       '', 0::bigint
FROM (SELECT 'entries' AS name, entries AS counted,
             coalesce((SELECT max(entry_id) FROM entries), 0) AS newest, true AS exact FROM counters
      UNION ALL SELECT 'accounts', accounts, coalesce((SELECT max(account_key) FROM accounts), 0), false FROM counters
      UNION ALL SELECT 'tables', tables, coalesce((SELECT max(table_key) FROM tables), 0), false FROM counters) AS each
WHERE counted < newest OR exact AND counted > newest"""
_OWNERSHIP: Final = f"""
SELECT 'the row of ownership has a ' || what, '', 0::bigint
FROM (SELECT CASE
        WHEN owner_id <> '' AND owner_id !~ '{_NODE}' THEN 'owner_id that no node has'
        WHEN epoch < (SELECT coalesce(max(epoch), 0) FROM nodes) THEN 'epoch before that of a node'
        WHEN room !~ '^[0-9a-f]{{8}}$' THEN 'name of the room that no room has'
        WHEN length(key_mark) <> {_MARK_BYTES} THEN 'key_mark that is none'
        WHEN key_mark IS NULL AND EXISTS (SELECT FROM nodes WHERE serving) THEN 'key_mark that is missing'
      END AS what FROM ownership) AS found
WHERE what IS NOT NULL"""
_NODES: Final = f"""
SELECT 'the row of node ' || node_id || ' ' || what, '', 0::bigint
FROM (SELECT node_id, CASE
        WHEN node_id !~ '{_NODE}' THEN 'has a name that no node has'
        WHEN epoch < 1 OR epoch IN (SELECT epoch FROM nodes AS other WHERE other.node_id <> nodes.node_id)
          THEN 'has the epoch of another node, or none'
        WHEN connection_number < 0 OR commits < 0 THEN 'counts below nothing'
        WHEN log_read < 0 OR log_read > (SELECT coalesce(max(number), 0) FROM operations)
          THEN 'has read more of the operator log than there is'
      END AS what FROM nodes) AS found
WHERE what IS NOT NULL"""
# Closed tables keep the name of a node that is long forgotten.
_OWNERS: Final = f"""
SELECT 'the table''s row names an owner that there is not: ' || owner, table_id, 0::bigint
FROM tables WHERE owner <> '' AND (
    owner !~ '{_NODE}' OR NOT closed AND NOT EXISTS (SELECT FROM nodes WHERE node_id = owner))"""
_FED: Final = """
SELECT 'the table''s row says that a feed has told all of it', table_id, 0::bigint
FROM tables LEFT JOIN fed_tables USING (table_key)
WHERE fed AND (NOT closed OR (SELECT name FROM feed LIMIT 1) = '' OR EXISTS (
    SELECT FROM hands WHERE hands.table_key = tables.table_key AND hand_number > coalesce(fed_tables.hands, 0)))
UNION ALL
SELECT 'the row of fed_tables with table_key ' || fed_tables.table_key || ' ' || what, coalesce(table_id, ''), 0::bigint
FROM fed_tables LEFT JOIN tables USING (table_key) CROSS JOIN LATERAL (SELECT CASE
    WHEN fed_tables.table_key <> 0 AND table_id IS NULL THEN 'is of no table'
    WHEN hands < 0 OR hands > coalesce((
        SELECT max(hand_number) FROM hands WHERE hands.table_key = fed_tables.table_key), 0)
      THEN 'says that hand ' || hands || ' was told, which there is not'
    WHEN entries < 0 OR entries > coalesce((SELECT max(entry_id) FROM entries), 0)
      THEN 'says that entry ' || entries || ' was told, which there is not'
    WHEN (SELECT name FROM feed LIMIT 1) = '' THEN 'is of a feed that has no name'
  END AS what) AS found
WHERE what IS NOT NULL
UNION ALL
SELECT 'the row of feed counts ' || telling || ' tellings', '', 0::bigint FROM feed WHERE telling < 1"""
_HAND_KEYS: Final = """
SELECT 'the row of hand_keys with table_key ' || table_key || ' is of no table', '', 0::bigint
FROM hand_keys WHERE NOT EXISTS (SELECT FROM tables WHERE tables.table_key = hand_keys.table_key)"""
# Recovery reads the journal alone, from the last checkpoint on.
_ARCHIVE: Final = """
SELECT 'lies in journal_archive, where nobody looks for what a table goes on from', coalesce(table_id, ''),
       journal_sequence
FROM journal_archive LEFT JOIN tables USING (table_key)
WHERE checkpoint_sequence IS NULL OR journal_sequence >= checkpoint_sequence
ORDER BY table_id, journal_sequence"""

DEFECTS: Final = (_ONE_ROW, _COUNTERS, _OWNERSHIP, _NODES, _OWNERS, _FED, _HAND_KEYS, _ARCHIVE)
