"""Players' shares in the coming hand's deal: entropy committed to, and revealed."""

from __future__ import annotations

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.events import Event
from croupier.engine.table_events import RequestKey
from croupier.room.answers import ShareAnswer
from croupier.room.ports import RequestRecord
from croupier.room.requests import Requests, lasting
from croupier.room.seats import FindTable, carry_out


class Sharing:
    """The shares of all players. Every method answers only once what it did is durable."""

    def __init__(self, requests: Requests, table: FindTable) -> None:
        self._requests = requests
        self._table = table

    async def take(
        self, key: RequestKey, table_id: str, command: cmd.CommitEntropy | cmd.RevealEntropy
    ) -> ShareAnswer:
        """Commit to entropy, or reveal it."""
        actor = await self._table(table_id)

        async def run() -> ShareAnswer:
            answers: list[ShareAnswer] = []

            def answer(events: list[Event], sequence: int) -> RequestRecord:
                number = next(
                    event.hand_number
                    for event in events
                    if isinstance(event, tev.EntropyCommitted | tev.EntropyRevealed)
                )
                answers.append(ShareAnswer(sequence, number))
                return lasting(key, answers[0])

            await carry_out(actor, command, key, answer)
            return answers[0]

        return await self._requests.once(key, ShareAnswer, run)
