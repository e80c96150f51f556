"""A settled hand as Poker Hand History (PHH): a TOML document that `croupier replay` and others read.

Players are in the order of HandStarted, p1 left of the button. PHH lists blinds and antes of two players the
other way round. Live posts of returning players are negative blinds, dead ones antes that are not trimmed, which
go into the main pot whole. PHH has no field for rake nor for house rules: `_croupier` holds them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from croupier.adapters.exports.phh_actions import actions
from croupier.cards import cards_text
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.rules import Structure
from croupier.numbers import NS_PER_S
from croupier.room.hand_id import hand_id_of
from croupier.room.records import HandRecord

_STRUCTURES: Final = {
    Structure.NO_LIMIT: "N",
    Structure.POT_LIMIT: "P",
    Structure.FIXED_LIMIT: "F",
    Structure.SPREAD_LIMIT: "S",
}
_GAMES: Final = {
    "holdem": "T",
    "omaha": "O",
    "five_card_omaha": "O5",
    "six_card_omaha": "O6",
    "omaha_hi_lo": "O/8",
    "five_card_draw": "5D",
}
"""The format itself defines NT, FT, PO and FO/8; the other codes are made likewise."""

_LATE: Final = (ev.PostKind.BRING_IN, ev.PostKind.LIVE_BLIND)
_DEAD: Final = (ev.PostKind.DEAD_BLIND, ev.PostKind.ANTE, ev.PostKind.TABLE_ANTE)

Value = bool | int | str | Sequence["Value"] | Mapping[str, "Value"]


def phh(record: HandRecord) -> str:
    """The document."""
    rules, started = record.rules, record.started
    dead, blinds = _posts(record)
    fields: dict[str, Value] = {
        "variant": _STRUCTURES[rules.structure] + _GAMES[record.game.name],
        "antes": dead,
        "blinds_or_straddles": blinds,
        **_bets(record),
        "starting_stacks": started.stacks,
        "actions": actions(record),
        "venue": rules.house_id,
        "hand": hand_id_of(record.place.table_id, record.place.hand_number),
        "seats": started.seats,
        "seat_count": rules.seat_count,
        "table": record.name or record.place.table_id,
        "players": started.players,
        "finishing_stacks": record.ended.stacks,
        "currency": rules.currency,
    }
    if any(dead):
        fields["ante_trimming_status"] = False
    lines = [f"{key} = {_toml(value)}" for key, value in fields.items()]
    when = datetime.fromtimestamp(record.started_time // NS_PER_S, UTC)
    lines.append(f"time = {when:%H:%M:%S}")
    lines.append('time_zone = "UTC"')
    lines += [f"day = {when.day}", f"month = {when.month}", f"year = {when.year}"]
    lines.append(f"_croupier = {_toml(_own(record))}")
    return "\n".join(lines) + "\n"


def _bets(record: HandRecord) -> dict[str, Value]:
    rules = record.rules
    if rules.structure is Structure.FIXED_LIMIT:
        return {"small_bet": rules.small_bet, "big_bet": rules.big_bet}
    return {"min_bet": rules.small_bet}


def _posts(record: HandRecord) -> tuple[list[int], list[int]]:
    """What each player posted dead, and nominally live, in the format's order."""
    started, rules = record.started, record.rules
    dead = dict.fromkeys(started.seats, 0)
    live = dict.fromkeys(started.seats, 0)
    for publication in record.told:
        for event in publication.events:
            if not isinstance(event, ev.Posted):
                continue
            if event.kind in _DEAD:
                dead[event.seat] += event.amount
            elif event.kind == ev.PostKind.SMALL_BLIND:
                live[event.seat] = rules.small_blind
            else:
                live[event.seat] = -rules.big_blind if event.kind in _LATE else rules.big_blind
    order = started.seats[::-1] if len(started.seats) == 2 else started.seats
    return [dead[seat] for seat in order], [live[seat] for seat in order]


def _own(record: HandRecord) -> dict[str, Value]:
    """What the format has no field for."""
    rules = record.rules
    own: dict[str, Value] = {
        "button_seat": record.started.button_seat,
        "rake": record.ended.rake,
        "bets_cap": rules.bets_cap,
        "cap_lifts_heads_up": rules.cap_lifts_heads_up,
        "opening_checks": rules.opening_checks,
    }
    if rules.structure is Structure.SPREAD_LIMIT:
        own["max_bet"] = rules.big_bet
    if record.game.draws:
        own |= {"most_drawn": rules.most_drawn, "last_round_opener": rules.last_round_opener}
    shown = [
        f"p{record.started.seats.index(event.seat) + 1} {''.join(cards_text(event.cards))}"
        for publication in record.told
        for event in publication.events
        if isinstance(event, tev.CardsShown)
    ]
    if shown:
        own["shown_afterwards"] = shown
    if record.voided:
        own["voided"] = True
    return own


def _toml(value: Value) -> str:
    """A value as TOML writes it, on one line but for lists of texts."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case Mapping():
            return "{ " + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + " }"
        case _:
            return f"[{', '.join(_toml(inner) for inner in value)}]"
