"""What the database saw of owners and writes, by triggers of the tests; each node writes as a role of its own."""

from __future__ import annotations

from collections import defaultdict
from typing import Final, NamedTuple

from tests.support.postgres import execute, fetch

from croupier.engine.events import HandVoided
from croupier.engine.table_events import TimedOut
from croupier.room import codec

_INSTALLED: Final = (
    "CREATE TABLE witnessed_nodes (node_id text PRIMARY KEY, role text NOT NULL)",
    "CREATE TABLE witnessed_moves (table_id text, from_node text, to_node text, epoch bigint, seen timestamptz)",
    "CREATE TABLE witnessed_stale (table_key bigint, journal_sequence bigint, what text)",
    """
CREATE FUNCTION witness_node() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO witnessed_nodes VALUES (NEW.node_id, session_user); RETURN NULL; END $$""",
    """
CREATE FUNCTION witness_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO witnessed_moves VALUES (NEW.table_id, OLD.owner, NEW.owner, NEW.epoch, clock_timestamp());
  RETURN NULL; END $$""",
    # The table's row is locked by whoever appends, so that what is read of it here holds.
    """
CREATE FUNCTION witness_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE told record; BEGIN
  SELECT tables.epoch, tables.owner, nodes.dead, role INTO told
  FROM tables LEFT JOIN nodes ON node_id = owner LEFT JOIN witnessed_nodes USING (node_id)
  WHERE table_key = NEW.table_key;
  IF told.epoch <> NEW.epoch OR told.role IS DISTINCT FROM session_user OR told.dead IS NOT false THEN
    INSERT INTO witnessed_stale VALUES (NEW.table_key, NEW.journal_sequence,
      format('epoch %s written by %s, where %s owns it in epoch %s (dead: %s)',
             NEW.epoch, session_user, told.role, told.epoch, told.dead));
  END IF;
  RETURN NULL; END $$""",
    "INSERT INTO witnessed_nodes SELECT node_id, '{role}' FROM nodes",
    "CREATE TRIGGER witness AFTER INSERT ON nodes FOR EACH ROW EXECUTE FUNCTION witness_node()",
    "CREATE TRIGGER witness AFTER UPDATE ON tables FOR EACH ROW WHEN (OLD.owner <> NEW.owner)"
    " EXECUTE FUNCTION witness_move()",
    "CREATE TRIGGER witness AFTER INSERT ON journal FOR EACH ROW EXECUTE FUNCTION witness_record()",
)
_OWNERS: Final = """
SELECT table_id, coalesce(role, '') FROM tables LEFT JOIN witnessed_nodes ON node_id = owner WHERE NOT closed"""
_UNSETTLED: Final = """
SELECT (SELECT count(*) FROM nodes WHERE NOT dead AND expires > now() AND serving),
       (SELECT count(*) FROM tables LEFT JOIN nodes ON node_id = owner AND NOT dead AND expires > now()
        WHERE NOT closed AND nodes.node_id IS NULL)"""
_HEADS: Final = "SELECT table_id, last_journal_sequence FROM tables WHERE NOT closed"


class Seen(NamedTuple):
    """`stale` are rows of the journal that whoever wrote them had no right to. Times are nanoseconds since 1970."""

    stale: list[str]
    voided: list[int]
    timed_out: list[int]
    moves: int


class Witness:
    def __init__(self, dsn: str) -> None:
        self._dsn: Final = dsn

    async def install(self, role: str) -> None:
        """Before there is more than one node, which has this role."""
        await execute(self._dsn, *(statement.replace("{role}", role) for statement in _INSTALLED))

    async def owners(self) -> dict[str, str]:
        """The role of each open table's owner."""
        return {str(table_id): str(role) for table_id, role in await fetch(self._dsn, _OWNERS)}

    async def settled(self, nodes: int) -> bool:
        """Whether so many nodes serve, and every open table has one whose lease runs."""
        ((serving, ownerless),) = await fetch(self._dsn, _UNSETTLED)
        return bool(serving == nodes and ownerless == 0)

    async def heads(self) -> dict[str, int]:
        """How long each open table's journal is."""
        return {str(table_id): int(length) for table_id, length in await fetch(self._dsn, _HEADS)}

    async def seen(self) -> Seen:
        """All that came to pass."""
        stale = [str(what) for (what,) in await fetch(self._dsn, "SELECT what FROM witnessed_stale")]
        ((moves,),) = await fetch(self._dsn, "SELECT count(*) FROM witnessed_moves")
        times: defaultdict[type, list[int]] = defaultdict(list)
        for body, format_version, time in await fetch(
            self._dsn, "SELECT body, format, recorded_time FROM journal"
        ):
            for event in codec.decode(body, format_version).events:
                times[type(event)].append(time)
        return Seen(stale, times[HandVoided], times[TimedOut], int(moves))
