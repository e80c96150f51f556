"""Players' shares in a deal: committed to, then the decks, then revealed; and what of it the deal follows."""

from __future__ import annotations

from hashlib import sha256

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.verifying import answer_of, verdicts

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.room.failures import Refusal
from croupier.room.proofs import Deck, dealt

PAUSE_MS = 3000
PLAYERS = ("anna", "bert", "cleo")


def entropy_of(player: str, hand: int) -> bytes:
    return sha256(f"{player} {hand}".encode()).digest()


async def seated(runtime: SimulatedRuntime, hand_pause_ms: int = PAUSE_MS) -> SimulatedTable:
    table = await SimulatedTable.open(runtime, hand_pause_ms=hand_pause_ms)
    for seat, player in enumerate(PLAYERS, start=1):
        await table.sit(player, seat)
    await table.sleep(PAUSE_MS / 1000)
    return table


async def commit(table: SimulatedTable, player: str, hand: int) -> int:
    command = cmd.CommitEntropy(player, sha256(entropy_of(player, hand)).digest())
    answer = await table.room.sharing.take(table.key("CommitEntropy"), table.table_id, command)
    await table.runtime.idle()
    return answer.hand_number


async def reveal(table: SimulatedTable, player: str, hand: int, entropy: bytes | None = None) -> None:
    command = cmd.RevealEntropy(player, hand, entropy or entropy_of(player, hand))
    await table.room.sharing.take(table.key("RevealEntropy"), table.table_id, command)
    await table.runtime.idle()


def last_start(table: SimulatedTable) -> ev.HandStarted:
    return table.heard(ev.HandStarted)[-1]


async def refused(table: SimulatedTable, player: str, hand: int, entropy: bytes | None = None) -> str:
    with pytest.raises(Refusal) as refusal:
        await reveal(table, player, hand, entropy)
    return refusal.value.reason


def test_decks_are_committed_to_after_commitments_and_before_anything_is_revealed() -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime)
        assert await commit(table, "anna", 2) == 2
        assert await refused(table, "anna", 2) == "ENTROPY_NOT_ALLOWED"
        await table.check_down()
        await reveal(table, "anna", 2)
        await table.sleep(PAUSE_MS / 1000)
        kinds = (tev.EntropyCommitted, tev.DeckCommitted, tev.EntropyRevealed, ev.HandStarted)
        told = [type(noted.event) for noted in table.noted if isinstance(noted.event, kinds)]
        assert told == [ev.HandStarted, *kinds]
        (decks,) = table.heard(tev.DeckCommitted)
        assert (decks.hand_number, decks.roots) == (2, last_start(table).roots)
        assert [part.revealed for part in last_start(table).entropy] == [entropy_of("anna", 2)]

    scenario()


def test_the_deal_follows_from_what_was_revealed() -> None:
    """The same decks, with and without a player's entropy: other cards in the same places."""

    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime)
        for player in PLAYERS:
            await commit(table, player, 2)
        await table.check_down()
        for player in PLAYERS:
            await reveal(table, player, 2)
        await table.sleep(PAUSE_MS / 1000)
        records = await table.store.records(table.table_id, 0, 1_000_000)
        start = next(record for record in reversed(records) if b"HandStarted" in record.body)
        opened = table.room._services.seal.open(start, 2)
        started = last_start(table)
        deck = Deck.unsealed(f"{table.table_id}/2", started.rules_digest, opened)
        orders = {
            count: dealt(
                deck,
                [
                    ev.Entropy(part.player_id, part.commitment, part.revealed * keeps)
                    for part, keeps in zip(started.entropy, [True] * count + [False] * 3, strict=False)
                ],
            )
            for count in range(4)
        }
        assert orders[0] == deck.orders
        assert len(set(orders.values())) == 4
        hand = table.actor.table.hand
        assert hand is not None
        assert hand.deal_order == orders[3]

    scenario()


def test_a_hand_waits_for_nobody() -> None:
    """What is not revealed when the pause ends is left out, and on record."""

    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime)
        for player in ("anna", "bert"):
            await commit(table, player, 2)
        await table.check_down()
        ended = runtime.now()
        await reveal(table, "bert", 2)
        await table.sleep(PAUSE_MS / 1000)
        assert table.times_of(ev.HandStarted)[-1] - ended == PAUSE_MS * 1_000_000
        told = [(part.player_id, part.revealed) for part in last_start(table).entropy]
        assert told == [("anna", b""), ("bert", entropy_of("bert", 2))]
        assert await refused(table, "anna", 2) == "ENTROPY_NOT_ALLOWED"

    scenario()


