"""Players: they join, act when they hear that it is their turn, and do all else that can be done at a table."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from tests.simulation.calls import Network, Reply
from tests.simulation.chance import Chance
from tests.simulation.stream import Message, News, Snapshot, Told
from tests.simulation.world import MS, NS, World

from croupier.engine import actions
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.actions import Action
from croupier.engine.table_events import AdvanceAction, AdvanceKind, Preferences, Vouched
from croupier.engine.table_rules import TableRules
from croupier.room.exchange import Discard
from croupier.room.views import DecisionView

_WISHES: Final = (
    *("rebuy", "say", "share") * 4,
    *("sit_out", "prefer", "hand") * 2,
    "move",
    "queue",
    "show",
    "cash_out",
    "dismiss",
    "pause",
    "wrong",
    "release",
    "unqueue",
)


class Player:
    """Knows of the table what was heard of it."""

    def __init__(
        self,
        world: World,
        chance: Chance,
        network: Network,
        player_id: str,
        table_id: str,
        rules: TableRules,
        *,
        outside: bool,
    ) -> None:
        self.player_id = player_id
        self._world = world
        self._chance = chance
        self._network = network
        self._table_id = table_id
        self._rules = rules
        self._outside = outside
        self._place = "out"
        self._hand = 0
        self._cards = b""
        self._left_with = 0
        self._entropy = b""
        self._heard: DecisionView | None = None
        self._leisure = chance.choice((200 * MS, NS, NS, 4 * NS))
        world.after(chance.below(3 * NS), self._live)

    def _call(self, method: str, *content: object, then: Callable[[Reply], None] = lambda _: None) -> None:
        principal = f"backend {self.player_id[-1]}"
        self._network.call(principal, method, self._table_id, self.player_id, content, then)

    # what is heard

    def hear(self, message: Message) -> None:
        if isinstance(message, Snapshot):
            seat = next((one for one in message.view.seats if one.player_id == self.player_id), None)
            self._place = "out" if seat is None else "reserved" if seat.state == "RESERVED" else "in"
            if message.view.hand is not None:
                self._hand = message.view.hand.hand_number
                own = [one for one in message.view.hand.seats if one.player_id == self.player_id]
                self._cards = own[0].hole_cards if own else b""
            self._decide(message.view.decision)
        elif isinstance(message, News):
            for told in message.told:
                self._learn(told)
            self._decide(message.decision)

    def _learn(self, told: Told) -> None:
        for event in told.events:
            if isinstance(event, ev.HandStarted):
                self._hand, self._cards = event.hand_number, told.own
                if self._chance.one_in(8):
                    self._wish("say")
            elif isinstance(event, ev.CardsDrawn) and event.places and told.own:
                half = len(told.own) // 2
                kept = [card for card in self._cards if card not in told.own[:half]]
                self._cards = bytes(kept) + told.own[half:]
            elif isinstance(event, tev.PlayerLeft) and event.player_id == self.player_id:
                self._place, self._left_with = "out", event.amount
            elif isinstance(event, ev.HandEnded) and self._chance.one_in(8):
                self._wish("show")
            elif isinstance(event, tev.SeatReserved) and event.player_id == self.player_id:
                self._place = "reserved"
            elif isinstance(event, tev.BoughtIn) and event.player_id == self.player_id:
                self._place = "in"
            elif isinstance(event, tev.DeckCommitted) and self._entropy:
                self._call("RevealEntropy", event.hand_number, self._entropy)

    # decisions

    def _decide(self, decision: DecisionView | None) -> None:
        if decision is None or decision.player_id != self.player_id:
            return
        if self._heard is not None and _name(self._heard) == _name(decision):
            return
        self._heard = decision
        span = self._chance.below(self._leisure)
        if not self._world.healed and self._chance.one_in(40):
            span = self._chance.between(NS, 40 * NS)  # too late, for the most part
        self._world.after(span, self._act, decision)

    def _act(self, decision: DecisionView) -> None:
        if self._heard is decision:
            self._call("Act", decision.hand_number, decision.action_sequence, self._chosen(decision))

    def _chosen(self, decision: DecisionView) -> Action | Discard:
        legal, chance = decision.legal, self._chance
        if legal.can_draw:
            return Discard(self._cards[: chance.below(legal.max_discards + 1)])
        free = actions.CALL if legal.call_amount else actions.CHECK if legal.can_check else actions.FOLD
        least, most = legal.min_bet_to or legal.min_raise_to, legal.max_bet_to or legal.max_raise_to
        choices: list[Action] = [free] * 6
        if legal.can_fold:
            choices.append(actions.FOLD)
        if least:
            to = min(most, least + chance.below(1 + 3 * least))
            choices += [actions.BetTo(to) if legal.min_bet_to else actions.RaiseTo(to)] * 2
        if legal.all_in_to and (chance.one_in(3) or (not legal.call_amount and not legal.can_check)):
            choices.append(actions.ALL_IN)
        return chance.choice(choices)

    # all else

    def _live(self) -> None:
        """Something every few seconds."""
        if self._world.healed:
            return
        if self._place == "out" and self._chance.one_in(2):
            self._call("LeaveWaitingList") if self._chance.one_in(6) else self._join()
        elif self._place == "out":
            self._reserve()
        elif self._place == "reserved":
            amount = self._amount(self._rules.min_buy_in, self._rules.max_buy_in)
            self._call("BuyIn", self._left_with if self._left_with and self._chance.one_in(2) else amount)
        elif self._chance.one_in(2):
            self._wish(self._chance.choice(_WISHES))
        self._world.after(self._chance.between(NS // 2, 8 * NS), self._live)

    def _join(self) -> None:
        if not self._outside:
            self._call("Deposit", self._rules.currency, self._amount(1, 3 * self._rules.max_buy_in))
            if self._chance.one_in(8):
                self._call("Withdraw", self._rules.currency, self._amount(1, self._rules.max_buy_in))
        self._reserve()

    def _reserve(self) -> None:
        seat = self._chance.between(1, self._rules.seat_count)
        self._call("ReserveSeat", seat, Vouched(), then=self._reserved)

    def _reserved(self, reply: Reply) -> None:
        if reply.kind == "refused" and self._place == "out" and self._chance.one_in(2):
            self._call("JoinWaitingList", Vouched())

    def _amount(self, least: int, most: int) -> int:
        return self._chance.choice((least, self._chance.between(least, most), most))

    def _wish(self, wish: str) -> None:
        chance, room = self._chance, self._rules.max_buy_in
        if wish == "rebuy":
            self._call("Rebuy", self._amount(1, room))
        elif wish == "say":
            kind = chance.choice((*AdvanceKind, None))
            amount = chance.between(1, 2 * self._rules.small_bet) if kind is AdvanceKind.CALL else 0
            self._call("SetAdvanceAction", self._hand, None if kind is None else AdvanceAction(kind, amount))
        elif wish == "prefer":
            self._call("SetPreferences", Preferences(chance.one_in(2), chance.one_in(4)))
        elif wish == "show":
            self._call("ShowCards", max(1, self._hand - chance.below(2)), b"")
        elif wish == "hand":
            self._call("GetHand", max(1, self._hand - chance.below(3)))
        elif wish == "share":
            self._entropy = chance.entropy(32)
            self._call("CommitEntropy", hashlib.sha256(self._entropy).digest())
        elif wish == "sit_out":
            self._call("SitOut")
            self._world.after(chance.between(NS, 20 * NS), self._call, "SitIn", chance.one_in(2))
        elif wish == "pause":
            self._call("PauseTable")
            self._world.after(chance.between(NS, 5 * NS), self._call, "ResumeTable")
        elif wish == "wrong" and self._heard is not None:
            hand, number = _name(self._heard)
            self._call("Act", hand, number + chance.below(3) - 1, actions.FOLD)
        else:
            self._seat_wish(wish)

    def _seat_wish(self, wish: str) -> None:
        if wish in ("move", "queue"):
            self._reserve() if wish == "move" else self._call("JoinWaitingList", Vouched())
        elif wish != "wrong":
            name = {"cash_out": "CashOut", "dismiss": "Dismiss", "release": "ReleaseSeat"}
            self._call(name.get(wish, "LeaveWaitingList"))


def _name(decision: DecisionView) -> tuple[int, int]:
    return decision.hand_number, decision.action_sequence
