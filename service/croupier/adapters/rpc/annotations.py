"""Annotations of hands that ran out all in, for whoever watches; late, or never, but never in a table's way."""

from __future__ import annotations

from typing import Final

from croupier.adapters.calculator import Busy, Calculator
from croupier.adapters.rpc.messages import STREETS
from croupier.handrank.equity import Equity, Question, Stopped
from croupier.handrank.equity_games import EQUITY_GAMES, EquityGame
from croupier.room.actor import TableActor
from croupier.room.hand_id import hand_id_of
from croupier.room.ports import Runtime
from croupier.room.run_outs import RunOut
from croupier.v1 import annotation_pb2 as pb
from croupier.v1.table_service_pb2 import WatchTableResponse

_BASIS_POINTS: Final = 10_000
_MOST_DEALS: Final = 100_000
_MOST_HOLDEM_DEALS: Final = 2_000_000
"""Enough for every board of two hands or more: they are gone through in some 20 ms."""


class Annotator:
    """Calculates what hands that ran out were worth, and tells those who saw it."""

    def __init__(self, runtime: Runtime, calculator: Calculator) -> None:
        self._runtime = runtime
        self._calculator = calculator

    def run_out(self, actor: TableActor, run_out: RunOut) -> None:
        """Annotate a hand, unless as many are waited for as may be."""
        self._runtime.spawn(self._annotate(actor, run_out))

    async def _annotate(self, actor: TableActor, run_out: RunOut) -> None:
        if not actor.heard():
            return
        game = EQUITY_GAMES[run_out.game.name]
        try:
            equities = await self._calculator.equities(_questions(game, run_out))
        except (Busy, Stopped):
            return
        annotation = _annotation(actor.table_id, run_out, equities)
        actor.annotate(run_out.record, WatchTableResponse(annotation=annotation).SerializeToString())


def _questions(game: EquityGame, run_out: RunOut) -> list[Question]:
    hands = [cards for _, cards in run_out.hands]
    most = _MOST_HOLDEM_DEALS if game.name == "holdem" else _MOST_DEALS
    seed = run_out.hand_number
    return [Question(game, hands, board, most_deals=most, seed=seed) for _, board in run_out.boards]


def _annotation(table_id: str, run_out: RunOut, equities: list[Equity]) -> pb.Annotation:
    streets = []
    for (street, _), equity in zip(run_out.boards, equities, strict=True):
        seats = [
            pb.SeatEquity(seat_number=seat, equity_bps=part.per(_BASIS_POINTS))
            for (seat, _), part in zip(run_out.hands, equity.hands, strict=True)
        ]
        streets.append(pb.StreetEquity(street=STREETS[street], seats=seats, exact=equity.exact))
    return pb.Annotation(hand_id=hand_id_of(table_id, run_out.hand_number), streets=streets)
