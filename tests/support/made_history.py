"""True histories made up without a server: poker in nothing but its events, with clients that ask for all of it."""

from __future__ import annotations

from typing import Any, Final

from tests.support.true_history import Groups, Truth, heard

from croupier.client.load.dice import Dice
from croupier.client.load.history.operation import Operation, Outcome, SeatSeen, Standing
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.hand_event_pb2 import ActionCause
from croupier.v1.hand_pb2 import ActionKind
from croupier.v1.hand_record_pb2 import HandRecord, HandRecordSeat
from croupier.v1.settlement_service_pb2 import EntryKind, LedgerEntry

STACK: Final = 100_000
PLAYERS: Final = 4
_CHOSEN: Final = ActionCause.ACTION_CAUSE_PLAYER


class _Maker:
    def __init__(self, table_id: str, seed: int) -> None:
        self.table_id = table_id
        self.dice = Dice(seed)
        self.operations: list[Operation] = []
        self.groups: Groups = []
        self.entries: list[LedgerEntry] = []
        self.hands: list[HandRecord] = []
        self.stacks = dict.fromkeys(range(1, PLAYERS + 1), 0)
        self.now = 0
        self.requests = 0

    def event(self, **body: Any) -> TableEvent:
        return TableEvent(**({"sequence": len(self.groups) + 1} | body))

    def happens(self, *events: TableEvent) -> None:
        self.groups.append(list(events))

    def asks(self, method: str, **asked: Any) -> Operation:
        """A change that is answered at the sequence about to happen."""
        self.requests += 1
        operation = Operation(method, self.later(), self.table_id, request_id=f"r-{self.requests}", **asked)
        self.answer(operation, len(self.groups) + 1)
        return operation

    def answer(self, operation: Operation, sequence: int) -> None:
        operation.outcome, operation.ended, operation.sequence = Outcome.ANSWERED, self.later(), sequence
        self.operations.append(operation)

    def later(self) -> int:
        self.now += 1 + self.dice.below(1000)
        return self.now

    def posts(self, kind: int, name: str, amounts: dict[str, int], hand_id: str = "") -> None:
        for player, amount in amounts.items():
            account = f"stack/{self.table_id}/{player}" if player else "rake/house"
            self.entries.append(
                LedgerEntry(
                    entry_id=len(self.entries) + 1,
                    entry_set_id=name,
                    account=account,
                    amount=amount,
                    kind=kind,  # type: ignore[arg-type]
                    player_id=player,
                    table_id=self.table_id,
                    hand_id=hand_id,
                )
            )

    def open(self) -> None:
        self.asks("CreateTable")
        self.happens(self.event(table_created={}))
        self.asks("PauseTable")
        self.happens(self.event(table_paused={}))
        for seat in self.stacks:
            player = f"p{seat}"
            self.asks("ReserveSeat", player_id=player, seat_number=seat)
            self.happens(self.event(seat_reserved={"seat_number": seat, "player_id": player}))
            self.asks("BuyIn", player_id=player, amount=STACK)
            bought = {"seat_number": seat, "player_id": player, "amount": STACK}
            self.happens(self.event(bought_in=bought))
            self.posts(EntryKind.ENTRY_KIND_BUY_IN, f"buy_in/{player}", {player: STACK})
            self.stacks[seat] = STACK
        self.asks("ResumeTable")
        self.happens(self.event(table_resumed={}))

    def hand(self, number: int) -> None:
        hand_id = f"{self.table_id}/{number}"
        before = dict(self.stacks)
        seats = [
            {"seat_number": seat, "player_id": f"p{seat}", "stack": stack} for seat, stack in before.items()
        ]
        self.happens(self.event(hand_started={"hand_id": hand_id, "seats": seats}))
        self.read(Standing(hand_id, 1, "p1"))
        count = 3 + self.dice.below(8)
        for decision in range(1, count + 1):
            self.action(hand_id, decision, last=decision == count)
        ended = self.groups[-1]
        winner, rake = 1 + self.dice.below(PLAYERS), self.dice.below(3)
        pot = sum(before.values()) - sum(self.stacks.values())
        rake = min(rake, pot)
        award = {"seat_number": winner, "amount": pot - rake}
        self.stacks[winner] += pot - rake
        sequence = len(self.groups)
        net = {seat: self.stacks[seat] - before[seat] for seat in self.stacks}
        results = [
            {"seat_number": seat, "net": net[seat], "stack": self.stacks[seat]} for seat in self.stacks
        ]
        body: dict[str, Any] = {
            "street_dealt": {"street": 2, "cards": ["As"]},
            "pot_awarded": {"amount": pot, "rake": rake, "awards": [award]},
            "hand_ended": {"hand_id": hand_id, "rake": rake, "results": results},
        }
        ended.extend(self.event(sequence=sequence, **{name: told}) for name, told in body.items())
        moved = {f"p{seat}": amount for seat, amount in net.items() if amount} | ({"": rake} if rake else {})
        if moved:
            self.posts(EntryKind.ENTRY_KIND_SETTLEMENT, f"settlement/{hand_id}", moved, hand_id)
        told = [HandRecordSeat(seat_number=seat, net=amount) for seat, amount in net.items()]
        record = HandRecord(hand_id=hand_id, rake=rake, seats=told)
        self.hands.insert(0, record)

    def action(self, hand_id: str, number: int, *, last: bool) -> None:
        seat = 1 + (number - 1) % PLAYERS
        player = f"p{seat}"
        draw = self.dice.below(20)
        if draw == 0:
            folded = {"seat_number": seat, "cause": ActionCause.ACTION_CAUSE_TIME_OUT}
            self.happens(self.event(folded=folded))
            return
        if draw == 1:
            self.probe(hand_id, number, player)
        kind = (ActionKind.ACTION_KIND_CHECK, ActionKind.ACTION_KIND_CALL, ActionKind.ACTION_KIND_RAISE_TO)
        action = kind[self.dice.below(3)]
        paid = 0 if action == kind[0] else 1 + self.dice.below(50)
        total = paid + self.dice.below(10) if paid else 0
        operation = self.asks(
            "Act",
            player_id=player,
            hand_id=hand_id,
            number=number,
            action=action,
            amount=total if action == kind[2] else 0,
            done=action,
            paid=paid,
            street_bet=total,
        )
        if not last:
            operation.standing = Standing(hand_id, number + 1, f"p{1 + number % PLAYERS}")
        moved = {"seat_number": seat, "paid": paid, "street_bet": total}
        name = ("checked", "called", "raised")[kind.index(action)]
        if name == "checked":
            self.happens(self.event(checked={"seat_number": seat, "cause": _CHOSEN}))
        else:
            self.happens(self.event(**{name: moved | ({"cause": _CHOSEN} if name == "called" else {})}))
        self.stacks[seat] -= paid
        if draw == 2:
            again = Operation(**{key: getattr(operation, key) for key in Operation.__struct_fields__})
            again.sent, again.standing = self.later(), None
            again.ended = self.later()
            self.operations.append(again)
        elif draw == 3 and not last:
            self.read(Standing(hand_id, number + 1, f"p{1 + number % PLAYERS}"))
        elif draw == 4:
            operation.outcome, operation.ended, operation.standing = Outcome.UNKNOWN, 0, None
            operation.sequence = operation.done = operation.paid = operation.street_bet = 0

    def probe(self, hand_id: str, number: int, player: str) -> None:
        operation = self.asks(
            "Act", player_id=player, hand_id=hand_id, number=number, action=ActionKind.ACTION_KIND_BET_TO
        )
        operation.outcome, operation.reason, operation.sequence = Outcome.REFUSED, "BET_OUT_OF_RANGE", 0

    def read(self, standing: Standing | None = None) -> None:
        operation = Operation("GetTable", self.later(), self.table_id, standing=standing)
        operation.seats = tuple(SeatSeen(seat, f"p{seat}", stack) for seat, stack in self.stacks.items())
        operation.state = 1
        self.answer(operation, len(self.groups))


def made(hands: int, seed: int, table_id: str = "table") -> Truth:
    """A table at which so many hands were played, of about 8 operations each."""
    maker = _Maker(table_id, seed)
    maker.open()
    for number in range(1, hands + 1):
        maker.hand(number)
    return Truth(
        table_id,
        maker.operations,
        maker.groups,
        heard(maker.groups),
        maker.entries,
        maker.hands[:50],
        [],
    )
