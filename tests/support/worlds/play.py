"""How a world is played: by what everybody sees and a seed, so that two worlds that look alike are played alike."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any, Final, NamedTuple

from tests.support.worlds.asking import asked
from tests.support.worlds.contract import request
from tests.support.worlds.viewers import player
from tests.support.worlds.whispers import Whispers
from tests.support.worlds.world import World

from croupier.cards import cards_text
from croupier.engine.actions import LegalActions
from croupier.engine.table_events import TableState
from croupier.room.principal import LOCAL, Principal
from croupier.room.views import DecisionView
from croupier.v1 import hand_pb2

STEPS: Final = 36
HANDS: Final = 5
ASKED_A_STEP: Final = 4
_ALWAYS: Final = ("TableService.GetTable", "BettingService.GetLegalActions")
_FREE: Final = tuple(rpc for rpc in asked() if rpc not in _ALWAYS)


class Move(NamedTuple):
    """What whoever must act will do; `places` are those of cards exchanged."""

    kind: str
    amount: int = 0
    places: tuple[int, ...] = ()


async def play(world: World) -> None:
    """Hands as the plan's number wills, while the viewer looks; then a last look at everything."""
    whispers = Whispers(world)
    idle = 0
    if world.plan.viewer.kind == "player beside":
        await world.call(
            "SeatService.SitOut", world.viewer.principal, _of_viewer(world, "SeatService.SitOut")
        )
    for _ in range(STEPS):
        if world.over or idle > 4 or world.actor.table.carried.hand_number > HANDS:
            break
        await look(world)
        decision = world.actor.decision()
        if decision is None or world.actor.unsettled():
            idle += 1
            await between_hands(world)
            continue
        idle = 0
        move = choose(decision, world.random)
        fails = world.plan.faults and world.random.random() < 0.15 and not whispers.may_end(move.kind)
        await whispers.before("" if fails else move.kind, decision)
        if fails:
            world.served.memory.fail_next("disk full")
        await make(world, decision, move)
        world.served.memory.fail_next("")  # or what is said in one world alone could fail
        world.notice()
    if not world.over:
        await whispers.align()
        await end(world)


def choose(decision: DecisionView, random: Random) -> Move:
    """What is done, by what is legal."""
    legal, luck, more = decision.legal, random.random(), random.random()
    if luck < 0.04:
        return Move("time out")
    if legal.can_draw:
        return Move(
            "draw", places=tuple(sorted(random.sample(range(5), random.randint(0, legal.max_discards))))
        )
    if luck < 0.08 and legal.all_in_to:
        return Move("all in")
    if luck < 0.3 and (legal.call_amount or not legal.can_check):
        return Move("fold")
    if luck < 0.55 and (move := _raise(legal, more)) is not None:
        return move
    if legal.can_check:
        return Move("check")
    return Move("call") if legal.call_amount else _raise(legal, more) or Move("fold")


def _raise(legal: LegalActions, more: float) -> Move | None:
    """Mostly a small one."""
    for kind, least, most in (
        ("raise to", legal.min_raise_to, legal.max_raise_to),
        ("bet to", legal.min_bet_to, legal.max_bet_to),
    ):
        if most:
            return Move(kind, least + int(more * more * min(most - least, 4 * least)))
    return None


async def make(world: World, decision: DecisionView, move: Move) -> None:
    """Make the move, by whose turn it is."""
    if move.kind == "time out":
        await world.runtime.sleep_until(decision.deadline)
    else:
        await world.call("BettingService.Act", speaker(world, decision.player_id), act(world, decision, move))
        await world.runtime.sleep(world.random.choice((0, 0, 0.4, 2.5)))


def speaker(world: World, player_id: str) -> Principal:
    """Who calls for a player: the viewer wherever it may."""
    return world.viewer.principal if world.viewer.principal.may_act_for(player_id) else player(player_id)


def act(world: World, decision: DecisionView, move: Move) -> Any:
    hand = world.actor.table.hand
    cards: list[str] = []
    if move.places and hand is not None:
        held = hand.hole_cards[hand.actor]
        cards = cards_text(bytes([held[place] for place in move.places]))
    return request(
        "BettingService.Act",
        request_id=f"act {world.count()}",
        table_id=world.table_id,
        player_id=decision.player_id,
        hand_id=f"{world.table_id}/{decision.hand_number}",
        action_sequence=decision.action_sequence,
        action=hand_pb2.ActionKind.Value("ACTION_KIND_" + move.kind.upper().replace(" ", "_")),
        amount=move.amount,
        discards=cards,
    )


