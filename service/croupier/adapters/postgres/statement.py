"""One statement that writes a whole batch: each list of rows a part, each column an array. Knows no meaning.

The database runs a statement without asking its caller again, so that a process which stops in mid-commit leaves
no open transaction, and no lock, behind. Every part takes its rows only where the row of this server's node said yes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

OWNER: Final = """
owner AS (
  UPDATE nodes SET commits = commits + 1, expires = now() + $1 * INTERVAL '1 second',
                   unbroken_since = CASE WHEN expires > now() THEN unbroken_since ELSE now() END
  WHERE node_id = $2 AND epoch = $3 AND connection_number = $4 AND commits = $5 AND NOT dead
  RETURNING node_id)"""
OWNER_PARAMETERS: Final = 5


@dataclass(frozen=True)
class Part:
    """A list of rows and what is done with it; `{rows}` in `sql` stands for them, as a relation `r`.

    `columns` are names with types. Parts later in a statement may read what earlier ones return.
    """

    name: str
    columns: tuple[tuple[str, str], ...]
    sql: str


def columns(listed: str) -> tuple[tuple[str, str], ...]:
    """From "name type, name type"."""
    pairs = [each.split() for each in listed.split(",")]
    return tuple((name, kind) for name, kind in pairs)


def compose(filled: Iterable[tuple[Part, Sequence[Sequence[Any]]]]) -> tuple[str, list[Any]]:
    """The statement for the parts that have rows, and its parameters but for the owner's."""
    there = [(part, rows) for part, rows in filled if rows]
    arrays = [array for _, rows in there for array in map(list, zip(*rows, strict=True))]
    return _text(tuple(part for part, _ in there)), arrays


@lru_cache(maxsize=128)
def _text(parts: tuple[Part, ...]) -> str:
    number = OWNER_PARAMETERS
    expressions = [OWNER]
    names = {part.name for part in parts}
    for part in parts:
        arrays = []
        for _, kind in part.columns:
            number += 1
            arrays.append(f"${number}::{kind}[]")
        named = ", ".join(name for name, _ in part.columns)
        rows = f"owner CROSS JOIN unnest({', '.join(arrays)}) AS r ({named})"
        expressions.append(f"\n{part.name} AS ({_with_absent(part.sql, names).replace('{rows}', rows)})")
    return f"WITH {','.join(expressions)}\nSELECT count(*) FROM owner"


def _with_absent(sql: str, names: set[str]) -> str:
    """`{keys:a,b}` stands for all keys that parts a and b return, where they are in the statement."""
    while (start := sql.find("{keys:")) >= 0:
        end = sql.index("}", start)
        listed = [name for name in sql[start + 6 : end].split(",") if name in names]
        keys = (
            " UNION ALL ".join(f"SELECT key FROM {name}" for name in listed) or "SELECT NULL::bigint AS key"
        )
        sql = f"{sql[:start]}({keys}){sql[end + 1 :]}"
    return sql
