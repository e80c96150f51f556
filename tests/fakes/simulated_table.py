"""A whole table in simulated time: room, memory store, embedded wallet, a watcher that notes what it hears."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from tests.fakes.memory_store import MemoryStore
from tests.fakes.simulated_runtime import NS, SimulatedRuntime
from tests.fakes.unobserved import Unobserved
from tests.support.houses import HOUSES, table_rules

from croupier.adapters.embedded_wallet import EmbeddedWallet
from croupier.adapters.games import GAMES
from croupier.engine import actions
from croupier.engine import commands as cmd
from croupier.engine.events import Event
from croupier.engine.table_events import AdvanceAction, Preferences, RequestKey, Vouched
from croupier.engine.table_rules import TableRules
from croupier.room.actor import TableActor
from croupier.room.answers import SeatAnswer, StateAnswer, WaitAnswer
from croupier.room.exchange import Discard
from croupier.room.observer import Observer
from croupier.room.ports import Outcome, Unit
from croupier.room.requests import request_key
from croupier.room.room import Room
from croupier.room.seal import Seal
from croupier.room.services import Services
from croupier.room.subscriptions import Subscription
from croupier.room.views import DecisionView
from croupier.room.wallet_ports import Wallet

WEALTH = 10_000
CURRENCY = "PoE"
NOTHING_VOUCHED = Vouched()

E = TypeVar("E", bound=Event)


class Noted(msgspec.Struct, frozen=True):
    """An event as the watcher heard it, and when."""

    time: int
    sequence: int
    event: Event


class _Line(MemoryStore):
    """A store as one run of the service has it: after a crash nobody hears what became of a unit."""

    def __init__(self, runtime: SimulatedRuntime, store: MemoryStore) -> None:
        self.__dict__ = store.__dict__
        self._runtime = runtime

    def submit(self, unit: Unit, done: Callable[[Outcome], None]) -> None:
        super().submit(unit, self._runtime.in_this_life(done))


class SimulatedTable:
    """Made by `open`. Players get WEALTH chips in their wallets when they first sit down."""

    def __init__(
        self, runtime: SimulatedRuntime, store: MemoryStore, wallet: Wallet, observer: Observer
    ) -> None:
        self.runtime = runtime
        self.store = store
        self.observer = observer
        self.wallet = wallet
        self.room = self.new_room()
        self.table_id = ""
        self.actor: TableActor
        self.noted: list[Noted] = []
        self._requests = 0

    @classmethod
    async def open(
        cls,
        runtime: SimulatedRuntime,
        *,
        hand_pause_ms: int | None = 0,
        observer: Observer | None = None,
        wallet: Wallet | None = None,
        **changed: Any,
    ) -> SimulatedTable:
        """A Puzzle Pirates no limit table of 1 and 2 with six seats; `changed` replaces rules."""
        store = MemoryStore(runtime.now)
        table = cls(runtime, store, wallet or EmbeddedWallet(store), observer or Unobserved())
        house = HOUSES["puzzle_pirates"]
        rules = table_rules(choice={"hand_pause_ms": hand_pause_ms})
        await table._create(msgspec.structs.replace(rules, **changed), house.digest)
        return table

    async def _create(self, rules: TableRules, digest: str) -> None:
        answer = await self.room.create_table(self.key("CreateTable"), "test", rules, digest)
        self.table_id = answer.table.table_id
        await self._meet()

    def new_room(self) -> Room:
        line = _Line(self.runtime, self.store)
        self.services = Services(self.runtime, line, Seal(bytes(32)), self.observer)
        return Room(self.services, self.wallet, GAMES)

    async def restart(self) -> None:
        """Leave everything in memory behind, as a crash would, and recover from the store."""
        await self.runtime.crash()
        self.room = self.new_room()
        await self.room.recover()
        await self._meet()

    @property
    def decision(self) -> DecisionView:
        """The decision that stands; there must be one."""
        decision = self.actor.decision()
        assert decision is not None, "nobody has to act"
        return decision

    def key(self, method: str) -> RequestKey:
        self._requests += 1
        return request_key("test", method, f"request {self._requests}", [])

    # players

    async def sit(self, player_id: str, seat: int, amount: int = 200) -> SeatAnswer:
        """Fill the wallet, reserve, buy in."""
        await self.fund(player_id)
        await self.reserve(player_id, seat)
        return await self.buy_in(player_id, amount)

    async def fund(self, player_id: str, amount: int = WEALTH) -> None:
        await self.room.bank.deposit(self.key("Deposit"), player_id, CURRENCY, amount)

    async def reserve(self, player_id: str, seat: int, vouched: Vouched = NOTHING_VOUCHED) -> SeatAnswer:
        key = self.key("ReserveSeat")
        return await self.room.seats.reserve(key, self.table_id, player_id, seat, vouched)

    async def buy_in(self, player_id: str, amount: int, *, wait_for_big_blind: bool = False) -> SeatAnswer:
        return await self.room.seats.buy_in(
            self.key("BuyIn"), self.table_id, player_id, amount, wait_for_big_blind=wait_for_big_blind
        )

    async def join_waiting_list(self, player_id: str, vouched: Vouched = NOTHING_VOUCHED) -> WaitAnswer:
        key = self.key("JoinWaitingList")
        return await self.room.seats.join_waiting_list(key, self.table_id, player_id, vouched)

    async def leave_waiting_list(self, player_id: str) -> WaitAnswer:
        key = self.key("LeaveWaitingList")
        return await self.room.seats.leave_waiting_list(key, self.table_id, player_id)

    async def rebuy(self, player_id: str, amount: int) -> SeatAnswer:
        return await self.room.seats.rebuy(self.key("Rebuy"), self.table_id, player_id, amount)

    async def change_seat(self, player_id: str, command: cmd.Command) -> SeatAnswer:
        return await self.room.seats.change(
            self.key(type(command).__name__), self.table_id, player_id, command
        )

    async def cash_out(self, player_id: str) -> SeatAnswer:
        return await self.change_seat(player_id, cmd.CashOut(player_id, self.runtime.now()))

    async def dismiss(self, player_id: str) -> SeatAnswer:
        return await self.change_seat(player_id, cmd.Dismiss(player_id, self.runtime.now()))

    async def say(self, player_id: str, action: AdvanceAction | None) -> int:
        """Set an action in advance for the hand in play, or take it back; the private_sequence."""
        number = self.actor.table.carried.hand_number
        command = cmd.SetAdvanceAction(player_id, number, action, self.runtime.now())
        answer = await self.room.wishes.note(self.key("SetAdvanceAction"), self.table_id, command)
        await self.runtime.idle()
        return answer.private_sequence

    async def prefer(self, player_id: str, preferences: Preferences) -> int:
        """Set preferences; the private_sequence."""
        command = cmd.SetPreferences(player_id, preferences)
        answer = await self.room.wishes.note(self.key("SetPreferences"), self.table_id, command)
        return answer.private_sequence

    async def show(self, player_id: str, hand_number: int, cards: bytes = b"") -> int:
        """Show cards after a hand; the sequence."""
        command = cmd.ShowCards(player_id, hand_number, cards, self.runtime.now())
        answer = await self.room.wishes.show_cards(self.key("ShowCards"), self.table_id, command)
        return answer.sequence

    async def change_state(self, command: cmd.Command) -> StateAnswer:
        return await self.room.change_state(self.key(type(command).__name__), self.table_id, command)

    async def close(self) -> StateAnswer:
        return await self.change_state(cmd.CloseTable())

    async def act(self, action: actions.Action | Discard) -> DecisionView:
        """Act for whoever must; the decision that was made."""
        made = self.decision
        self._requests += 1
        await self.room.act(
            "test",
            f"request {self._requests}",
            self.table_id,
            made.player_id,
            made.hand_number,
            made.action_sequence,
            action,
        )
        await self.runtime.idle()
        return made

    async def check_or_call(self) -> DecisionView:
        return await self.act(actions.CALL if self.decision.legal.call_amount else actions.CHECK)

    async def check_down(self) -> None:
        """Check or call until the hand is over."""
        number = self.decision.hand_number
        while (decision := self.actor.decision()) is not None and decision.hand_number == number:
            await self.check_or_call()

    async def wallet_of(self, player_id: str) -> int:
        return await self.wallet.available(player_id, CURRENCY)

    # time

    async def sleep(self, seconds: float) -> None:
        await self.runtime.sleep(seconds)

    def seconds_left(self) -> float:
        """Until the decision that stands is made by time-out."""
        return (self.decision.deadline - self.runtime.now()) / NS

    async def time_out(self) -> DecisionView:
        """Let the time of the decision that stands run out; the decision that was."""
        late = self.decision
        await self.runtime.sleep_until(late.deadline)
        return late

    # watching

    async def _meet(self) -> None:
        """Find the table's actor, and note what is published from now on."""
        self.actor = await self.room.table(self.table_id)
        self.runtime.spawn(self._note(self.actor.subscribe("")))

    async def _note(self, subscription: Subscription) -> None:
        while True:
            await subscription.wait(self.runtime.now() + 3600 * NS)
            subscription.take_annotations()
            for publication in subscription.take():
                self.noted += [
                    Noted(self.runtime.now(), publication.sequence, event) for event in publication.events
                ]
            if subscription.ended:
                return

    def heard(self, kind: type[E]) -> list[E]:
        """The events of one type, in order."""
        return [noted.event for noted in self.noted if isinstance(noted.event, kind)]

    def times_of(self, kind: type[Event]) -> list[int]:
        return [noted.time for noted in self.noted if isinstance(noted.event, kind)]

    def sequence_of(self, kind: type[Event]) -> int:
        """The public sequence of the first event of a type."""
        return next(noted.sequence for noted in self.noted if isinstance(noted.event, kind))
