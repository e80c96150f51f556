"""Two worlds that differ in what is concealed alone: no viewer can tell them apart by a byte, nor by when it comes.

Concealed are cards, what others say in advance (R-T16) and prefer, and their wallets. Every RPC is called as every kind
of caller; streams, snapshots, refusals, records, exports, metrics, probes, the log and traces are compared.
`CROUPIER_LONG=1` plays thirty times as many.
"""

from __future__ import annotations

import os
from typing import Any, Final

import pytest
from tests.support.worlds.asking import asked
from tests.support.worlds.contract import METHODS, NOT_ASKED
from tests.support.worlds.pairs import Pair, alone, played
from tests.support.worlds.plans import plan
from tests.support.worlds.viewers import KINDS

from croupier.adapters.rpc.access import ACCESS
from croupier.room.principal import LOCAL

PAIRS: Final = 170
"""Every viewer at every table."""
MOST: Final = 30 * PAIRS if os.environ.get("CROUPIER_LONG") else PAIRS
_PERMISSION_DENIED: Final = 7


def alike(number: int) -> Pair:
    """The pair of that number, which nothing tells apart."""
    pair = played(number)
    assert pair.parted is None, f"{pair.plan}: {pair.parted}"
    return pair


@pytest.mark.timeout(3600 if os.environ.get("CROUPIER_LONG") else 300)
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_viewer_is_told_does_not_depend_on_concealed_cards(kind: str) -> None:
    """R-T14, R-T16, R-H5, R-H9: at tables of every game and structure, up to showdowns and beyond them."""
    pairs = [alike(number) for number in range(KINDS.index(kind), MOST, len(KINDS))]
    assert {pair.plan.viewer.kind for pair in pairs} == {kind}
    assert sum(len(pair.one.told) for pair in pairs) > 200 * len(pairs)
    assert sum(len(pair.one.seen) for pair in pairs) > 2 * len(pairs)
    assert sum(pair.one.shown for pair in pairs) > len(pairs) // 2
    mixed = [pair for pair in pairs if any(hand != table for hand, table in pair.decks())]
    assert len(mixed) == len(pairs), "cards differ in every one of them"


def test_the_worlds_do_differ() -> None:
    """Whoever may see what differs is told of it."""
    for number in range(0, 30, len(KINDS)):
        blind = plan(number).viewer._replace(sees=())
        pair = played(number, blind)
        assert pair.parted is not None, number


def test_every_rpc_of_the_contract_is_asked() -> None:
    """One that is not in the harness, with what others' secrets could change in its answer, has no place in it."""
    left_out = {rpc for rpc in METHODS if rpc not in asked()}
    assert {rpc.split(".")[0] for rpc in left_out} == set(NOT_ASKED)


def test_every_rpc_answers_those_who_may_call_it_and_refuses_all_others() -> None:
    """Or the comparison would be of refusals alone."""
    answered: dict[str, set[Any]] = {rpc: set() for rpc in asked()}
    for number in range(3 * len(KINDS)):
        world = alone(number)
        role = world.viewer.principal.role
        for (rpc, code), _ in world.codes.items():
            if rpc not in answered:
                continue
            service, method = rpc.split(".")
            if role not in ACCESS[service][method] and world.viewer.principal != LOCAL:
                assert code == _PERMISSION_DENIED, (rpc, role)
            elif code == 0:
                answered[rpc].add(role)
    never = [rpc for rpc, roles in answered.items() if not roles]
    assert not never, "nobody was ever answered"
