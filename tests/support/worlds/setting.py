"""How a world begins: a table, players with money at its seats, and the streams that the viewer stays with."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from google.protobuf.duration_pb2 import Duration
from tests.support.worlds.contract import request
from tests.support.worlds.viewers import NEWCOMER
from tests.support.worlds.world import World

from croupier.room.principal import LOCAL
from croupier.v1 import house_pb2, seat_service_pb2

WEALTH: Final = 1_000_000


async def begin(world: World) -> None:
    """Everybody is seated, and the first hand is dealt."""
    plan = world.plan.table
    pause = Duration(seconds=plan.pause_ms // 1000)
    await _do(
        world,
        "TableService.CreateTable",
        house_id=plan.house_id,
        name="two worlds",
        structure=house_pb2.BetStructure.Value(f"BET_STRUCTURE_{plan.structure}"),
        game=house_pb2.Game.Value(f"GAME_{plan.game}"),
        min_bet=plan.min_bet,
        seat_count=max(2, plan.seated),
        hand_pause=pause,
        **plan.more,
    )
    (actor,) = world.room.tables()
    world.follow(actor)
    world.currency = actor.table.rules.currency
    table = {"table_id": world.table_id}
    await _do(world, "TableService.PauseTable", **table)
    await _seat_all(world)
    for where, fields in _streams(world):
        message = request("TableService.WatchTable", **table, **fields)
        world.runtime.spawn(_watch(world, where, message))
    console = world.looking.follow(
        world.table_id, world.plan.through, lambda data: world.tell("the console's stream", data)
    )
    world.runtime.spawn(console)
    await world.runtime.idle()
    await _do(world, "TableService.ResumeTable", **table)
    await world.runtime.idle()
    world.notice()


async def _seat_all(world: World) -> None:
    """With more in the wallets of the other world, where that is none of the viewer's business."""
    rules, random = world.actor.table.rules, Random(f"wealth {world.plan.number}")
    vouched = seat_service_pb2.Vouched(has_pass=True)
    if rules.experience_levels:
        vouched.experience = rules.experience_levels[-1]
    for player_id in (*world.players, NEWCOMER, "zoe"):
        more = random.randrange(1, WEALTH)
        viewer = world.viewer
        hidden = not viewer.reads_books and player_id not in viewer.sees
        amount = WEALTH + (more if world.other and hidden else 0)
        key = {"player_id": player_id}
        await _do(world, "SettlementService.Deposit", **key, currency=rules.currency, amount=amount)
        key["table_id"] = world.table_id
        if player_id in world.players:
            seat = world.players.index(player_id) + 1
            await _do(world, "SeatService.ReserveSeat", **key, seat_number=seat, vouched=vouched)
            chips = random.randint(rules.min_buy_in, (rules.min_buy_in + rules.max_buy_in) // 2)
            await _do(world, "SeatService.BuyIn", **key, amount=chips)
        elif player_id == NEWCOMER and viewer.kind != "player beside":
            await _do(world, "SeatService.JoinWaitingList", **key, vouched=vouched)


def _streams(world: World) -> list[tuple[str, dict[str, Any]]]:
    """The viewer's own view, nobody's, and one that tells hands in other words and beats fast."""
    fast = Duration(seconds=2)
    streams: list[tuple[str, dict[str, Any]]] = [("WatchTable", {})]
    if world.viewer.name:
        streams.append(("WatchTable as itself", {"player_id": world.viewer.name}))
    streams.append(("WatchTable from the start", {"resume_after_sequence": 0, "heartbeat_interval": fast}))
    return streams


async def _watch(world: World, where: str, message: Any) -> None:
    await world.wire.stream(
        "TableService.WatchTable",
        world.viewer.principal,
        message,
        lambda data: world.of_stream(where, data),
    )


async def _do(world: World, rpc: str, **fields: Any) -> None:
    code = await world.call(rpc, LOCAL, request(rpc, request_id=f"set up {world.count()}", **fields))
    assert not code, (rpc, fields, code)
