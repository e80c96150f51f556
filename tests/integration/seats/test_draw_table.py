"""Five-card draw at a table: turn timer, dismissal, restarts, repeated requests, who learns of which cards."""

from __future__ import annotations

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.draw_tables import discard, hand_of, held, open_draw_table, to_the_draw

from croupier.cards import cards_text
from croupier.engine import actions
from croupier.engine import events as ev
from croupier.engine.play import action_of
from croupier.room import codec
from croupier.room.exchange import Discard
from croupier.room.failures import Refusal

THREE = ("anna", "bert", "cleo")
NINE = tuple(f"player {number}" for number in range(1, 10))


async def refused(table: SimulatedTable, action: actions.Action | Discard) -> str:
    with pytest.raises(Refusal) as refusal:
        await table.act(action)
    return refusal.value.reason


@simulated()
async def test_hand_without_blinds_or_checks(runtime: SimulatedRuntime) -> None:
    """R-H7, R-B10: nobody posts; who faces no bet bets or folds; the second player opens after the draw."""
    table = await open_draw_table(runtime, *THREE)
    started = table.heard(ev.HandStarted)[0]
    assert (started.price, started.small_blind_seat, started.big_blind_seat) == (0, 0, 0)
    assert not table.heard(ev.Posted)
    assert table.decision.seat == started.seats[0]
    assert not table.decision.legal.can_check
    await to_the_draw(table)
    for count in (3, 0, 1):
        await discard(table, count)
    assert table.decision.seat == started.seats[1]
    await table.act(actions.BetTo(50))
    await table.act(actions.FOLD)
    await table.act(actions.FOLD)
    assert [len(event.places) for event in table.heard(ev.CardsDrawn)] == [3, 0, 1]
    assert table.heard(ev.HandEnded)[0].net == (-10, 20, -10)


@simulated()
async def test_button_moves_to_the_next_player_dealt_in(runtime: SimulatedRuntime) -> None:
    """R-H1, R-T17: without blinds nobody owes or misses any."""
    table = await open_draw_table(runtime, "anna")
    for seat, player in ((3, "bert"), (6, "cleo")):
        await table.sit(player, seat)
    await runtime.idle()
    while len(table.heard(ev.HandEnded)) < 5:
        await table.act(actions.FOLD)
    assert [started.button_seat for started in table.heard(ev.HandStarted)][:5] == [1, 3, 6, 1, 3]


@simulated()
async def test_time_out_in_a_draw_stands_pat(runtime: SimulatedRuntime) -> None:
    """R-T15."""
    table = await open_draw_table(runtime, *THREE)
    await to_the_draw(table)
    before = held(table, table.decision.player_id)
    late = await table.time_out()
    assert table.heard(ev.CardsDrawn) == [ev.CardsDrawn(late.seat, b"", ev.Cause.TIME_OUT)]
    assert held(table, late.player_id) == before
    assert not hand_of(table).folded[hand_of(table).position_of[late.seat]]


@simulated()
async def test_dismissed_player_stands_pat(runtime: SimulatedRuntime) -> None:
    """R-T11, R-T15: and folds once betting goes on."""
    table = await open_draw_table(runtime, *THREE)
    await to_the_draw(table)
    seat, player = table.decision.seat, table.decision.player_id
    await table.dismiss(player)
    assert table.heard(ev.CardsDrawn) == [ev.CardsDrawn(seat, b"", ev.Cause.DISMISSED)]


@simulated()
async def test_discards_must_be_held_and_named_once(runtime: SimulatedRuntime) -> None:
    """R-H7: refused by the cards, and nothing changes; a stale or foreign draw is refused as such first."""
    table = await open_draw_table(runtime, *THREE)
    assert await refused(table, Discard(b"")) == "DRAW_NOT_ALLOWED"
    await to_the_draw(table)
    decision, cards = table.decision, held(table, table.decision.player_id)
    foreign = bytes(card for card in range(52) if card not in cards)
    for wrong in (foreign[:1], cards[:1] + foreign[:1], cards[:1] * 2, cards[:4], cards):
        assert await refused(table, Discard(wrong)) == "DISCARDS_NOT_LEGAL"
    assert await refused(table, actions.FOLD) == "DRAW_EXPECTED"
    assert table.decision == decision
    await discard(table, 1)
    with pytest.raises(Refusal, match="DECISION_STALE"):
        await table.room.act("test", "late", table.table_id, decision.player_id, 1, 4, Discard(cards[:1]))
    with pytest.raises(Refusal, match="OUT_OF_TURN"):
        await table.room.act("test", "early", table.table_id, decision.player_id, 1, 5, Discard(cards[:1]))


