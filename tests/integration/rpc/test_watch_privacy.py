"""A viewer sees their own hole cards and nobody else's before the showdown, in whatever the service sends."""

from __future__ import annotations

from collections import defaultdict
from random import Random

from google.protobuf.message import Message
from tests.support.live import Backend, Watching, choice
from tests.support.telltale import cards_in

from croupier.v1.betting_service_pb2 import ActResponse

PLAYERS = ("anna", "bert", "cleo")
VIEWERS = ("", *PLAYERS)
HANDS = 25

Hole = dict[str, dict[str, set[str]]]
"""By hand_id and player_id."""


def dealt_to(player: str, watch: Watching) -> dict[str, set[str]]:
    """A player's hole cards by hand, from the player's own stream."""
    dealt: dict[str, set[str]] = {}
    hand_id, seat = "", 0
    for event in watch.events:
        if event.HasField("hand_started"):
            hand_id = event.hand_started.hand_id
            seats = {one.player_id: one.seat_number for one in event.hand_started.seats}
            seat = seats.get(player, 0)
        for one in event.hole_cards_dealt.seats:
            assert one.card_count == 2
            if one.seat_number == seat:
                assert len(set(one.hole_cards)) == 2, "whoever is dealt cards sees them"
                dealt[hand_id] = set(one.hole_cards)
    return dealt


def must_be_fair(hole: Hole, viewer: str, watch: Watching) -> int:
    """Fails where an event tells of a card too early; how many cards were turned up."""
    hand_id, shown, count = "", set[str](), 0
    for event in watch.events:
        if event.HasField("hand_started"):
            hand_id, shown = event.hand_started.hand_id, set()
        if event.HasField("hole_cards_shown"):
            shown |= set(event.hole_cards_shown.hole_cards)
            count += 2
        concealed = concealed_from(viewer, hole[hand_id]) - shown if hand_id else set()
        assert not cards_in(event) & concealed, event
    return count


def concealed_from(viewer: str, hole: dict[str, set[str]]) -> set[str]:
    return set().union(*(cards for player, cards in hole.items() if player != viewer))


async def test_no_message_tells_a_viewer_of_others_hole_cards(backend: Backend) -> None:
    table_id = await backend.open_table(seat_count=4)
    watching = {viewer: backend.watching(table_id, viewer) for viewer in VIEWERS}
    for watch in watching.values():
        await watch.until(lambda watch: bool(watch.messages))
    for seat, player in enumerate(PLAYERS, start=1):
        await backend.sit(table_id, player, seat)
    told = await told_while_playing(backend, table_id)
    last = (await backend.get_table(table_id)).sequence
    hole: Hole = defaultdict(dict)
    for player in PLAYERS:
        await watching[player].reach(last)
        for hand_id, cards in dealt_to(player, watching[player]).items():
            hole[hand_id][player] = cards
    await watching[""].reach(last)
    assert len(hole) >= HANDS
    for viewer, watch in watching.items():
        assert must_be_fair(hole, viewer, watch) > 10, "some hands reach a showdown"
        for raw, message in zip(watch.raw, watch.messages, strict=True):
            assert message.SerializeToString() == raw
    for viewer, hand_id, answer in told:
        assert not cards_in(answer) & concealed_from(viewer, hole[hand_id])


async def told_while_playing(backend: Backend, table_id: str) -> list[tuple[str, str, Message]]:
    """Each answer while somebody has to act: whose view it is, in which hand, and the message."""
    told: list[tuple[str, str, Message]] = []
    random = Random(7)
    decision = await backend.decision(table_id)
    while int(decision.hand_id.rpartition("/")[2]) <= HANDS:
        for viewer in VIEWERS:
            told.append((viewer, decision.hand_id, await backend.get_table(table_id, viewer)))
            if random.random() < 0.05:
                joining = backend.watching(table_id, viewer)
                await joining.until(lambda watch: bool(watch.messages))
                told.append((viewer, decision.hand_id, joining.messages[0]))
                await joining.cancel()
        for player in PLAYERS:
            told.append((player, decision.hand_id, await backend.get_legal_actions(table_id, player)))
        acted: ActResponse = await backend.act(table_id, decision, *choice(decision, random))
        told.append(("", acted.next_decision.hand_id, acted))
        decision = acted.next_decision
        if not decision.hand_id:
            seated = {seat.player_id for seat in (await backend.get_table(table_id)).seats}
            for seat, player in enumerate(PLAYERS, start=1):
                if player not in seated:
                    await backend.sit(table_id, player, seat)
            decision = await backend.decision(table_id)
    return [(viewer, hand_id, message) for viewer, hand_id, message in told if hand_id]
