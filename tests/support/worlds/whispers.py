"""What others say in advance and prefer, unlike in two worlds, wherever both come to the same.

Who hears nothing of it must not be able to tell: neither that something was said, nor what.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from tests.support.worlds.contract import request
from tests.support.worlds.viewers import player
from tests.support.worlds.world import World

from croupier.engine.hand import Hand
from croupier.room.views import DecisionView
from croupier.v1 import table_pb2

_CHECK: Final = table_pb2.ADVANCE_ACTION_KIND_CHECK
_CHECK_FOLD: Final = table_pb2.ADVANCE_ACTION_KIND_CHECK_FOLD
_CALL: Final = table_pb2.ADVANCE_ACTION_KIND_CALL
_CALL_ANY: Final = table_pb2.ADVANCE_ACTION_KIND_CALL_ANY
_NOTHING: Final = table_pb2.ADVANCE_ACTION_KIND_UNSPECIFIED


class Said(NamedTuple):
    """An action in advance."""

    kind: int
    call_amount: int = 0


NOTHING: Final = Said(_NOTHING)


class Whispers:
    """Before each move: something is said by those of whom the viewer must not hear it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._apart: set[str] = set()
        """Players whose preferences are not the same in both worlds."""
        self._spoken: set[str] = set()
        """Players of whom something may be done in this hand without their being asked."""
        self._hand_number = 0
        self._count = 0
        self.said = 0

    async def before(self, kind: str, decision: DecisionView) -> None:
        """`kind` is the move to come; nothing where nobody knows what will come of it."""
        hand = self._world.actor.table.hand
        if hand is None:
            return
        if hand.number != self._hand_number:
            self._hand_number = hand.number
            self._spoken.clear()
        if not hand.drawing:
            for player_id in self._others(hand, decision):
                await self._say(hand, player_id, kind)
        await self._prefer(kind)

    def _others(self, hand: Hand, decision: DecisionView) -> Iterator[str]:
        """Those who can still act in the hand, of whom the viewer sees nothing."""
        world = self._world
        seats = world.actor.table.seats
        for number, position in hand.position_of.items():
            seat = seats.get(number)
            if seat is None or not hand.can_act[position] or seat.leaving or seat.sitting_out:
                continue
            name = seat.player_id
            if name != decision.player_id and name not in world.viewer.sees and world.random.random() < 0.4:
                yield name

    async def _say(self, hand: Hand, player_id: str, kind: str) -> None:
        """Two things that come to the same, or two that do not and then the same."""
        random = self._world.random
        self._spoken.add(player_id)
        position = hand.position_of[self._world.actor.table.seat_of(player_id)]
        owed = min(hand.stack[position], hand.price - hand.street_bet[position])
        behind = hand.stack[position] > owed
        meant = NOTHING if random.random() < 0.7 or self._quiet else Said(_CHECK_FOLD)
        if (
            kind == "check"
            and hand.to_act > 1
            and self._follows(hand, position)
            and not owed
            and not self._quiet
        ):
            await self._one_of(player_id, Said(_CHECK), Said(_CHECK_FOLD))
        elif kind == "raise to" and owed > 0 and behind:
            await self._one_of(player_id, NOTHING, Said(_CALL, owed))
        else:
            one = Said(_CALL, owed) if owed > 0 else Said(_CALL_ANY)
            await self._one_of(player_id, one, Said(_CHECK_FOLD))
            await self._world.ask("TableService.GetTable")
            await self._one_of(player_id, meant, meant)

    @staticmethod
    def _follows(hand: Hand, position: int) -> bool:
        """Whether the seat is the next to act after the one whose turn it is."""
        count = len(hand.seats)
        after = next(
            (
                place % count
                for place in range(hand.actor + 1, hand.actor + count)
                if hand.can_act[place % count]
            ),
            None,
        )
        return after == position

    async def _one_of(self, player_id: str, one: Said, other: Said) -> None:
        """In a quiet pair the first world's others say nothing at all."""
        if self._world.other:
            await self._speak(player_id, other)
        elif not self._quiet:
            await self._speak(player_id, one)

    @property
    def _quiet(self) -> bool:
        return self._world.plan.quiet

    async def _speak(self, player_id: str, said: Said) -> None:
        world = self._world
        number = world.actor.table.carried.hand_number
        message = request(
            "BettingService.SetAdvanceAction",
            **self._key(player_id),
            hand_id=f"{world.table_id}/{number}",
            kind=said.kind,
            call_amount=said.call_amount,
        )
        self.said += not await world.call("BettingService.SetAdvanceAction", player(player_id), message)

    async def _prefer(self, kind: str) -> None:
        """Anything while it changes nothing that is seen, and the same where the hand may end."""
        world = self._world
        may_end = self.may_end(kind)
        for player_id in world.players:
            if player_id in world.viewer.sees or not world.actor.table.seat_of(player_id):
                continue
            show, sit_out, again = (world.random.random() < chance for chance in (0.5, 0.5, 0.6))
            if not may_end and again:
                await self._wish(
                    player_id,
                    table_pb2.Preferences(
                        show_losing_hands=show != world.other, sit_out_next_blind=sit_out != world.other
                    ),
                )
                self._apart.add(player_id)
            elif may_end and player_id in self._apart:
                await self._wish(player_id, table_pb2.Preferences(show_losing_hands=show and not self._quiet))
                self._apart.discard(player_id)

    async def align(self) -> None:
        """Preferences are the same again, whatever comes."""
        for player_id in sorted(self._apart):
            await self._wish(player_id, table_pb2.Preferences())
        self._apart.clear()

    def may_end(self, kind: str) -> bool:
        """Whether the hand can be over after a move and all that follows from it: that may be unlike in two worlds
        where cards are shown later, and cannot be undone alike then."""
        hand = self._world.actor.table.hand
        if hand is None:
            return True
        seats = [self._world.actor.table.seats.get(number) for number in hand.seats]
        by_themselves = sum(
            seat is None or seat.player_id in self._spoken or bool(seat.leaving) or seat.sitting_out
            for seat in seats
        )
        last = hand.street + 1 == len(hand.rules.game.streets)
        few = hand.in_hand - 1 - by_themselves <= 1
        return last or few or hand.able < hand.in_hand or kind in ("", "all in", "time out")

    async def _wish(self, player_id: str, preferences: table_pb2.Preferences) -> None:
        world = self._world
        if world.other or not self._quiet:
            message = request("SeatService.SetPreferences", **self._key(player_id), preferences=preferences)
            await world.call("SeatService.SetPreferences", player(player_id), message)

    def _key(self, player_id: str) -> dict[str, Any]:
        self._count += 1
        return {
            "request_id": f"whisper {player_id} {self._count}",
            "table_id": self._world.table_id,
            "player_id": player_id,
        }
