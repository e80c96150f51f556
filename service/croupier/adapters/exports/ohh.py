"""A settled hand as Open Hand History (OHH) 1.4.6, a JSON document.

OHH has no word for spread limit, for the street of a draw, nor for discarding: bet_type is "SL", the street is
"Draw", and the cards drawn are dealt. Chips that nobody called are in no pot, and in no action either.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, Final

from croupier.cards import cards_text
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.rules import Structure
from croupier.numbers import NS_PER_S
from croupier.room.hand_id import hand_id_of
from croupier.room.own_cards import exchanged_in
from croupier.room.records import HandRecord
from croupier.room.subscriptions import Publication

_SPEC: Final = "1.4.6"
_BET_TYPES: Final = {
    Structure.NO_LIMIT: "NL",
    Structure.POT_LIMIT: "PL",
    Structure.FIXED_LIMIT: "FL",
    Structure.SPREAD_LIMIT: "SL",
}
_GAMES: Final = {
    "holdem": "Holdem",
    "omaha": "Omaha",
    "five_card_omaha": "Omaha",
    "six_card_omaha": "Omaha",
    "omaha_hi_lo": "OmahaHiLo",
    "five_card_draw": "Draw",
}
_POSTS: Final = {
    ev.PostKind.ANTE: "Post Ante",
    ev.PostKind.TABLE_ANTE: "Post Ante",
    ev.PostKind.SMALL_BLIND: "Post SB",
    ev.PostKind.BIG_BLIND: "Post BB",
    ev.PostKind.BRING_IN: "Post Extra Blind",
    ev.PostKind.LIVE_BLIND: "Post Extra Blind",
    ev.PostKind.DEAD_BLIND: "Post Dead",
    ev.PostKind.STRADDLE: "Straddle",
}
_STREETS: Final = ("Preflop", "Flop", "Turn", "River")
_DRAW_STREETS: Final = ("Preflop", "Draw", "Draw")


def ohh(record: HandRecord, viewer: str) -> str:
    """The document; the viewer, where dealt in, is its hero."""
    rules, started = record.rules, record.started
    hero = started.players.index(viewer) if viewer and viewer in started.players else None
    when = datetime.fromtimestamp(record.started_time // NS_PER_S, UTC)
    document = {
        "spec_version": _SPEC,
        "site_name": rules.house_id,
        "network_name": "Croupier",
        "internal_version": _SPEC,
        "tournament": False,
        "game_number": hand_id_of(record.place.table_id, record.place.hand_number),
        "start_date_utc": f"{when:%Y-%m-%dT%H:%M:%SZ}",
        "table_name": record.name or record.place.table_id,
        "game_type": _GAMES[record.game.name],
        "bet_limit": {"bet_type": _BET_TYPES[rules.structure], "bet_cap": 0},
        "table_size": rules.seat_count,
        "currency": rules.currency,
        "dealer_seat": started.button_seat,
        "small_blind_amount": rules.small_blind,
        "big_blind_amount": rules.big_blind,
        "ante_amount": 0,
        "hero_player_id": hero,
        "flags": ([] if hero is not None else ["Observed"]) + (["Voided"] if record.voided else []),
        "players": [
            {"id": number, "seat": seat, "name": player_id, "starting_stack": stack}
            for number, (seat, player_id, stack) in enumerate(
                zip(started.seats, started.players, started.stacks, strict=True)
            )
        ],
        "rounds": _Rounds(record).rounds(),
        "pots": [_pot(record, pot) for pot in record.pots],
    }
    return json.dumps({"ohh": document}, ensure_ascii=False, indent=2) + "\n"


def _pot(record: HandRecord, pot: ev.PotAwarded) -> dict[str, Any]:
    won: dict[int, int] = {}
    for seat, award in zip(pot.winners + pot.low_winners, pot.awards + pot.low_awards, strict=True):
        won[seat] = won.get(seat, 0) + award
    return {
        "number": pot.index,
        "amount": pot.amount,
        "rake": pot.rake,
        "player_wins": [
            {"player_id": record.started.seats.index(seat), "win_amount": amount}
            for seat, amount in won.items()
        ],
    }


class _Rounds:
    """Gathers the rounds; actions are numbered through the hand, what is shown is in a round of its own."""

    def __init__(self, record: HandRecord) -> None:
        self._record = record
        self._names = _DRAW_STREETS if record.game.draws else _STREETS
        self._rounds = [self._round(self._names[0], b"")]
        self._shown: list[dict[str, Any]] = []
        self._live = dict.fromkeys(record.started.seats, True)
        self._count = 0

    def rounds(self) -> list[dict[str, Any]]:
        for publication in self._record.told:
            for event in publication.events:
                self._take(event, publication)
        if self._shown:
            showdown = self._round("Showdown", b"")
            showdown["actions"] = self._shown
            self._rounds.append(showdown)
        for number, one in enumerate(self._rounds):
            one["id"] = number
            for action in one["actions"]:
                self._count += 1
                action["action_number"] = self._count
        return self._rounds

    def _round(self, street: str, cards: bytes) -> dict[str, Any]:
        return {"id": 0, "street": street, "cards": cards_text(cards), "actions": []}

    def _act(self, seat: int, action: str, **more: Any) -> dict[str, Any]:
        number = self._record.started.seats.index(seat)
        return {"action_number": 0, "player_id": number, "action": action, **more}

    def _take(self, event: ev.Event, publication: Publication) -> None:
        told = self._rounds[-1]["actions"]
        match event:
            case ev.StreetDealt():
                name = self._names[len(self._rounds)]
                self._rounds.append(self._round(name, event.cards))
            case ev.Posted():
                told.append(self._act(event.seat, _POSTS[event.kind], **_chips(event)))
            case ev.HoleCardsDealt():
                told += self._dealt(event, publication)
            case ev.Folded():
                del self._live[event.seat]
                told.append(self._act(event.seat, "Fold"))
            case ev.Checked():
                told.append(self._act(event.seat, "Check"))
            case ev.Called():
                told.append(self._act(event.seat, "Call", **_chips(event)))
            case ev.BetMade() | ev.Raised():
                kind = "Bet" if isinstance(event, ev.BetMade) else "Raise"
                told.append(self._act(event.seat, kind, **_chips(event)))
            case ev.CardsDrawn() if event.places:
                _, drawn = exchanged_in(event, b"".join(publication.hole_cards.values()))
                told.append(self._act(event.seat, "Dealt Cards", **_cards(drawn)))
            case _:
                self._show(event)

    def _dealt(self, event: ev.HoleCardsDealt, publication: Publication) -> list[dict[str, Any]]:
        players = self._record.started.players
        return [
            self._act(seat, "Dealt Cards", **_cards(publication.hole_cards.get(player_id, b"")))
            for seat, player_id in zip(event.seats, players, strict=True)
        ]

    def _show(self, event: ev.Event) -> None:
        match event:
            case ev.HoleCardsShown() | tev.CardsShown():
                self._live[event.seat] = False
                self._shown.append(self._act(event.seat, "Shows Cards", **_cards(event.cards)))
            case ev.HandEnded() if len(self._live) > 1 and not self._record.voided:
                closed = [seat for seat, unseen in self._live.items() if unseen]
                self._shown += [self._act(seat, "Mucks Cards") for seat in closed]
            case _:
                return


def _chips(event: ev.Posted | ev.Called | ev.BetMade | ev.Raised) -> dict[str, Any]:
    return {"amount": event.amount, "is_allin": event.all_in}


def _cards(cards: bytes) -> dict[str, Any]:
    return {"cards": cards_text(cards)} if cards else {}