@simulated()
async def test_restart_in_a_draw_leads_to_the_same_cards(runtime: SimulatedRuntime) -> None:
    """R-H8: nine draw three each, so that the stub is reshuffled; half of them after a restart."""
    table = await open_draw_table(runtime, *NINE)
    await to_the_draw(table)
    for _ in range(4):
        await discard(table, 3)
    before = hand_of(table)
    assert before.reshuffles == 1
    cards, stub, order = list(before.hole_cards), before.stub, before.deal_order
    await table.restart()
    after = hand_of(table)
    assert after is not before
    assert (after.hole_cards, after.stub, after.deal_order) == (cards, stub, order)
    while hand_of(table).drawing:
        await discard(table, 3)
    assert len({card for cards in hand_of(table).hole_cards for card in cards}) == 45
    assert [event.count for event in table.heard(ev.StubReshuffled)] == [7] * hand_of(table).reshuffles


@simulated()
async def test_repeated_draw_gets_its_first_answer(runtime: SimulatedRuntime) -> None:
    """Also after a restart and hands later, although the cards named are no longer held; other cards are refused."""
    table = await open_draw_table(runtime, *NINE)
    await to_the_draw(table)
    await discard(table, 3)
    await discard(table, 3)
    drawer, cards = table.decision.player_id, held(table, table.decision.player_id)

    async def ask(discards: bytes) -> tuple[ev.Event, int]:
        acted = await table.room.act("x", "draw", table.table_id, drawer, 1, 12, Discard(discards))
        return acted.event, acted.sequence

    async def must_be_the_first() -> None:
        assert await ask(cards[:3]) == first
        with pytest.raises(Refusal, match="REQUEST_ID_REUSED"):
            await ask(cards[1:4])

    first = await ask(cards[:3])
    assert first[0] == ev.CardsDrawn(table.heard(ev.CardsDrawn)[2].seat, b"\x00\x01\x02")
    assert len(table.heard(ev.StubReshuffled)) == 1
    await must_be_the_first()
    await table.restart()
    await must_be_the_first()
    while hand_of(table).number < 4:
        decision = table.decision
        await table.act(actions.STAND_PAT if decision.legal.can_draw else actions.FOLD)
    await table.restart()
    await must_be_the_first()


@simulated()
async def test_players_who_are_all_in_draw(runtime: SimulatedRuntime) -> None:
    """R-H7."""
    table = await open_draw_table(runtime, *THREE, big_bet=200)
    await table.act(actions.ALL_IN)
    await table.act(actions.ALL_IN)
    await table.act(actions.ALL_IN)
    for count in (3, 2, 1):
        await discard(table, count)
    assert [len(event.places) for event in table.heard(ev.CardsDrawn)] == [3, 2, 1]
    assert len(table.heard(ev.HoleCardsShown)) == 3
    assert len(table.heard(ev.HandEnded)) == 1


@simulated()
async def test_cards_of_a_draw_are_told_to_the_drawer_alone(runtime: SimulatedRuntime) -> None:
    """Live and out of the journal alike: the cards discarded and those drawn; to everybody else nothing."""
    table = await open_draw_table(runtime, *THREE)
    heard = {name: table.actor.subscribe(name) for name in ("", *THREE)}
    await to_the_draw(table)
    before_it = table.actor.sequence
    drawer, before = table.decision.player_id, held(table, table.decision.player_id)
    await discard(table, 2)
    sequence = table.actor.sequence
    expected = before[:2] + held(table, drawer)[:2]
    for viewer, subscription in heard.items():
        live = [each for each in subscription.take() if each.sequence == sequence]
        history = table.actor.watchers.history(table.actor.subscribe(viewer))
        told = [each async for page in history.pages(before_it, 0) for each in page]
        for publication in (*live, *told):
            assert publication.hole_cards.get(viewer, b"") == (expected if viewer == drawer else b"")
        assert len(live) == len(told) == 1
        assert live[0].events == told[0].events
    for viewer in ("", *THREE):
        view = table.actor.view(viewer).hand
        assert view is not None
        seats = {seat.player_id: seat for seat in view.seats}
        assert view.street.name == "DRAW"
        assert [seats[name].drawn_count for name in THREE] == [2 * (name == drawer) for name in THREE]
        for name, seat in seats.items():
            assert seat.hole_cards == (held(table, name) if name == viewer else b"")


@simulated()
async def test_journal_holds_no_card_of_a_draw_in_clear(runtime: SimulatedRuntime) -> None:
    """Places and counts, in command and event alike; the cards are sealed beside them."""
    table = await open_draw_table(runtime, *THREE)
    await to_the_draw(table)
    after = table.actor.sequence
    cards = held(table, table.decision.player_id)
    await table.act(Discard(cards[4:2:-1]))
    await discard(table, 0)
    drew, stood_pat = await table.store.records(table.table_id, after, 2)
    body = codec.decode(drew.body, drew.format)
    assert isinstance(action_of(body.events), ev.CardsDrawn)
    assert action_of(body.events).places == b"\x04\x03"  # type: ignore[attr-defined]
    assert body.command.action == actions.Draw(b"\x04\x03")  # type: ignore[union-attr]
    assert not any(text.encode() in drew.body for text in cards_text(cards))
    assert drew.sealed is not None
    assert stood_pat.sealed is None
