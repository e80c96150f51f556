"""What players say beside their decisions: actions in advance, preferences, cards they show."""

from __future__ import annotations

from croupier.engine import commands as cmd
from croupier.engine.events import Event
from croupier.engine.table_events import RequestKey
from croupier.room.answers import PrivateAnswer, ShownAnswer
from croupier.room.ports import RequestRecord
from croupier.room.requests import Requests, lasting
from croupier.room.seats import FindTable, carry_out
from croupier.room.subscriptions import private_part


class Wishes:
    """The wishes of all players. Every method answers only once what it did is durable."""

    def __init__(self, requests: Requests, table: FindTable) -> None:
        self._requests = requests
        self._table = table

    async def note(
        self, key: RequestKey, table_id: str, command: cmd.SetAdvanceAction | cmd.SetPreferences
    ) -> PrivateAnswer:
        """Something that the player alone hears of, until it is done."""
        actor = await self._table(table_id)

        async def run() -> PrivateAnswer:
            answers: list[PrivateAnswer] = []

            def answer(events: list[Event], _: int) -> RequestRecord:
                part = private_part(events)
                answers.append(PrivateAnswer(part.sequence if part is not None else 0))
                return lasting(key, answers[0])

            await carry_out(actor, command, key, answer)
            return answers[0]

        return await self._requests.once(key, PrivateAnswer, run)

    async def show_cards(self, key: RequestKey, table_id: str, command: cmd.ShowCards) -> ShownAnswer:
        """Show everybody cards of the hand that has just ended (R-H9)."""
        actor = await self._table(table_id)

        async def run() -> ShownAnswer:
            answers: list[ShownAnswer] = []

            def answer(_: list[Event], sequence: int) -> RequestRecord:
                answers.append(ShownAnswer(sequence))
                return lasting(key, answers[0])

            await carry_out(actor, command, key, answer)
            return answers[0]

        return await self._requests.once(key, ShownAnswer, run)
