"""What ties one server's tables to the others. It sends and hears nothing."""

from __future__ import annotations

from typing import NamedTuple

from croupier.room.cluster_ports import Bus
from croupier.room.services import Services
from croupier.room.subjects import Subjects


class Link(NamedTuple):
    """The bus, the names on it, and this server's own."""

    services: Services
    bus: Bus
    subjects: Subjects
    node_id: str
