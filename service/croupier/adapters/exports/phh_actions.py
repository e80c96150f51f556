"""The actions of a settled hand in the words of PHH ("p3 cbr 250", "d db AhKd2c")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from croupier.cards import cards_text
from croupier.engine import events as ev
from croupier.room.own_cards import exchanged_in
from croupier.room.records import HandRecord
from croupier.room.subscriptions import Publication

_UNKNOWN: Final = "??"


def actions(record: HandRecord) -> list[str]:
    """In the order they happened; cards that the viewer may not know are "??"."""
    writing = _Writing(record)
    return [line for publication in record.told for line in writing.lines(publication)]


class _Writing:
    def __init__(self, record: HandRecord) -> None:
        self._record = record
        self._live = dict.fromkeys(record.started.seats, True)
        """Who has not folded, by seat; False once the cards are shown."""

    def lines(self, publication: Publication) -> Iterator[str]:
        own = b"".join(publication.hole_cards.values())
        for event in publication.events:
            yield from self._event(event, publication, own)

    def _event(self, event: ev.Event, publication: Publication, own: bytes) -> Iterator[str]:
        match event:
            case ev.HoleCardsDealt():
                yield from self._dealt(event, publication)
            case ev.Folded():
                del self._live[event.seat]
                yield f"{self._player(event.seat)} f"
            case ev.Checked() | ev.Called():
                yield f"{self._player(event.seat)} cc"
            case ev.BetMade() | ev.Raised():
                yield f"{self._player(event.seat)} cbr {event.to}"
            case ev.StubReshuffled():
                yield f"# The stub was reshuffled and holds {event.count} cards"
            case ev.CardsDrawn():
                yield from self._drawn(event, own)
            case ev.StreetDealt() if event.cards:
                yield f"d db {_joined(event.cards)}"
            case ev.HoleCardsShown():
                self._live[event.seat] = False
                yield f"{self._player(event.seat)} sm {_joined(event.cards)}"
            case ev.HandEnded() if len(self._live) > 1 and not self._record.voided:
                yield from (f"{self._player(seat)} sm" for seat, closed in self._live.items() if closed)
            case _:
                return

    def _player(self, seat: int) -> str:
        return f"p{self._record.started.seats.index(seat) + 1}"

    def _dealt(self, event: ev.HoleCardsDealt, publication: Publication) -> Iterator[str]:
        players = self._record.started.players
        for seat, player_id in zip(event.seats, players, strict=True):
            cards = publication.hole_cards.get(player_id, b"")
            yield f"d dh {self._player(seat)} {_joined(cards) or _UNKNOWN * event.count}"

    def _drawn(self, event: ev.CardsDrawn, own: bytes) -> Iterator[str]:
        player, count = self._player(event.seat), len(event.places)
        if not count:
            yield f"{player} sd"
            return
        discarded, drawn = exchanged_in(event, own)
        yield f"{player} sd {_joined(discarded) or _UNKNOWN * count}"
        yield f"d dh {player} {_joined(drawn) or _UNKNOWN * count}"


def _joined(cards: bytes) -> str:
    return "".join(cards_text(cards))