def test_without_a_pause_nothing_is_in_time() -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime, hand_pause_ms=0)
        number = table.decision.hand_number
        await commit(table, "anna", number + 1)
        await table.check_down()
        assert [part.revealed for part in last_start(table).entropy] == [b""]
        assert last_start(table).hand_number == number + 1

    scenario()


def test_a_hand_nobody_has_a_share_in_costs_no_record_more() -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime)
        await table.check_down()
        await table.sleep(PAUSE_MS / 1000)
        assert not table.heard(tev.DeckCommitted)
        assert last_start(table).entropy == ()
        assert len(last_start(table).roots) == 1

    scenario()


def test_what_is_no_share_is_refused() -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime)
        await commit(table, "anna", 2)
        with pytest.raises(Refusal, match="ENTROPY_NOT_ALLOWED"):
            await commit(table, "anna", 3)
        with pytest.raises(Refusal, match="PLAYER_NOT_SEATED"):
            await commit(table, "nobody", 2)
        await table.check_down()
        with pytest.raises(Refusal, match="ENTROPY_NOT_ALLOWED"):
            await commit(table, "bert", 2)
        assert await refused(table, "anna", 2, bytes(32)) == "ENTROPY_MISMATCHED"
        assert await refused(table, "anna", 3) == "ENTROPY_NOT_ALLOWED"
        assert await refused(table, "bert", 2) == "ENTROPY_NOT_ALLOWED"
        await reveal(table, "anna", 2)
        await table.sleep(PAUSE_MS / 1000)
        assert await commit(table, "bert", 3) == 3

    scenario()


def test_who_leaves_before_the_decks_are_fixed_has_no_share() -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime)
        for player in ("anna", "bert"):
            await commit(table, player, 2)
        await table.cash_out("anna")
        await table.check_down()
        await table.sleep(PAUSE_MS / 1000)
        assert [part.player_id for part in last_start(table).entropy] == ["bert"]

    scenario()


def test_a_restart_leaves_the_decks_committed_to() -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime)
        await commit(table, "anna", 2)
        await table.restart()
        await table.check_down()
        await table.restart()
        await reveal(table, "anna", 2)
        await table.restart()
        await table.sleep(PAUSE_MS / 1000)
        (decks,) = table.heard(tev.DeckCommitted)
        assert last_start(table).roots == decks.roots
        assert [part.revealed for part in last_start(table).entropy] == [entropy_of("anna", 2)]
        cards = table.actor.table.hand
        assert cards is not None
        held = list(cards.hole_cards)
        await table.restart()
        again = table.actor.table.hand
        assert again is not None
        assert again.hole_cards == held
        await table.check_down()
        await table.sleep(1)
        assert verdicts([await answer_of(table, 2, "anna")]) == ["proved: 11 cards"]

    scenario()


def test_a_snapshot_tells_of_the_coming_deal() -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime)
        assert table.actor.view("").coming is None
        await commit(table, "anna", 2)
        await table.check_down()
        number, coming = table.actor.view("").coming or (0, tev.ComingDeal())
        assert (number, coming.roots) == (2, table.heard(tev.DeckCommitted)[0].roots)
        assert [part.player_id for part in coming.entropy] == ["anna"]

    scenario()


def test_no_entropy_no_deal() -> None:
    """Where the operating system gives none, the table stops; it does not deal from anything else."""

    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime)
        dealt_before = len(table.heard(ev.HandStarted))
        await table.check_down()

        def fails(_: int) -> bytes:
            raise OSError("no entropy")

        right = runtime.entropy
        runtime.entropy = fails  # type: ignore[method-assign, assignment]
        await table.sleep(PAUSE_MS / 1000)
        runtime.entropy = right  # type: ignore[method-assign]
        assert "no entropy" in table.actor.halted
        await table.sleep(60)
        assert len(table.heard(ev.HandStarted)) == dealt_before

    scenario()
