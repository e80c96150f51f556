"""One table and all its players: opened, played at, refilled and closed, each answer checked.

Owns the table's next decision. What is legal the server says; whether it may say so, verdict.py judges.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from time import monotonic_ns
from typing import Final, NamedTuple

from croupier.client import Croupier
from croupier.client.errors import CroupierError, denied
from croupier.client.load import verdict
from croupier.client.load.dice import Dice
from croupier.client.load.history.recorder import Act
from croupier.client.load.policy import DRAW, Choice, choose, quiet
from croupier.client.load.probes import probe
from croupier.client.load.seating import Seating
from croupier.client.load.tally import SAMPLE, Tally
from croupier.client.load.waiting import Waiting
from croupier.client.retry import away
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.hand_pb2 import Decision, LegalActions
from croupier.v1.table_pb2 import TableState

HANDS_BETWEEN_REFILLS: Final = 40
_TIMEOUT: Final = 30.0
_READS: Final = 3


class GivenUp(Exception):
    """Raised when a table cannot be played on; says why."""


class Setting(NamedTuple):
    """What the tables of a run have in common; `probes` of 1,000 actions are accompanied by a probe."""

    client: Croupier
    act: Act
    tally: Tally
    probes: int = 0
    choose: Callable[[LegalActions, Dice], Choice] = choose


class LoadTable:
    """A table with a bot in each seat."""

    def __init__(self, setting: Setting, seating: Seating, name: str, dice: Dice) -> None:
        self.seating: Final = seating
        self.table_id: Final = seating.table_id
        self._client, self._act, self._tally, self._probes, self._choose = setting
        self._name: Final = name
        self._dice: Final = dice
        self._decision: Decision | None = None
        self._hand_id = ""
        self._away: CroupierError | None = None
        self._in_doubt = ("", 0)
        self._sequence = 0
        self._since = 0
        self._requests = 0
        self._refill_in = HANDS_BETWEEN_REFILLS
        self._next = ActRequest()
        self._probed = False

    async def step(self) -> None:
        """Answers the decision that stands, once there is one."""
        await self.prepare()
        await self.act()

    async def prepare(self) -> None:
        """Brings the table to where an action can be sent at once: what is asked for besides is asked before."""
        while True:
            if self._decision is None or self._refill_in <= 0:
                await self._refill()
            decision = self._standing_decision()
            self._probed = self._dice.below(1000) < self._probes and not self._unsure(decision)
            if not self._probed or await self._probe(decision):
                break
        self._next = await self._request(decision, self._choose(decision.legal_actions, self._dice))

    async def act(self, due: int = 0) -> None:
        """Sends what was prepared; its latency counts from when it was `due`, a moment of the monotonic clock, or from
        its sending.
        """
        request = self._next
        await self._answer(self._standing_decision(), request, due)
        if self._probed:
            await self._repeat(request)

    async def leave(self) -> None:
        """Closes the table, plays its hand to the end and waits until everybody has gone."""
        state = (await self._client.close_table(self.table_id)).state
        self._decision = None
        waiting = self._waiting()
        while state != TableState.TABLE_STATE_CLOSED:
            if await waiting.over():
                raise self._away or GivenUp("not closed although its last hand is over")
            decision = self._decision or await self._standing()
            if decision is not None:
                await self._answer(decision, await self._request(decision, quiet(decision.legal_actions)))
                waiting = waiting if self._away else self._waiting()
            else:
                await asyncio.sleep(0.01)
                state = (await self._client.get_table(self.table_id)).state
        self.seating.left = True

    async def _request(self, decision: Decision, choice: Choice) -> ActRequest:
        """What answers the decision with the choice."""
        action, amount = choice
        discards: Sequence[str] = ()
        if action == DRAW:
            discards, amount = await self._cards(decision, amount), 0
        return ActRequest(
            request_id=self._request_id("act"),
            table_id=self.table_id,
            player_id=decision.player_id,
            hand_id=decision.hand_id,
            action_sequence=decision.action_sequence,
            action=action,
            amount=amount,
            discards=discards,
        )

    async def _answer(self, decision: Decision, request: ActRequest, due: int = 0) -> None:
        """Sends an action, takes the time and the next decision."""
        tally = self._tally
        sent = monotonic_ns()
        try:
            response = await self._act(request, timeout=_TIMEOUT)
        except CroupierError as error:
            if denied(error):
                raise
            if away(error):
                self._unanswered(error, decision)
            else:
                await self._refused(error, decision)
            return
        self._away = None
        self._since = monotonic_ns()
        tally.timing.act(due or sent, sent, self._since)
        if tally.acts % SAMPLE == 0:
            tally.request_sizes.add(request.ByteSize())
            tally.response_sizes.add(response.ByteSize())
        tally.acts += 1
        if wrong := verdict.of_answer(request, decision.legal_actions, response):
            self._complain(wrong)
        self._advance(request, response)

    async def _cards(self, decision: Decision, count: int) -> Sequence[str]:
        """As many of the cards held by who must act."""
        if not count:
            return ()
        self._tally.other_calls += 1
        table = await self._client.get_table(self.table_id, decision.player_id)
        held = (seat.hole_cards for seat in table.hand.seats if seat.player_id == decision.player_id)
        return next(held, ())[:count]

    def _advance(self, request: ActRequest, response: ActResponse) -> None:
        sequence, hand_id = response.sequence, request.hand_id
        if sequence <= self._sequence or (hand_id == self._hand_id and sequence != self._sequence + 1):
            self._complain(f"sequence {self._sequence} was followed by {sequence}")
        self._sequence = sequence
        self._hand_id = hand_id
        self._decision = response.next_decision if response.HasField("next_decision") else None
        if self._decision is None or self._decision.hand_id != hand_id:
            self._tally.hands += 1
            self._refill_in -= 1

    def _unanswered(self, error: CroupierError, decision: Decision | None = None) -> None:
        """A call was given up, since there is no server: what stands is asked for anew."""
        self._tally.give_up(error)
        self._away = error
        self._hand_id, self._decision = "", None
        if decision is not None:
            self._in_doubt = decision.hand_id, decision.action_sequence

    def _unsure(self, decision: Decision) -> bool:
        """Whether an action that was not answered may yet be taken for an answer to it."""
        return (decision.hand_id, decision.action_sequence) == self._in_doubt

    async def _refused(self, error: CroupierError, decision: Decision) -> None:
        """A legal action was refused: late when its time was over, wrong otherwise."""
        waited = monotonic_ns() - self._since
        over = waited > decision.time_remaining.ToNanoseconds() or self._unsure(decision)
        if error.reason == "DECISION_STALE" and over:
            self._tally.late += 1
            self._hand_id, self._decision = "", None
        else:
            self._complain(f"a legal action got {error}")
            await self._reread()

    async def _probe(self, decision: Decision) -> bool:
        """Sends what must be refused, which must change nothing; whether there was a server."""
        others = [player for player in self.seating.players if player != decision.player_id]
        other = others[self._dice.below(len(others))]
        tried = probe(self.table_id, decision, other, self._request_id("probe"), self._dice)
        self._tally.probes += 1
        try:
            await self._act(tried.request, timeout=_TIMEOUT)
        except CroupierError as error:
            if denied(error):
                raise
            if away(error):
                self._unanswered(error)
                return False
            if error.reason not in tried.reasons:
                self._fail(f"{sorted(tried.reasons)} was due, {error} came, for {_told(tried.request)}")
        else:
            self._fail(f"{sorted(tried.reasons)} was due, but this was accepted: {_told(tried.request)}")
        return True

    async def _repeat(self, request: ActRequest) -> None:
        """Sends the last request again, which must be answered as before and change nothing."""
        if self._hand_id != request.hand_id:
            return
        self._tally.probes += 1
        try:
            again = await self._act(request, timeout=_TIMEOUT)
        except CroupierError as error:
            if denied(error):
                raise
            if away(error):
                self._unanswered(error)
            else:
                self._fail(f"a repetition got {error}")
        else:
            if again.sequence != self._sequence:
                self._fail(f"answered at {self._sequence}, the repetition at {again.sequence}")

    async def _refill(self) -> None:
        """Sees to it that every seat has a player with chips, and that a hand is in play."""
        self._refill_in = HANDS_BETWEEN_REFILLS
        self._tally.other_calls += await self.seating.refill()
        await self._reread()

    def _standing_decision(self) -> Decision:
        """Raises GivenUp where there is none."""
        if self._decision is None:
            raise GivenUp("no hand starts although the seats are taken")
        return self._decision

    async def _reread(self) -> None:
        """Asks for the decision that stands, until there is one or patience ends."""
        self._hand_id = ""
        waiting = self._waiting()
        self._decision = await self._standing()
        while self._decision is None and not await waiting.over():
            await asyncio.sleep(0.01)
            self._decision = await self._standing()

    async def _standing(self) -> Decision | None:
        """The standing decision with what its player may do."""
        self._hand_id = ""
        for _ in range(_READS):
            self._tally.other_calls += 2
            table = await self._client.get_table(self.table_id)
            if not table.HasField("next_decision"):
                return None
            player_id = table.next_decision.player_id
            answer = await self._client.get_legal_actions(self.table_id, player_id)
            if answer.sequence <= table.sequence:
                break  # else a time-out, or the next hand, came in between
        if answer.decision.player_id != player_id:
            self._complain(
                f"{player_id} must act by GetTable, {answer.decision.player_id!r} by GetLegalActions"
            )
        if wrong := verdict.of_decision(answer.decision):
            self._complain(wrong)
        self._since = monotonic_ns()
        return answer.decision

    def _waiting(self) -> Waiting:
        return Waiting(self._client.channel, self._tally)

    def _request_id(self, kind: str) -> str:
        self._requests += 1
        return f"{kind}-{self._name}-{self._requests}"

    def _fail(self, what: str) -> None:
        """A probe was answered wrongly."""
        self._tally.probes_failed += 1
        self._complain(what)

    def _complain(self, what: str) -> None:
        self._tally.complain(f"table {self.table_id}", what)


def _told(request: ActRequest) -> str:
    return f"action {request.action} amount {request.amount} by {request.player_id}"
