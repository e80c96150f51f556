"""Under what conditions a run was made, as a report must tell them."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, NamedTuple

from croupier.client import Croupier
from croupier.client.load.plan import Plan


class Conditions(NamedTuple):
    """`began` is UTC, ISO 8601. `server` and what follows it say what answered, `client` and `machine` what asked."""

    began: str
    target: str
    server: str
    evaluator: str
    store: str
    client: str
    machine: str
    plan: dict[str, Any]


async def conditions(client: Croupier, plan: Plan) -> Conditions:
    """As they are now; raises Unanswered where there is no server."""
    info = await client.get_server_info()
    return Conditions(
        began=datetime.now(UTC).isoformat(timespec="seconds"),
        target=plan.target,
        server=" ".join(part for part in (info.version, info.build) if part),
        evaluator=info.evaluator,
        store=info.store,
        client=version("croupier"),
        machine=f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}",
        plan=plan.told(),
    )
