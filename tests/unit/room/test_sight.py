"""R-T6: whom a local table and its hands are there for."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.support.houses import table_rules

from croupier.adapters.games import GAMES
from croupier.adapters.rpc.hand_servicer import MOST_READINGS, HandServicer
from croupier.adapters.rpc.pages import PageTokens
from croupier.engine import table_events as tev
from croupier.engine.carried import PendingTransfer, Waiting
from croupier.engine.table import Table
from croupier.room.failures import JournalDamaged
from croupier.room.hand_ports import HandPlace, HandQuery
from croupier.room.node_calls import Where
from croupier.room.principal import LOCAL, Principal
from croupier.room.records import HandRecord
from croupier.room.sight import HandSight, may_look_at

INN = table_rules(local_scene="inn")
ANNA = Principal("player/anna", "player", "anna")


def table() -> Table:
    return Table(tev.TableCreated("t", "", INN, ""), GAMES[INN.game])


def test_a_local_table_is_there_for_its_scene_and_for_who_is_no_player() -> None:
    assert not may_look_at(ANNA, table())
    assert not may_look_at(Principal("player/anna", "player", "anna", scene="den"), table())
    assert may_look_at(Principal("player/anna", "player", "anna", scene="inn"), table())
    assert may_look_at(LOCAL, table())
    assert may_look_at(Principal("observer/olga", "observer"), table())


@pytest.mark.parametrize("player_id", ["anna", "bert"])
@pytest.mark.parametrize("where", ["seat", "list", "buy_in", "payout"])
def test_it_is_there_for_who_is_at_it_or_has_chips_on_the_way(where: str, player_id: str) -> None:
    at = table()
    match where:
        case "seat":
            at.carried.seats[2] = tev.Seat(player_id, reserved_until=1)
        case "list":
            at.carried.waiting.append(Waiting(player_id))
        case kind:
            at.carried.transfers["one"] = PendingTransfer("one", cast(Any, kind), 2, player_id, 5)
    assert may_look_at(ANNA, at) == (player_id == "anna")


class Hands:
    """Records of hands, latest first; every one that is named so was dealt to anna too."""

    def __init__(self, *tables: str) -> None:
        self.found = [
            cast(
                HandRecord,
                SimpleNamespace(
                    place=HandPlace(table_id.removesuffix("+anna"), count, 0, 0, count),
                    rules=table_rules(local_scene="inn" if table_id.startswith("inn") else ""),
                    started=SimpleNamespace(players=("bert", "anna" if "anna" in table_id else "cleo")),
                ),
            )
            for count, table_id in zip(range(len(tables), 0, -1), tables, strict=True)
        ]
        self.asked: list[Where] = []
        self.at: list[str] = []
        self.readings = 0

    async def matching(self, query: HandQuery, _: str) -> list[HandRecord]:
        self.readings += 1
        before = query.before.hand_number if query.before is not None else len(self.found) + 1
        return [one for one in self.found if one.place.hand_number < before][: query.limit]

    async def find(self, where: Where) -> list[str]:
        self.asked.append(where)
        return self.at

    def page(self, size: int, principal: Principal = ANNA) -> tuple[list[int], int]:
        """The numbers of the hands on the first page, and the one that the next begins after; 0 without."""
        servicer = HandServicer(cast(Any, self), cast(Any, None), HandSight(self.find), PageTokens(b""))
        found, last = asyncio.run(servicer._page(principal, HandQuery(size), ""))
        return [
            one.place.hand_number for one in found if isinstance(one, SimpleNamespace)
        ], last.hand_number if last is not None else 0


def test_hands_elsewhere_are_left_out_but_those_dealt_to_the_player() -> None:
    hands = Hands("inn", "open", "inn+anna", "inn", "open")
    assert hands.page(9) == ([4, 3, 1], 0)
    assert hands.asked == [Where("anna", waiting=True, leaving=True)]
    hands.at = ["inn"]
    assert hands.page(9) == ([5, 4, 3, 2, 1], 0)


def test_nobody_is_asked_where_no_hand_is_elsewhere() -> None:
    hands = Hands("open", "inn+anna")
    assert hands.page(9) == ([2, 1], 0)
    assert Hands("inn", "inn").page(9, LOCAL) == ([2, 1], 0)
    assert not hands.asked


DAMAGED = HandPlace("open", 2, 0, 0, 2)


class WithDamaged(Hands):
    """One more, that the journal cannot tell."""

    async def matching(self, query: HandQuery, _: str) -> list[Any]:
        return [DAMAGED, *self.found][: query.limit]


def test_a_damaged_hand_is_told_of_to_who_may_know_of_any_or_asks_for_their_own() -> None:
    hands = WithDamaged("open")
    servicer = HandServicer(cast(Any, hands), cast(Any, None), HandSight(hands.find), PageTokens(b""))
    for principal, played_by in ((LOCAL, ""), (ANNA, "anna")):
        told, _ = asyncio.run(servicer._page(principal, HandQuery(9, "open", played_by), ""))
        assert told == [DAMAGED, *hands.found]
    with pytest.raises(JournalDamaged):
        asyncio.run(servicer._page(ANNA, HandQuery(9, "open"), ""))


def test_pages_are_full_as_far_as_a_few_readings_go() -> None:
    hands = Hands("inn", "open", "inn", "inn", "open", "open")
    assert hands.page(2) == ([5, 2], 2)
    many = Hands(*["inn"] * 100, "open")
    assert many.page(2) == ([], 102 - 2 * MOST_READINGS)
    assert many.readings == MOST_READINGS
