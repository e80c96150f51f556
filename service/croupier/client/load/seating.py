"""A table's players and their chips: deposited, seated, topped up. Remembers what the ledger must show."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from croupier.client import Croupier
from croupier.client.load.mix import TableKind
from croupier.v1.house_pb2 import BetStructure, Game, House, Stakes, TableOffer
from croupier.v1.seat_service_pb2 import Vouched
from croupier.v1.table_pb2 import SeatState, Table

BUY_INS_DEPOSITED: Final = 10_000
MOST_DEPOSITED: Final = 10**12
"""What a wallet may hold."""


async def house_of(client: Croupier, house_id: str) -> House:
    """A house by its id; raises ValueError, naming those there are."""
    houses = {house.house_id: house for house in await client.list_houses()}
    if house_id not in houses:
        raise ValueError(f"there is no house {house_id}, only {', '.join(sorted(houses))}")
    return houses[house_id]


def offer_of(house: House, kind: TableKind, players: int) -> TableOffer:
    """The first of the house's offers that is of the kind; raises ValueError, listing what there is, and where it has
    not a seat for each of the players.
    """
    names = []
    for offer in house.offers:
        game, structure = _game(offer.game), _structure(offer)
        bet = kind.min_bet or offer.stakes.min_bet
        wanted = kind.game in ("", game) and kind.structure in ("", structure)
        if wanted and offer.stakes.min_bet <= bet <= offer.max_min_bet:
            if players > offer.max_seat_count:
                raise ValueError(
                    f"a table of {kind} has {offer.max_seat_count} seats, not the {players} of --players-per-table"
                )
            return offer
        to = f" to {offer.max_min_bet}" if offer.any_min_bet else ""
        names.append((game, f"{game} {structure} {offer.stakes.min_bet}{to}"))
    of_game = [name for game, name in names if game == kind.game] or [name for _, name in names]
    asked = " ".join(part for part in (kind.game, kind.structure, str(kind.min_bet or "")) if part)
    raise ValueError(f"{house.house_id} does not offer {asked}, only {', '.join(of_game)}")


def _game(game: Game.ValueType) -> str:
    return Game.Name(game).removeprefix("GAME_").lower()


def _structure(offer: TableOffer) -> str:
    return BetStructure.Name(offer.structure).removeprefix("BET_STRUCTURE_").lower()


class Seating:
    """Who sits where: players[i] at seat i + 1. `deposited` is what each was given. Once `left` it is closed."""

    def __init__(
        self, client: Croupier, table: Table, players: list[str], vouched: Vouched | None = None
    ) -> None:
        self.players: Final = players
        self.left = False
        self._vouched: Final = vouched
        self.table_id: Final = table.table_id
        self.currency: Final = table.options.currency
        self.sequence: Final = table.sequence
        self._client: Final = client
        self._stakes: Final[Stakes] = table.options.stakes
        self.deposited: Final = min(BUY_INS_DEPOSITED * self._stakes.max_buy_in, MOST_DEPOSITED)

    async def seat_all(self) -> None:
        """Deposits, and seats everybody before the first hand."""
        for player_id in self.players:
            await self._client.deposit(player_id, self.currency, self.deposited)
        await self._client.pause_table(self.table_id)
        for number, player_id in enumerate(self.players, start=1):
            await self._seat(player_id, number)
        await self._client.resume_table(self.table_id)

    async def refill(self) -> int:
        """Seats again who has left without chips, tops up who has few; returns how many calls that took."""
        table = await self._client.get_table(self.table_id)
        taken = {seat.seat_number: seat for seat in table.seats}
        in_pots = {seat.seat_number: seat.contribution for seat in table.hand.seats}
        calls = 1
        for number, player_id in enumerate(self.players, start=1):
            seat = taken.get(number)
            if seat is None:
                await self._seat(player_id, number)
                calls += 2
                continue
            if seat.state == SeatState.SEAT_STATE_SITTING_OUT:
                await self._client.sit_in(self.table_id, player_id)
                calls += 1
            if seat.stack + seat.queued_rebuy + in_pots.get(number, 0) < self._stakes.max_buy_in // 4:
                await self._client.rebuy(self.table_id, player_id, self._stakes.max_buy_in // 2)
                calls += 1
        return calls

    async def _seat(self, player_id: str, number: int) -> None:
        await self._client.reserve_seat(self.table_id, player_id, number, vouched=self._vouched)
        await self._client.buy_in(self.table_id, player_id, self._stakes.max_buy_in)


async def open_table(
    client: Croupier, house: House, kind: TableKind, players: int, run_id: str, number: int
) -> Seating:
    """Opens a table of the kind, with the longest decision time its house has and no pause between hands.

    Raises ValueError where the house does not offer it.
    """
    offer = offer_of(house, kind, players)
    table = await client.create_table(
        house.house_id,
        offer.structure,
        kind.min_bet or offer.stakes.min_bet,
        max(players, house.min_seat_count),
        game=offer.game,
        name=f"load {run_id} {number}",
        action_time=house.action_times[-1].ToTimedelta(),
        hand_pause=timedelta(0),
    )
    names = [f"load-{run_id}-{number}-{seat}" for seat in range(1, players + 1)]
    vouched = Vouched(
        experience=house.experience_levels[-1] if house.experience_levels else "", has_pass=True
    )
    return Seating(client, table, names, vouched)
