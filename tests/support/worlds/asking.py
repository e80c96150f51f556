"""When a viewer asks something, and how requests of each RPC are made for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from google.protobuf.message import Message
from tests.support.worlds.contract import METHODS, request
from tests.support.worlds.viewers import PLAYERS, Viewer


class Moment(NamedTuple):
    """When it is asked: what everybody at the table knows, and a number that no other request has."""

    viewer: Viewer
    table_id: str
    house_id: str
    currency: str
    hand_number: int
    action_sequence: int
    actor: str
    sequence: int
    random: Random
    unique: int

    @property
    def name(self) -> str:
        """Whom the viewer speaks for, or would like to."""
        return self.viewer.name or "zoe"

    @property
    def other(self) -> str:
        """A player whose affairs are none of the viewer's; where all are, any."""
        others = [one for one in PLAYERS[:4] if one not in self.viewer.sees]
        return self.random.choice(others or PLAYERS[:4])

    def hand(self, back: int = 0) -> str:
        return f"{self.table_id}/{self.hand_number - back}"

    def key(self, player_id: str) -> dict[str, Any]:
        """What every mutation has."""
        told = {"table_id": self.table_id, "player_id": player_id}
        return {"request_id": f"{self.viewer.kind} {self.unique} {player_id}", **told}


Fields = Iterator[dict[str, Any]]
Ask = Callable[[Moment], Fields]
_ASKS: dict[str, Ask] = {}


def asks(rpc: str) -> Callable[[Ask], Ask]:
    def kept(ask: Ask) -> Ask:
        _ASKS[rpc] = ask
        return ask

    return kept


def requests(rpc: str, moment: Moment) -> Iterator[Message]:
    """Everything that is asked by an RPC at a moment."""
    for fields in _ASKS[rpc](moment):
        yield request(rpc, **fields)


def asked() -> list[str]:
    """RPCs that are asked, in order, of those that the contract has."""
    return sorted(rpc for rpc in _ASKS if rpc in METHODS)
