"""A seat is in play once its buy-in has posted, and no hand waits for a wallet (R-T8)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable

from croupier.adapters.embedded_wallet import EmbeddedWallet
from croupier.adapters.games import GAMES
from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.rotation import can_be_dealt_in
from croupier.room import codec
from croupier.room.audit.redeciding import Redeciding
from croupier.room.seal import Seal
from croupier.room.wallet_ports import Transfer, WalletAway

HOUR = 3600


class HoldingWallet(EmbeddedWallet):
    """As an operator's: `holding` players' Posts have no answer,."""

    in_ledger = False

    def __init__(self, table: SimulatedTable) -> None:
        super().__init__(table.store)
        self.holding: set[str] = set()
        self.posted: list[str] = []

    async def post(self, transfer: Transfer) -> None:
        if transfer.direction == "to_table" and transfer.player_id in self.holding:
            raise WalletAway("held")
        await super().post(transfer)
        self.posted.append(transfer.transfer_id)


async def table_of(
    runtime: SimulatedRuntime, *players: str, **rules: Any
) -> tuple[SimulatedTable, HoldingWallet]:
    """A table whose players, on seats 1, 2, … with 200 chips each, are in play."""
    table = await SimulatedTable.open(runtime, **{"wait_near_button": False} | rules)
    for player_id in (*players, "dora", "emil"):
        await table.fund(player_id)
    table.wallet = wallet = HoldingWallet(table)
    await table.restart()
    for seat, player_id in enumerate(players, start=1):
        await take(table, player_id, seat)
    await runtime.idle()
    return table, wallet


async def take(table: SimulatedTable, player_id: str, seat: int, amount: int = 200) -> Any:
    """Reserve and buy in; how the seat stands in the answer."""
    await table.reserve(player_id, seat)
    return (await table.buy_in(player_id, amount)).seat


async def posted(table: SimulatedTable, wallet: HoldingWallet) -> None:
    """The wallet answers again."""
    wallet.holding.clear()
    await table.sleep(3)


def hands(table: SimulatedTable) -> list[tuple[int, ...]]:
    """The seats of each hand."""
    return [tuple(sorted(started.seats)) for started in table.heard(ev.HandStarted)]


def differences(table: SimulatedTable) -> list[str]:
    """What would come of the journal otherwise if it was decided anew."""
    redeciding = Redeciding(GAMES, Seal(bytes(32)))
    records = table.store.kept(table.table_id)
    said = [redeciding.read(record, codec.decode(record.body, codec.FORMAT)) for record in records]
    return [wrong for wrong in said if wrong]


@simulated()
async def test_a_hand_starts_without_a_player_whose_buy_in_has_not_posted(runtime: SimulatedRuntime) -> None:
    """And with the player once it has, without anybody having to ask."""
    table, wallet = await table_of(runtime, "anna", "bert", "cleo")
    wallet.holding.add("dora")
    seat = await take(table, "dora", 4)
    assert (seat.stack, seat.state) == (200, "PLAYING")
    await table.check_down()
    await table.check_down()
    assert hands(table)[-2:] == [(1, 2, 3)] * 2
    await posted(table, wallet)
    await table.check_down()
    assert hands(table)[-1] == (1, 2, 3, 4)
    assert differences(table) == []


@simulated()
async def test_the_first_hand_waits_for_the_post_and_starts_as_it_comes(runtime: SimulatedRuntime) -> None:
    """R-T18: one player of two is not ready, for an hour."""
    table, wallet = await table_of(runtime, "anna", hand_pause_ms=5_000)
    wallet.holding.add("dora")
    await take(table, "dora", 2)
    await table.sleep(HOUR)
    assert hands(table) == []
    before = runtime.now()
    await posted(table, wallet)
    await table.sleep(5)
    assert hands(table) == [(1, 2)]
    (began,) = table.times_of(ev.HandStarted)
    assert before + 5 * NS <= began <= before + 8 * NS


@simulated()
async def test_a_hand_starts_as_soon_as_the_post_is_journaled(runtime: SimulatedRuntime) -> None:
    table, _ = await table_of(runtime, "anna")
    before = runtime.now()
    await take(table, "dora", 2)
    await runtime.idle()
    assert table.times_of(ev.HandStarted) == [before]
    assert differences(table) == []


@simulated()
async def test_chips_in_the_ledger_have_posted_as_they_come_to_the_seat(runtime: SimulatedRuntime) -> None:
    """No record lies between the second buy-in and the hand."""
    table = await SimulatedTable.open(runtime)
    await table.sit("anna", 1)
    await table.sit("bert", 2)
    await runtime.idle()
    commands = [
        type(codec.decode(record.body, codec.FORMAT).command) for record in table.store.kept(table.table_id)
    ]
    assert commands[commands.index(cmd.StartHand) - 1] is cmd.AcceptTransfer


@simulated()
async def test_a_kill_between_the_seat_and_the_post_changes_nothing(runtime: SimulatedRuntime) -> None:
    table, wallet = await table_of(runtime, "anna", "bert")
    wallet.holding.add("dora")
    await take(table, "dora", 3)
    await table.restart()
    await table.check_down()
    assert hands(table)[-1] == (1, 2)
    await table.restart()
    assert table.actor.table.seats[3].posting
    await posted(table, wallet)
    await table.check_down()
    assert 3 in hands(table)[-1]
    assert not table.actor.table.seats[3].posting
    await table.restart()
    assert can_be_dealt_in(table.actor.table.seats[3])
    assert differences(table) == []


@simulated()
async def test_a_post_whose_record_is_lost_is_made_again(runtime: SimulatedRuntime) -> None:
    """The wallet knows, the table is rebuilt without; it asks again, and the hand starts then."""
    table, wallet = await table_of(runtime, "anna")
    wallet.holding.add("dora")
    await take(table, "dora", 2)
    table.store.fail_next()
    await posted(table, wallet)
    assert hands(table) == [(1, 2)]
    dora = [name for name in wallet.posted if wallet.posted.count(name) > 1]
    assert len(dora) == 2


@simulated()
async def test_a_rebuy_takes_nobody_out_of_play(runtime: SimulatedRuntime) -> None:
    table, wallet = await table_of(runtime)
    await take(table, "dora", 1, 100)
    await take(table, "emil", 2, 100)
    await runtime.idle()
    wallet.holding |= {"dora", "emil"}
    await table.rebuy("dora", 50)
    await table.check_down()
    await table.rebuy("emil", 50)
    await table.check_down()
    kinds = [transfer.kind for transfer in table.actor.table.carried.transfers.values()]
    assert kinds == ["post", "post"]
    assert hands(table) == [(1, 2)] * 3
    assert differences(table) == []


@simulated()
async def test_the_post_of_a_seat_left_since_brings_no_later_buy_in_into_play(
    runtime: SimulatedRuntime,
) -> None:
    """The player comes back to the same seat; each buy-in has a transfer of its own."""
    table, wallet = await table_of(runtime, "anna")
    wallet.holding.add("dora")
    await take(table, "dora", 2)
    (first,) = table.actor.table.carried.transfers
    await table.cash_out("dora")
    await take(table, "dora", 2)
    table.actor.run(cmd.ConfirmPost(first))
    await table.sleep(3)
    assert table.actor.table.seats[2].posting
    assert hands(table) == []
    await posted(table, wallet)
    assert hands(table) == [(1, 2)]
    assert differences(table) == []


@simulated()
async def test_whoever_leaves_before_the_post_gets_all_chips_back(runtime: SimulatedRuntime) -> None:
    table, wallet = await table_of(runtime, "anna")
    before = await table.wallet_of("dora")
    wallet.holding.add("dora")
    await take(table, "dora", 2)
    await table.cash_out("dora")
    await posted(table, wallet)
    assert await table.wallet_of("dora") == before
    assert not table.actor.table.carried.transfers


@simulated()
async def test_waiting_for_the_button_counts_from_the_buy_in(runtime: SimulatedRuntime) -> None:
    """R-T9: the button may pass while the buy-in has yet to post."""
    table, wallet = await table_of(runtime, "anna", "bert", "cleo", wait_near_button=True)
    table.actor.table.carried.button_seat = 3
    wallet.holding.add("dora")
    assert (await take(table, "dora", 4)).state == "WAITING_FOR_BUTTON"
    while table.actor.table.seats[4].waiting_for_button:
        await table.check_down()
    assert all(4 not in seats for seats in hands(table))
    await posted(table, wallet)
    await table.check_down()
    assert 4 in hands(table)[-1]


@pytest.mark.parametrize("bring_in", [True, False])
def test_a_blind_that_passes_a_seat_not_in_play_is_not_missed(bring_in: bool) -> None:
    """R-T10, R-T17: where newcomers owe nothing, this one owes nothing either."""

    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table, wallet = await table_of(
            runtime, "anna", "bert", "cleo", bring_in=bring_in, wait_near_button=False
        )
        wallet.holding.add("dora")
        await take(table, "dora", 4)
        for _ in range(4):
            await table.check_down()
        assert table.heard(tev.BlindsMissed) == []
        seat = table.actor.table.seats[4]
        assert (seat.owes_bring_in, seat.missed_big_blind, seat.missed_small_blind) == (
            bring_in,
            False,
            False,
        )
        await posted(table, wallet)
        await table.check_down()
        assert 4 in hands(table)[-1]

    scenario()


@simulated()
async def test_what_was_accepted_before_there_was_a_wait_is_decided_as_it_was(
    runtime: SimulatedRuntime,
) -> None:
    """Journals from then have players dealt in between the seat and the post."""
    table, wallet = await table_of(runtime, "anna")
    wallet.holding.add("dora")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wallet, "in_ledger", True)
        await take(table, "dora", 2)
    assert hands(table) == [(1, 2)]
    await table.restart()
    await posted(table, wallet)
    assert not any(seat.posting for seat in table.actor.table.seats.values())
    assert differences(table) == []