async def look(world: World) -> None:
    """What changes with every move, and some of all the rest."""
    world.read_log()
    for rpc in (*_ALWAYS, *world.random.sample(_FREE, ASKED_A_STEP)):
        await world.ask(rpc)
    if world.random.random() < 0.12:
        await world.read_pages()


async def between_hands(world: World) -> None:
    """Cards are shown unasked, shares in the coming deal are committed to and revealed, time passes."""
    carried = world.actor.table.carried
    number = carried.hand_number
    if carried.state is TableState.PAUSED:  # the viewer has asked for that
        goes_on = request(
            "TableService.ResumeTable", request_id=f"goes on {world.count()}", table_id=world.table_id
        )
        await world.call("TableService.ResumeTable", LOCAL, goes_on)
    if world.random.random() < 0.5 and number:
        await _show(world, number, world.random.choice(world.players))
        await _show(world, number, world.viewer.name or "zoe")
    for player_id in world.players:
        if world.random.random() < 0.3:
            await _share(world, player_id, number + 1)
    await world.runtime.sleep(1)
    world.notice()


async def _show(world: World, number: int, player_id: str) -> None:
    rpc = "BettingService.ShowCards"
    shows = request(rpc, **_key(world, player_id), hand_id=f"{world.table_id}/{number}")
    if player_id != world.viewer.name or world.random.random() < 0.5:
        await world.call(rpc, speaker(world, player_id), shows)


async def _share(world: World, player_id: str, number: int) -> None:
    entropy = sha256(f"{world.plan.number} {player_id} {number}".encode()).digest()
    for rpc, told in (
        ("BettingService.CommitEntropy", {"commitment": sha256(entropy).digest()}),
        ("BettingService.RevealEntropy", {"entropy": entropy, "hand_id": f"{world.table_id}/{number}"}),
    ):
        await world.call(rpc, speaker(world, player_id), request(rpc, **_key(world, player_id), **told))


def _key(world: World, player_id: str) -> dict[str, Any]:
    return {"request_id": f"move {world.count()}", "table_id": world.table_id, "player_id": player_id}


def _of_viewer(world: World, rpc: str, **fields: Any) -> Any:
    return request(rpc, **_key(world, world.viewer.name or "zoe"), **fields)


async def end(world: World) -> None:
    """A last look by every way there is, and then the table closes, or halts for want of entropy."""
    await world.runtime.sleep(1)
    world.notice()
    if world.over:
        return
    for rpc in asked():
        await world.ask(rpc)
        world.notice()
        if world.over:
            return
    await world.probe_private_sequences()
    await move_on(world)
    if world.plan.ends_halted:
        await _halt(world)
    else:
        closing = request("TableService.CloseTable", request_id="the end", table_id=world.table_id)
        await world.call("TableService.CloseTable", LOCAL, closing)
    await world.runtime.sleep(4)
    world.notice()
    if world.over:
        return
    for rpc in (*_ALWAYS, "SettlementService.GetHand", "SettlementService.ListHands"):
        await world.ask(rpc)
    await world.check_health()
    await world.read_pages()
    world.read_log()


async def move_on(world: World) -> None:
    """The viewer's own coming and going, and an operator's sending others away, as far as it may."""
    leaving = "SeatService.Dismiss" if world.plan.number % 3 else "SeatService.CashOut"
    for rpc, fields in (
        ("SeatService.Rebuy", {"amount": 1}),
        ("SeatService.SitIn", {}),
        (leaving, {}),
        ("SeatService.ReserveSeat", {"seat_number": 1}),
        ("SeatService.ReleaseSeat", {}),
    ):
        await world.call(rpc, world.viewer.principal, _of_viewer(world, rpc, **fields))
    removed = _key(world, world.players[-1])
    for rpc, fields in (
        ("OperatorService.RemovePlayer", {**removed, "reason": "a test"}),
        ("OperatorService.AdjustBalance", _adjustment(world)),
    ):
        await world.call(rpc, world.viewer.principal, request(rpc, **fields))


def _adjustment(world: World) -> dict[str, Any]:
    key = {"request_id": f"move {world.count()}", "player_id": "zoe", "currency": world.currency}
    return {**key, "amount": 1, "reason": "a test"}


async def _halt(world: World) -> None:
    """Play the hand out with an entropy source that has dried up."""

    def dry(_: int) -> bytes:
        raise OSError("no entropy")

    world.runtime.entropy = dry  # type: ignore[method-assign, assignment]
    for _ in range(24):
        decision = world.actor.decision()
        if decision is None or world.over or world.actor.table.carried.state is TableState.CLOSED:
            return
        legal = decision.legal
        kind = "draw" if legal.can_draw else "check" if legal.can_check else "fold"
        await make(world, decision, Move(kind))
        world.notice()
