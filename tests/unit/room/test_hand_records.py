"""Records of settled hands: what one viewer may know of a hand, from the journal alone."""

from __future__ import annotations

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.draw_tables import discard, hand_of, held, open_draw_table, to_the_draw
from tests.support.record_tables import PLAYERS, TABLES, played, records
from tests.support.seated import PLAYERS as SEATED
from tests.support.seated import fold_out, table_of

from croupier.adapters.games import GAMES
from croupier.adapters.rpc import hand_words
from croupier.adapters.rpc.hand_messages import hand_record
from croupier.cards import parse_cards
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.actions import FOLD, STAND_PAT
from croupier.engine.rake import RakeSchedule
from croupier.handrank import words
from croupier.room.failures import Refusal
from croupier.room.records import HandRecord

HANDS = 30
RAKE = RakeSchedule(basis_points=500)


def views(code: str, seed: int = 1) -> dict[str, list[HandRecord]]:
    """Every hand of a table, by viewer."""
    found: dict[str, list[HandRecord]] = {}

    @simulated(seed)
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await played(runtime, code, seed, HANDS, rake=RAKE)
        for viewer in ("", *PLAYERS):
            found[viewer] = await records(table, viewer)

    scenario()
    return found


def shown(record: HandRecord) -> dict[int, bytes]:
    """What the rules turned up, by seat."""
    events = [event for publication in record.told for event in publication.events]
    return {event.seat: event.cards for event in events if isinstance(event, ev.HoleCardsShown)}


@pytest.mark.parametrize("code", TABLES)
def test_a_record_holds_cards_that_were_shown_and_the_viewers_own(code: str) -> None:
    own = 0
    everything = views(code)
    for viewer, seen in everything.items():
        for record in seen:
            turned_up = shown(record)
            for seat in record.seats:
                if seat.player_id == viewer:
                    own += 1
                    assert len(seat.hole_cards) == record.game.hole_cards
                    assert turned_up.get(seat.seat, seat.hole_cards) == seat.hole_cards, (
                        "as it was after a draw"
                    )
                else:
                    assert seat.hole_cards == turned_up.get(seat.seat, b"")
            for publication in record.told:
                assert set(publication.hole_cards) <= {viewer} - {""}
    assert own > HANDS


@pytest.mark.parametrize("code", TABLES)
def test_a_record_begins_with_the_hands_start_and_ends_with_its_end(code: str) -> None:
    for number, record in enumerate(views(code)[""], start=1):
        events = [event for publication in record.told for event in publication.events]
        assert isinstance(events[0], ev.HandStarted)
        assert isinstance(events[-1], ev.HandEnded)
        assert {type(event) for event in events}.isdisjoint({*tev.INTERNAL, *tev.PRIVATE})
        assert (record.place.hand_number, record.started.hand_number) == (number, number)
        assert record.board == b"".join(event.cards for event in events if isinstance(event, ev.StreetDealt))


def test_the_rake_is_attributed_to_those_who_paid() -> None:
    """R-K7: the parts add up to the rake, and chips to nothing but the rake."""
    raked = 0
    for record in views("NT")[""]:
        assert sum(seat.rake_paid for seat in record.seats) == record.ended.rake
        assert sum(seat.net for seat in record.seats) == -record.ended.rake
        assert sum(pot.rake for pot in record.pots) == record.ended.rake
        raked += record.ended.rake
    assert raked


