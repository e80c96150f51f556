"""What clients were told, held against what a restarted server says and does. Kills nothing, starts nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from tests.support.client_log import Call, ClientLog
from tests.support.journal_file import Written
from tests.support.survey import Survey
from tests.support.table_load import players_of

from croupier.v1 import hand_pb2
from croupier.v1.betting_service_pb2 import ActResponse
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.table_pb2 import Table

ACTIONS: Final = {
    "folded": hand_pb2.ACTION_KIND_FOLD,
    "checked": hand_pb2.ACTION_KIND_CHECK,
    "called": hand_pb2.ACTION_KIND_CALL,
    "bet_made": hand_pb2.ACTION_KIND_BET_TO,
    "raised": hand_pb2.ACTION_KIND_RAISE_TO,
}
_TOLD_BY: Final = {
    "ReserveSeat": {"seat_reserved"},
    "BuyIn": {"bought_in"},
    "Rebuy": {"rebuy_queued", "rebought"},
    "CashOut": {"leave_queued", "player_left"},
}

Standing = tuple[str, int, str]
"""Hand, decision and player."""


def standing(decision: hand_pb2.Decision) -> Standing:
    """The decision by its names."""
    return decision.hand_id, decision.action_sequence, decision.player_id


class TableEvidence:
    """One table: its history as each player was told it, grown restart by restart."""

    def __init__(self, table_id: str, log: ClientLog) -> None:
        self.table_id: Final = table_id
        self.players: Final = players_of(table_id)
        self.sequence = 0
        """Up to where the history has been read."""
        self.cards: Final[dict[tuple[str, str], list[str]]] = {}
        """Hole cards that watchers were dealt, by hand and player."""
        self._log = log
        self._told: dict[str, dict[int, list[bytes]]] = {player: {} for player in self.players}
        self._actions: dict[int, tuple[str, int, TableEvent]] = {}
        self._kinds: dict[int, set[str]] = {}
        self._hand = ("", 0)
        self._heard: dict[tuple[str, int], list[bytes]] = {}
        self._read = 0
        self._dealing: dict[str, str] = {}

    def read(self, survey: Survey, up_to: int) -> None:
        """Read on in the history, as every player."""
        for player in self.players:
            events = survey.history(self.table_id, player, self.sequence, up_to)
            sequences = sorted({event.sequence for event in events})
            assert sequences == list(range(self.sequence + 1, up_to + 1)), "the history has gaps"
            for event in events:
                told = self._told[player].setdefault(event.sequence, [])
                told.append(event.SerializeToString(deterministic=True))
                if player == self.players[0]:
                    self._note(event)
        self.sequence = up_to

    def _note(self, event: TableEvent) -> None:
        kind = event.WhichOneof("event") or ""
        self._kinds.setdefault(event.sequence, set()).add(kind)
        if kind == "hand_started":
            self._hand = (event.hand_started.hand_id, 0)
        elif kind in ACTIONS:
            self._hand = (self._hand[0], self._hand[1] + 1)
            assert event.sequence not in self._actions, "two actions in one record"
            self._actions[event.sequence] = (*self._hand, event)

    def check_watchers(self) -> None:
        """Whatever watchers ever heard is in the history, as they heard it.

        The last of it may be only the first events of its sequence: their process was stopped while it wrote.
        """
        for line in self._log.heard[self._read :]:
            if line.table_id == self.table_id:
                event = TableEvent.FromString(line.event)
                heard = self._heard.setdefault((line.player_id, event.sequence), [])
                told = self._told[line.player_id].get(event.sequence, [])
                heard.append(line.event)
                assert told[: len(heard)] == heard, f"{line.player_id} heard something else: {event}"
                self._deal(line.player_id, event)
        self._read = len(self._log.heard)

    def _deal(self, player: str, event: TableEvent) -> None:
        if event.HasField("hand_started"):
            self._dealing[player] = event.hand_started.hand_id
        for seat in event.hole_cards_dealt.seats:
            if seat.hole_cards:
                self.cards[self._dealing[player], player] = list(seat.hole_cards)

    def check_answers(self, calls: Mapping[str, Call], written: Mapping[str, Written]) -> None:
        """Every answer is in journal and history at the sequence it named, and every action was asked for."""
        asked: dict[int, str] = {}
        for request_id, record in written.items():
            call = calls.get(request_id)
            if record.table_id == self.table_id and call is not None and call.method == "Act":
                assert asked.setdefault(record.sequence, request_id) == request_id
        assert set(asked) == set(self._actions), "an action in the history is in no client's log"
        for request_id, call in calls.items():
            request: Any = call.request
            if getattr(request, "table_id", "") != self.table_id:
                continue
            if call.method == "Act" and call.answers:
                assert asked[written[request_id].sequence] == request_id
                self._check_act(request, call.answers, written[request_id].sequence)
            elif call.method == "Act" and call.refusals:
                assert request_id not in written, "a refused action was carried out"
            elif call.answers:
                answer: Any = call.answers[0]
                assert _TOLD_BY[call.method] & self._kinds[answer.sequence], f"{call.method} {request_id}"

    def _check_act(self, request: Any, answers: list[Any], sequence: int) -> None:
        hand_id, action_sequence, event = self._actions[sequence]
        assert (hand_id, action_sequence) == (request.hand_id, request.action_sequence)
        kind = event.WhichOneof("event") or ""
        chips: Any = getattr(event, kind)
        for answer in answers:
            assert isinstance(answer, ActResponse)
            assert (answer.sequence, answer.result.action) == (sequence, ACTIONS[kind])
            if kind in ("called", "bet_made", "raised"):
                result = answer.result
                told = (result.paid, result.street_bet, result.all_in)
                assert told == (chips.paid, chips.street_bet, chips.all_in)

    def last_standing(self) -> Standing | None:
        """The decision that the last acknowledged action left, None where it named none."""
        acts = [call for _, call in self._log.acknowledged("Act") if self._here(call)]
        answer: Any = acts[-1].answers[0] if acts else ActResponse()
        return standing(answer.next_decision) if answer.HasField("next_decision") else None

    def _here(self, call: Call) -> bool:
        request: Any = call.request
        return bool(request.table_id == self.table_id)

    def carried_out(self, written: Mapping[str, Written]) -> int:
        """How many actions in flight the journal holds."""
        return sum(
            request_id in written for request_id, call in self._log.in_flight().items() if self._here(call)
        )

    def check_cards(self, player: str, table: Table) -> bool:
        """The player's cards in the hand in play are those dealt; whether both are known."""
        own = [list(seat.hole_cards) for seat in table.hand.seats if seat.player_id == player]
        dealt = self.cards.get((table.hand.hand_id, player))
        if not own or dealt is None:
            return False
        assert own == [dealt], f"{player} holds other cards than were dealt"
        return True

    def check_stacks(self, survey: Survey, table: Table) -> None:
        """Each stack account holds what the player has at the table, bets of the hand in play included.

        What a restarted server carries on with may move the table meanwhile; then it is looked at again.
        """
        balances = {player: survey.balance(player) for player in self.players}
        now = survey.table(table.table_id)
        if now.sequence != table.sequence:
            self.check_stacks(survey, now)
            return
        chips: Counter[str] = Counter()
        for seat in table.seats:
            chips[seat.player_id] += seat.stack + seat.queued_rebuy
        for hand_seat in table.hand.seats:
            chips[hand_seat.player_id] += hand_seat.contribution
        for player, balance in balances.items():
            assert sum(one.amount for one in balance.tables) == chips[player], player
