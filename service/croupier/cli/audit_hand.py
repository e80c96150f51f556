"""`croupier audit --hand`: one settled hand that is in escrow, opened with the auditor's key and told."""

from __future__ import annotations

from pathlib import Path

import msgspec
import typer

from croupier.adapters import auditor_key
from croupier.adapters.games import GAMES
from croupier.adapters.key_file import KeyFileError
from croupier.cards import cards_text
from croupier.cli.audit_report import CannotAudit, open_books
from croupier.room.audit.escrowed import CannotOpen, OpenedHand, open_hand
from croupier.room.hand_id import hand_of
from croupier.room.seal import SealBroken


def run(hand_id: str, key: Path, store: str | None, *, as_json: bool) -> bool:
    """Open the hand and tell of it; whether its decks are those it was committed to. Raises CannotAudit."""
    table_id, number = hand_of(hand_id)
    if not table_id or not number:
        raise CannotAudit(f"{hand_id} names no hand: it must be TABLE/NUMBER")
    try:
        private_key = auditor_key.read_private(key)
    except KeyFileError as failure:
        raise CannotAudit(str(failure)) from None
    books = open_books(store)
    try:
        records = (stored.record for stored in books.records(table_id))
        opened = open_hand(records, GAMES, number, private_key)
    except (CannotOpen, SealBroken) as failure:
        raise CannotAudit(f"{hand_id}: {failure}") from None
    finally:
        books.close()
    typer.echo(_as_json(opened) if as_json else _summary(opened))
    return opened.as_committed


def _summary(opened: OpenedHand) -> str:
    lines = [f"hand {opened.hand_id}"]
    for seat in opened.seats:
        held = f", at last {_told(seat.held)}" if seat.held != seat.dealt else ""
        lines.append(f"seat {seat.seat:2} {_told(seat.dealt)}{held}  {seat.player_id}")
    lines += [f"board   {_told(opened.board)}", f"deck    {_told(opened.deal_order[:52])}"]
    fine = "the decks are those committed to before the first card"
    lines.append(fine if opened.as_committed else "FAIL the decks are not those that were committed to")
    return "\n".join(lines)


def _as_json(opened: OpenedHand) -> str:
    told = {
        "hand_id": opened.hand_id,
        "seats": [
            {
                "seat_number": seat.seat,
                "player_id": seat.player_id,
                "dealt": cards_text(seat.dealt),
                "held": cards_text(seat.held),
            }
            for seat in opened.seats
        ],
        "board": cards_text(opened.board),
        "deal_order": cards_text(opened.deal_order),
        "as_committed": opened.as_committed,
    }
    return msgspec.json.encode(told).decode()


def _told(cards: bytes) -> str:
    return " ".join(cards_text(cards))
