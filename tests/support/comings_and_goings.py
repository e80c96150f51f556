"""A table whose players come and go between hands that nobody plays for; what each hand was dealt like is kept."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from tests.support.houses import table_rules

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.actions import FOLD
from croupier.engine.game import holdem
from croupier.engine.hand import NOBODY
from croupier.engine.rejection import Rejected
from croupier.engine.rotation import can_be_dealt_in
from croupier.engine.table import Table, check_invariants
from croupier.engine.table_play import execute, start_hand
from croupier.handrank import rank_holdem

SMALL: Final = 10
BIG: Final = 20
_DECK: Final = bytes(range(52))
_KEY: Final = tev.RequestKey("", "", "", b"")


class Before(NamedTuple):
    """How a seat stood as a hand was about to be dealt."""

    player_id: str
    able: bool
    newcomer: bool
    waits_for_button: bool
    waits_for_big_blind: bool


class Dealt(NamedTuple):
    """A hand as it was dealt."""

    started: ev.HandStarted
    posts: tuple[ev.Posted, ...]
    before: dict[int, Before]

    @property
    def big(self) -> int:
        return self.started.big_blind_seat

    @property
    def small(self) -> int:
        return self.started.small_blind_seat

    @property
    def button(self) -> int:
        return self.started.button_seat

    @property
    def seats(self) -> tuple[int, ...]:
        return self.started.seats

    def player(self, seat: int) -> str:
        return self.started.players[self.seats.index(seat)]

    def paid(self, seat: int) -> dict[ev.PostKind, int]:
        """What a seat posted."""
        return {post.kind: post.amount for post in self.posts if post.seat == seat}


class ComingsAndGoings:
    """Methods are what may happen between hands; what the rules refuse does not happen."""

    def __init__(self, seat_count: int = 10, **changed: Any) -> None:
        rules = table_rules(min_bet=BIG, seat_count=seat_count, **changed)
        created = tev.TableCreated("table", "", rules, "")
        self.table = Table(created, holdem(rank_holdem))
        self.hands: list[Dealt] = []
        self._number = 0

    def _do(self, command: cmd.Command) -> bool:
        return not isinstance(execute(self.table, command), Rejected)

    def _at(self, seat: int) -> str:
        return self.table.seats[seat].player_id if seat in self.table.seats else ""

    def join(self, seat: int, *, wait: bool = False) -> None:
        """A newcomer comes; `wait` is to wait for the big blind, where newcomers may."""
        self._number += 1
        wait = wait and self.table.rules.newcomers_may_wait
        player, transfer = f"player {self._number}", f"transfer {self._number}"
        if self._do(cmd.ReserveSeat(seat, player, 0)):
            assert self._do(cmd.RequestBuyIn(player, 100 * BIG, transfer, _KEY, wait))
            assert self._do(cmd.AcceptTransfer(transfer))

    def join_and_wait(self, seat: int) -> None:
        self.join(seat, wait=True)

    def leave(self, seat: int) -> None:
        if player := self._at(seat):
            assert self._do(cmd.CashOut(player, 0))
            for transfer in tuple(self.table.carried.transfers):
                assert self._do(cmd.ConfirmPayout(transfer))

    def sit_out(self, seat: int) -> None:
        self._do(cmd.SitOut(self._at(seat), 0))

    def sit_in(self, seat: int) -> None:
        self._do(cmd.SitIn(self._at(seat), False))

    def wait(self, seat: int) -> None:
        self._do(cmd.SitIn(self._at(seat), True))

    def avoid(self, seat: int) -> None:
        """The player prefers to sit out from the next blind on, or does so no longer."""
        if seat in self.table.seats:
            taken = self.table.seats[seat]
            avoids = not taken.preferences.sit_out_next_blind
            taken.preferences = tev.Preferences(sit_out_next_blind=avoids)

    def deal(self) -> Dealt | None:
        """Deal a hand that all but one fold at once; None where it takes two and there are not."""
        before = {
            number: Before(
                seat.player_id,
                can_be_dealt_in(seat),
                seat.owes_bring_in,
                seat.waiting_for_button,
                seat.waiting_for_big_blind,
            )
            for number, seat in self.table.seats.items()
        }
        happened = start_hand(self.table, cmd.StartHand(0), _DECK)
        if isinstance(happened, Rejected):
            return None
        for event in happened:
            if isinstance(event, tev.SatOut):
                before[event.seat] = before[event.seat]._replace(able=False)
        started = next((event for event in happened if isinstance(event, ev.HandStarted)), None)
        if started is None:
            return None
        posts = tuple(event for event in happened if isinstance(event, ev.Posted))
        dealt = Dealt(started, posts, before)
        self.hands.append(dealt)
        while (hand := self.table.hand) is not None:
            assert hand.actor != NOBODY
            player = self.table.seats[hand.seats[hand.actor]].player_id
            assert self._do(cmd.Act(player, hand.number, hand.action_sequence, FOLD, 0))
        check_invariants(self.table)
        return dealt
