"""Settled hands as PHH and OHH: read back by `croupier replay` and by pokerkit, for every game that is played."""

from __future__ import annotations

import io
import json
import tomllib
import warnings
from collections.abc import Iterator
from typing import Any

import pokerkit
import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.support.record_tables import PLAYERS, TABLES, played, records

from croupier.adapters.exports.ohh import ohh
from croupier.adapters.exports.phh import phh
from croupier.adapters.games import GAMES
from croupier.adapters.recorded.phh import read_phh
from croupier.adapters.recorded.replay import replay
from croupier.adapters.recorded.verdict import Outcome
from croupier.cards import cards_text
from croupier.engine import events as ev
from croupier.engine.rake import RakeSchedule
from croupier.engine.rules import Structure
from croupier.room.records import HandRecord

HANDS = 40
VIEWERS = ("", "bert")
STANDARD = ("NT", "FT", "PO", "FO/8")
"""Codes that the format defines."""


def hands_of(code: str, viewer: str, *, seed: int = 1, hands: int = HANDS, **rules: Any) -> list[HandRecord]:
    found: list[HandRecord] = []

    @simulated(seed)
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await played(runtime, code, seed, hands, **rules)
        found.extend(await records(table, viewer))

    scenario()
    assert len(found) >= hands
    return found


def verdict(document: str) -> tuple[Outcome, tuple[str, ...]]:
    (recorded,) = read_phh(io.BytesIO(document.encode()))
    assert not isinstance(recorded, Exception), recorded
    return tuple(replay(recorded, GAMES))  # type: ignore[return-value]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("code", TABLES)
def test_an_export_replays_without_a_difference(code: str, viewer: str) -> None:
    raked = RakeSchedule(basis_points=500, no_flop_no_drop=True)
    same = 0
    for record in hands_of(code, viewer, rake=raked, cap_lifts_heads_up=True):
        document = phh(record)
        assert tomllib.loads(document)["variant"] == code
        outcome, reasons = verdict(document)
        assert outcome in (Outcome.SAME, Outcome.UP_TO_SHOWDOWN), (reasons, document)
        same += outcome is Outcome.SAME
    assert same > HANDS // 2


@pytest.mark.parametrize("code", STANDARD)
def test_pokerkit_plays_an_export_to_the_same_stacks(code: str) -> None:
    compared = 0
    for record in hands_of(code, "", seed=2, hands=80, cap_lifts_heads_up=False):
        if known_difference(record):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            history = pokerkit.HandHistory.loads(phh(record))
            state = list(history)[-1]
        assert not state.status, phh(record)
        assert list(state.stacks) == list(record.ended.stacks), phh(record)
        compared += 1
    assert compared > 40


def known_difference(record: HandRecord) -> bool:
    """What pokerkit does otherwise than the rulebooks: odd chips, short blinds, all-ins of half a bet, and no raise
    beyond what another player could call (R-B13)."""
    events = [event for publication in record.told for event in publication.events]
    odd = any(len(set(half)) > 1 for pot in record.pots for half in (pot.awards, pot.low_awards))
    odd |= record.game.rank_lows is not None and any(
        not pot.low_winners and pot.amount % (2 * len(pot.winners)) for pot in record.pots
    )
    short = any(isinstance(event, ev.Posted) and event.all_in for event in events)
    all_in = any(isinstance(event, ev.Called | ev.BetMade | ev.Raised) and event.all_in for event in events)
    shown = any(isinstance(event, ev.HoleCardsShown) for event in events)
    over = shown and any(isinstance(event, ev.UncalledBetReturned) for event in events)
    return odd or short or over or (all_in and record.rules.structure is Structure.FIXED_LIMIT)


@pytest.mark.parametrize("code", ["NT", "PO/8", "S5D"])
def test_an_export_holds_no_card_that_its_viewer_may_not_know(code: str) -> None:
    """Two viewers' documents of a hand: what only one has was dealt to that one, or never shown."""
    everything = {viewer: hands_of(code, viewer, seed=3) for viewer in ("", *PLAYERS)}
    for number, public in enumerate(everything[""]):
        for viewer in PLAYERS:
            own = everything[viewer][number]
            mine = {card for publication in own.told for card in _own(publication.hole_cards)}
            for write in (phh, lambda record: ohh(record, "")):
                assert cards_in(write(own)) - cards_in(write(public)) <= mine


def _own(cards: dict[str, bytes]) -> Iterator[str]:
    for held in cards.values():
        yield from cards_text(held)


def cards_in(document: str) -> set[str]:
    """Everything in a document that reads like cards."""
    words = document.replace('"', " ").replace(",", " ").split()
    runs = [
        word
        for word in words
        if len(word) % 2 == 0 and all(_card(word[at : at + 2]) for at in range(0, len(word), 2))
    ]
    return {word[at : at + 2] for word in runs for at in range(0, len(word), 2)}


def _card(text: str) -> bool:
    return text[0] in "23456789TJQKA" and text[1:] in ("c", "d", "h", "s")


@pytest.mark.parametrize("code", TABLES)
def test_an_ohh_document_accounts_for_every_chip(code: str) -> None:
    raked = RakeSchedule(basis_points=500)
    for record in hands_of(code, "anna", seed=4, rake=raked):
        document = json.loads(ohh(record, "anna"))["ohh"]
        paid = dict.fromkeys(range(len(record.seats)), 0)
        for one in document["rounds"]:
            for action in one["actions"]:
                paid[action["player_id"]] += action.get("amount", 0)
        won = dict.fromkeys(paid, 0)
        for pot in document["pots"]:
            wins = {win["player_id"]: win["win_amount"] for win in pot["player_wins"]}
            assert sum(wins.values()) + pot["rake"] == pot["amount"]
            for player, amount in wins.items():
                won[player] += amount
        returned = {
            record.started.seats.index(event.seat): event.amount
            for publication in record.told
            for event in publication.events
            if isinstance(event, ev.UncalledBetReturned)
        }
        for player, seat in enumerate(record.seats):
            assert won[player] - paid[player] + returned.get(player, 0) == seat.net
        assert document["hero_player_id"] == (
            record.started.players.index("anna") if "anna" in record.started.players else None
        )


@pytest.mark.parametrize("code", TABLES)
def test_an_ohh_document_calls_a_raise_what_comes_on_top_of_something(code: str) -> None:
    """What opens the betting is a bet, before the flop or draw too where there are no blinds."""
    for record in hands_of(code, "anna", seed=4):
        for one in json.loads(ohh(record, "anna"))["ohh"]["rounds"]:
            standing = False
            for action in one["actions"]:
                assert action["action"] != ("Bet" if standing else "Raise"), one
                posted = action["action"].startswith("Post") and "Ante" not in action["action"]
                standing = standing or posted or action["action"] == "Bet"
