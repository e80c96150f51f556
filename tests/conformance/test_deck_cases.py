"""Bugs that shuffles and decks had, as given cases: no order is favoured, no deck comes twice."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from random import Random
from unittest.mock import patch

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.cases import Case, cases_of, told_and_expected

from croupier.adapters.runtime import AsyncioRuntime
from croupier.engine import events as ev
from croupier.room.deck import SEED_BYTES, shuffled


def orders_of_three(decks: Sequence[bytes]) -> Counter[tuple[int, ...]]:
    """How often each order of three cards came up, over the 17 triples that share no card."""
    orders: Counter[tuple[int, ...]] = Counter()
    for deck in decks:
        place = {card: at for at, card in enumerate(deck)}
        for first in range(0, 51, 3):
            places = [place[card] for card in range(first, first + 3)]
            orders[tuple(sorted(range(3), key=places.__getitem__))] += 1
    return orders


def farthest_off(counts: Sequence[int], expected: float) -> float:
    """The greatest distance of a count from what is expected, in standard deviations of a rare event."""
    return float(max(abs(count - expected) for count in counts) / expected**0.5)


def worst_place(decks: Sequence[bytes]) -> float:
    """How far the rarest or most frequent card and place are from what is expected."""
    counts = Counter(pair for deck in decks for pair in enumerate(deck))
    return farthest_off([counts[pair] for pair in itertools.product(range(52), range(52))], len(decks) / 52)


def swapped_anywhere(random: Random) -> bytes:
    """The shuffle of the case: every place swapped with any place."""
    deck = bytearray(range(52))
    for at in range(52):
        other = random.randrange(52)
        deck[at], deck[other] = deck[other], deck[at]
    return bytes(deck)


@pytest.mark.parametrize(
    "case", [case for case in cases_of("shuffle") if "SH-01" in str(case)] or cases_of("shuffle")
)
def test_no_order_of_the_deck_is_favoured(case: Case | None) -> None:
    told, expected = told_and_expected(case)
    count = told["samples"] // 17
    random = Random(1)
    decks = [shuffled(random.randbytes(SEED_BYTES)) for _ in range(count)]
    orders = orders_of_three(decks)
    assert len(orders) == 6
    assert farthest_off(list(orders.values()), 17 * count / 6) < expected["max_sigma"]
    assert worst_place(decks) < expected["max_sigma"]
    bad = [swapped_anywhere(random) for _ in range(count)]
    assert worst_place(bad) > expected["max_sigma"], "the shuffle of the case is found out"


@pytest.mark.parametrize(
    "case", [case for case in cases_of("shuffle") if "SH-03" in str(case)] or cases_of("shuffle")
)
async def test_decks_come_from_the_operating_systems_entropy(case: Case | None) -> None:
    told, expected = told_and_expected(case)
    runtime = AsyncioRuntime()
    with patch("croupier.adapters.runtime.os.urandom", side_effect=lambda count: b"\x07" * count) as source:
        assert runtime.entropy(SEED_BYTES) == b"\x07" * SEED_BYTES
        assert source.call_args.args == (SEED_BYTES,)
    assert expected["min_state_bits"] <= SEED_BYTES * 8
    decks = {shuffled(runtime.entropy(SEED_BYTES)) for _ in range(told["tables_started_same_ms"])}
    assert len(decks) == expected["distinct_decks"]


@pytest.mark.parametrize("case", cases_of("deal_many"))
def test_every_hand_has_a_deck_of_its_own(case: Case | None) -> None:
    told, expected = told_and_expected(case)
    decks: list[bytes] = []

    def dealt(seed: bytes) -> bytes:
        decks.append(shuffled(seed))
        return decks[-1]

    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await SimulatedTable.open(runtime)
        for seat in range(1, told["players"] + 1):
            await table.sit(f"player {seat}", seat)
        while len(table.heard(ev.HandEnded)) < told["hands"]:
            await table.check_or_call()

    with patch("croupier.room.actor.shuffled", dealt):
        simulated()(scenario)()
    assert len(set(decks)) == len(decks) >= told["hands"]
    assert all(sorted(deck) == list(range(expected["cards_in_new_deck_each_hand"])) for deck in decks)
