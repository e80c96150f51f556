"""Two players play one hand: python play_hand.py [HOST:PORT]

Opens a table, gives both players chips and seats, answers each decision from the answer before it, and tells
what a watcher of the table hears.
"""

import asyncio
import sys
import uuid

from croupier.client import Croupier
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.hand_pb2 import ActionKind, Decision, Street
from croupier.v1.house_pb2 import BetStructure
from croupier.v1.seat_service_pb2 import Vouched
from croupier.v1.table_pb2 import Table
from croupier.v1.table_service_pb2 import EventBatch


async def main(target: str) -> None:
    run = uuid.uuid4().hex[:6]
    players = [f"ann-{run}", f"bob-{run}"]
    async with Croupier(target) as croupier:
        structure = BetStructure.BET_STRUCTURE_NO_LIMIT
        table = await croupier.create_table("puzzle_pirates", structure, 2, seat_count=2, name="Example")
        watching = asyncio.create_task(watch(croupier, table.table_id))
        await seat(croupier, table, players)
        await play(croupier, table.table_id, await first_decision(croupier, table.table_id, players))
        await croupier.close_table(table.table_id)
        await watching
        for player_id in players:
            balance = await croupier.get_balance(player_id, table.options.currency)
            print(f"{player_id} has {balance.available} {balance.currency} in the wallet")


async def seat(croupier: Croupier, table: Table, players: list[str]) -> None:
    """Chips for the wallet, a seat, and chips for the table."""
    for seat_number, player_id in enumerate(players, start=1):
        await croupier.deposit(player_id, table.options.currency, 1000)
        await croupier.reserve_seat(table.table_id, player_id, seat_number, vouched=Vouched(has_pass=True))
        await croupier.buy_in(table.table_id, player_id, table.options.stakes.max_buy_in)


async def first_decision(croupier: Croupier, table_id: str, players: list[str]) -> Decision:
    """The first decision of the hand that starts by itself once two players are there."""
    while True:
        for player_id in players:
            answer = await croupier.get_legal_actions(table_id, player_id)
            if answer.decision.player_id == player_id:
                return answer.decision
        await asyncio.sleep(0.1)


async def play(croupier: Croupier, table_id: str, decision: Decision) -> None:
    """The hand to its end: every answer names the decision that comes next."""
    hand_id = decision.hand_id
    while decision.hand_id == hand_id:
        action, amount = choose(decision)
        answer = await croupier.act(table_id, decision, action, amount)
        decision = answer.next_decision


def choose(decision: Decision) -> tuple[ActionKind.ValueType, int]:
    """Opens with the least raise, then checks or calls."""
    legal = decision.legal_actions
    if decision.action_sequence == 1 and legal.min_raise_to:
        return ActionKind.ACTION_KIND_RAISE_TO, legal.min_raise_to
    return (ActionKind.ACTION_KIND_CHECK if legal.can_check else ActionKind.ACTION_KIND_CALL), 0


async def watch(croupier: Croupier, table_id: str) -> None:
    """Tells every event of the table, from its first to its last."""
    async for news in croupier.watch(table_id, resume_after=0):
        if isinstance(news, EventBatch):
            for event in news.events:
                print(f"{event.sequence:3} {told(event)}")


def told(event: TableEvent) -> str:
    """An event in words."""
    match event.WhichOneof("event"):
        case "bought_in":
            return f"{event.bought_in.player_id} buys in at seat {event.bought_in.seat_number}"
        case "hand_started":
            return f"hand {event.hand_started.hand_id}, button at seat {event.hand_started.button_seat}"
        case "blind_posted":
            return f"seat {event.blind_posted.seat_number} posts a blind of {event.blind_posted.paid}"
        case "checked":
            return f"seat {event.checked.seat_number} checks"
        case "called":
            return f"seat {event.called.seat_number} calls {event.called.paid}"
        case "raised":
            return f"seat {event.raised.seat_number} raises to {event.raised.street_bet}"
        case "street_dealt":
            street = Street.Name(event.street_dealt.street).removeprefix("STREET_").lower()
            return f"{street}: {' '.join(event.street_dealt.cards)}"
        case "hole_cards_shown":
            shown = event.hole_cards_shown
            return f"seat {shown.seat_number} shows {' '.join(shown.hole_cards)}"
        case "pot_awarded":
            awards = [f"seat {award.seat_number} wins {award.amount}" for award in event.pot_awarded.awards]
            return f"pot of {event.pot_awarded.amount}, rake {event.pot_awarded.rake}: {', '.join(awards)}"
        case "hand_ended":
            results = [f"seat {result.seat_number} {result.net:+}" for result in event.hand_ended.results]
            return f"hand over: {', '.join(results)}, rake {event.hand_ended.rake}"
        case other:
            return str(other).replace("_", " ")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051"))
