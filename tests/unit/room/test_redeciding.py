"""Every command that a table has recorded comes to the same events when it is decided anew, in every game."""

from __future__ import annotations

import msgspec
import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.support.houses import table_rules
from tests.support.record_tables import TABLES, played

from croupier.adapters.games import GAMES
from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.room import codec
from croupier.room.audit.meaning import TableMeaning
from croupier.room.audit.redeciding import Redeciding
from croupier.room.ports import Record
from croupier.room.seal import ENTROPY_BYTES, Seal


async def recorded(runtime: SimulatedRuntime, code: str, seed: int = 3, hands: int = 8) -> list[Record]:
    table = await played(runtime, code, seed=seed, hands=hands)
    return await table.store.records(table.table_id, 0, 1_000_000)


def differences(records: list[Record]) -> list[tuple[int, str]]:
    redeciding = Redeciding(GAMES, Seal(bytes(32)))
    told = [
        (record.journal_sequence, redeciding.read(record, codec.decode(record.body, record.format)))
        for record in records
    ]
    return [one for one in told if one[1]]


@pytest.mark.parametrize("code", TABLES)
def test_all_is_decided_as_it_was(code: str) -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        records = await recorded(runtime, code)
        assert len(records) > 60
        assert differences(records) == []
        meaning = TableMeaning()
        for record in records:
            assert not meaning.read(record, codec.decode(record.body, record.format)).wrong
        chips = meaning.chips(GAMES)
        assert meaning.closed
        assert chips is not None
        assert not any(chips.stacks.values())

    scenario()


def over_at_once(record: Record) -> bool:
    """Whether it starts a hand and ends it: the blinds have put all in."""
    body = codec.decode(record.body, record.format)
    made = {type(event) for event in body.events}
    return isinstance(body.command, cmd.StartHand) and made >= {ev.HandStarted, ev.HandEnded}


def test_a_hand_that_is_over_as_it_starts_is_decided_as_it_was() -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        records = await recorded(runtime, "NT", seed=1, hands=30)
        assert any(map(over_at_once, records))
        assert differences(records) == []

    scenario()


def test_a_draw_of_other_cards_than_those_sealed_is_found() -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        records = await recorded(runtime, "S5D")
        place = next(
            place
            for place, record in enumerate(records)
            if record.sealed is not None and b"CardsDrawn" in record.body
        )
        number = records[place].journal_sequence
        hand = codec.decode(records[place].body, codec.FORMAT).command.hand_number  # type: ignore[union-attr]
        seal = Seal(bytes(32))
        seal.begin(records[0].table_id, hand, table_rules(), bytes(ENTROPY_BYTES))
        other = seal.close(records[0].table_id, hand, bytes(6), bytes(12))
        records[place] = msgspec.structs.replace(records[place], sealed=other)
        assert [found[0] for found in differences(records)] == [number]

    scenario()


def test_after_a_difference_it_goes_on_behind_the_next_checkpoint() -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        records = await recorded(runtime, "NT")
        without_a_player = [record for record in records if record.journal_sequence != 3]
        found = differences(without_a_player)
        assert len(found) == 1
        last = next(place for place, record in enumerate(records) if record.checkpoint)
        assert found[0][0] <= records[last].journal_sequence

    scenario()
