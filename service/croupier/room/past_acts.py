"""Actions of hands that memory no longer holds, found in the journal by their lasting key. Decides nothing."""

from __future__ import annotations

from typing import Final

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine.play import action_of
from croupier.room.actor import TableActor
from croupier.room.acts import Acted, RequestName, acted_of
from croupier.room.failures import Refusal, TableHalted
from croupier.room.journal import body_of
from croupier.room.ports import Record, Store
from croupier.room.seal import Seal
from croupier.room.services import Services

_LATE: Final = ("DECISION_STALE", "TABLE_BUSY", "TABLE_CLOSED", "TABLE_HALTED")
"""What an action is refused for that was made long ago, and may have been accepted then."""
_GLANCE: Final = 16
"""Records read at once to tell which hand is played about a sequence."""
_PAGE: Final = 128


async def acted_before(
    services: Services,
    actor: TableActor,
    refused: Refusal | TableHalted,
    request: RequestName,
    decision: tuple[int, int],
) -> Acted | None:
    """The request's action, where it is refused because that is in the journal and no longer in memory."""
    if refused.reason not in _LATE or actor.remembers(decision[0]):
        return None
    past = await find(services.store, services.seal, actor.table_id, actor.sequence, decision)
    return past if past is not None and past.request == request else None


async def find(
    store: Store, seal: Seal, table_id: str, newest: int, decision: tuple[int, int]
) -> Acted | None:
    """The action that answered a decision; `newest` is a sequence of the table's that is durable.

    The journal has no index of hands, but their numbers rise with the sequence: it is halved until the hand is
    near, and read from there.
    """
    number = decision[0]
    low, high = 0, newest
    while high - low > _PAGE // 2:
        middle = (low + high) // 2
        if await _hand_after(store, table_id, middle) < number:
            low = middle
        else:
            high = middle
    while records := await store.records(table_id, low, _PAGE):
        for record in records:
            body = body_of(record)
            if isinstance(body.command, cmd.Act):
                key = (body.command.hand_number, body.command.action_sequence)
                if key == decision:
                    return acted_of(record, body.command, action_of(body.events), seal)
                if key > decision:
                    return None
        low = records[-1].sequence
    return None


async def _hand_after(store: Store, table_id: str, sequence: int) -> float:
    """The number of the first hand that the records after a sequence speak of; infinite where none does."""
    while records := await store.records(table_id, sequence, _GLANCE):
        for record in records:
            number = _hand_of(record)
            if number:
                return number
        sequence = records[-1].sequence
    return float("inf")


def _hand_of(record: Record) -> int:
    """The hand that a record belongs to, 0 where it does not say."""
    body = body_of(record)
    if isinstance(body.command, cmd.Act | cmd.TimeOut):
        return body.command.hand_number
    started = [event.hand_number for event in body.events if isinstance(event, ev.HandStarted)]
    return started[0] if started else 0
