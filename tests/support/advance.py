"""A hand in which players say beforehand what to do (R-T16), as the engine alone plays it."""

from __future__ import annotations

from typing import Any

import msgspec
from tests.support.table_plans import table_between_hands

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.actions import Action
from croupier.engine.advance import standing
from croupier.engine.game import five_card_draw
from croupier.engine.rejection import Rejected
from croupier.engine.table import Table
from croupier.engine.table_events import AdvanceAction, AdvanceKind
from croupier.engine.table_play import execute, start_hand

DECK = bytes(reversed(range(52)))
"""The first hand dealt holds a pair of aces, and is the best."""
CHECK_FOLD = AdvanceAction(AdvanceKind.CHECK_FOLD)
CHECKS = AdvanceAction(AdvanceKind.CHECK)
CALLS_ANY = AdvanceAction(AdvanceKind.CALL_ANY)


def calls(amount: int) -> AdvanceAction:
    return AdvanceAction(AdvanceKind.CALL, amount)


class Play:
    """A hand of 5 and 10, 1000 chips each, 2000 for the rich: anna has the button, bert and cleo the blinds."""

    def __init__(self, count: int = 4, rich: tuple[int, ...] = (), **rules: Any) -> None:
        names = dict(enumerate(("anna", "bert", "cleo", "dora")[:count], start=1))
        self.table = table_between_hands(names, button=4, sb=1, bb=2, **rules)
        for number in rich:
            self.table.carried.seats[number].stack += 1000
            self.table.carried.chips += 1000
        self._deal()

    @classmethod
    def of(cls, table: Table) -> Play:
        """The next hand of a table."""
        play = cls.__new__(cls)
        play.table = table
        play._deal()
        return play

    def _deal(self) -> None:
        decks = self.table.hand_rules.game.decks_needed(4, self.table.hand_rules.most_drawn)
        dealt = start_hand(self.table, cmd.StartHand(0), DECK * decks)
        assert not isinstance(dealt, Rejected)

    @property
    def actor(self) -> str:
        hand = self.table.hand
        assert hand is not None
        return self.table.seats[hand.seats[hand.actor]].player_id

    def act(self, player: str, action: Action) -> list[ev.Event]:
        """An action by the player, whose turn it must be; what it led to, advance actions included."""
        hand = self.table.hand
        assert hand is not None
        assert self.actor == player
        return self.done(cmd.Act(player, hand.number, hand.action_sequence, action, 0))

    def done(self, command: cmd.Command) -> list[ev.Event]:
        events = execute(self.table, command)
        assert not isinstance(events, Rejected), events
        return events

    def say(self, player: str, action: AdvanceAction | None) -> list[ev.Event]:
        return self.done(self._saying(player, action))

    def refused(self, player: str, action: AdvanceAction | None) -> bool:
        refusal = execute(self.table, self._saying(player, action))
        if isinstance(refusal, Rejected):
            assert refusal.reason == "ADVANCE_ACTION_NOT_ALLOWED"
        return isinstance(refusal, Rejected)

    def _saying(self, player: str, action: AdvanceAction | None) -> cmd.SetAdvanceAction:
        return cmd.SetAdvanceAction(player, self.table.carried.hand_number, action)

    def stands(self, player: str) -> AdvanceAction | None:
        """What will be done at the player's turn, as the player is told."""
        hand, number = self.table.hand, self.table.seat_of(player)
        assert hand is not None
        return standing(hand, number, self.table.seats[number])


def in_advance(events: list[ev.Event]) -> list[tuple[str, int]]:
    """What was done in advance, with the seats it was done for."""
    return [
        (type(event).__name__, event.seat)
        for event in events
        if isinstance(event, ev.Folded | ev.Checked | ev.Called) and event.cause is ev.Cause.ADVANCE
    ]


def draw_play() -> Play:
    """Five-card draw without blinds, in which checks are allowed, its first hand dealt to anna, bert and cleo."""
    rules = msgspec.structs.replace(Play(3).table.rules, small_blind=0, big_blind=0, most_drawn=3)
    game = five_card_draw(lambda hands, _: [sum(hand) for hand in hands])
    table = Table(tev.TableCreated("table", "", rules, ""), game)
    for number, player in enumerate(("anna", "bert", "cleo"), start=1):
        table.carried.seats[number] = tev.Seat(player, stack=1000, bought_in=True)
    table.carried.chips = 3000
    return Play.of(table)