@pytest.mark.parametrize("code", ["NT", "PO", "FO/8", "S5D"])
def test_hands_are_described_once_the_whole_board_is_there(code: str) -> None:
    """R-C8, in both languages; a low only where it qualifies (R-C6)."""
    described = lows = 0
    for record in views(code)["anna"]:
        for language in ("en", "de"):
            message = hand_record(record, "anna", language)
            for seat, told in zip(
                sorted(record.seats, key=lambda seat: seat.seat), message.seats, strict=True
            ):
                whole = len(record.board) == sum(plan.board_cards for plan in record.game.streets)
                if not seat.hole_cards or not whole:
                    assert (told.description, told.low_description) == ("", "")
                    continue
                rank = record.game.rank_hands([seat.hole_cards], record.board)[0]
                assert told.description == words.describe(rank, language)
                described += 1
                lows += bool(told.low_description)
    assert described > HANDS // 2
    assert bool(lows) == (code == "FO/8")


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refusal) as refused:
        hand_words.chosen("fr")
    assert (refused.value.reason, refused.value.facts) == (
        "LANGUAGE_UNKNOWN",
        {"language": "fr", "offered": "de,en"},
    )
    assert hand_words.chosen("") == "en"


def test_a_low_is_told_beside_the_high_where_the_cards_make_one() -> None:
    """R-X5: high and low may use different hole cards. Nothing is told of a board cut short, or of unknown cards."""
    held, board = parse_cards("As2dKcKd"), parse_cards("3c4c7dKhKs")
    told = {language: hand_words.HandWords(GAMES["omaha_hi_lo"], language).of for language in ("en", "de")}
    assert told["en"](held, board) == ("Four of a kind, kings", "7-4-3-2-A low")
    assert told["de"](held, board) == ("Vierling, Könige", "7-4-3-2-A Low")
    assert told["en"](held, board[:4]) == ("", "")
    assert told["en"](held[:3], board) == ("", "")


@simulated()
async def test_cards_shown_after_the_hand_are_in_its_record(runtime: SimulatedRuntime) -> None:
    """R-H9: by their owner's choice, one or all, within the window; a card shown twice is there once."""
    table = await table_of(runtime, *SEATED, show_window_ms=5000)
    await fold_out(table)
    seen = await holding(table, "")
    assert seen == {"anna": b"", "bert": b"", "cleo": b""}
    anna, bert = [(await holding(table, viewer))[viewer] for viewer in ("anna", "bert")]
    for player, cards in (("anna", anna[1:]), ("bert", bert[:1]), ("anna", anna)):
        await table.show(player, table.actor.table.carried.hand_number, cards)
    seen = await holding(table, "")
    assert (seen["bert"], sorted(seen["anna"]), seen["cleo"]) == (bert[:1], sorted(anna), b"")
    told = (await last_of(table, "cleo")).told
    shown = [event for one in told for event in one.events if isinstance(event, tev.CardsShown)]
    assert [event.player_id for event in shown] == ["anna", "bert", "anna"]
    await table.restart()
    assert await holding(table, "") == seen


async def holding(table: SimulatedTable, viewer: str) -> dict[str, bytes]:
    """Each player's cards in the last hand, as the viewer may know them."""
    return {seat.player_id: seat.hole_cards for seat in (await last_of(table, viewer)).seats}


async def last_of(table: SimulatedTable, viewer: str) -> HandRecord:
    """The last hand, which must have ended."""
    number = table.actor.table.carried.hand_number
    record = await table.room.records.get(table.table_id, number, viewer)
    assert record is not None
    return record


@simulated()
async def test_a_draw_after_which_a_dismissed_player_stands_pat_is_in_the_record(
    runtime: SimulatedRuntime,
) -> None:
    """R-H7, R-T11: both are told by one record, and only one of them exchanged cards."""
    table = await open_draw_table(runtime, "anna", "bert", "cleo")
    await to_the_draw(table)
    hand, number = hand_of(table), table.decision.hand_number
    drawing = table.decision.player_id
    following = table.actor.table.seats[hand.seats[(hand.actor + 1) % len(hand.seats)]].player_id
    await table.dismiss(following)
    await discard(table, 2)
    after = held(table, drawing)
    while table.decision.hand_number == number:
        await table.act(STAND_PAT if table.decision.legal.can_draw else FOLD)
    record = await table.room.records.get(table.table_id, number, drawing)
    assert record is not None
    assert [seat.hole_cards for seat in record.seats if seat.player_id == drawing] == [after]
