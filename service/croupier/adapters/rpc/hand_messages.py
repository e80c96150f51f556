"""Records of settled hands as croupier.v1.HandRecord, in the language asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from croupier.adapters.rpc import house_messages, messages
from croupier.adapters.rpc.event_messages import Telling
from croupier.adapters.rpc.hand_words import HandWords
from croupier.cards import cards_text
from croupier.numbers import NS_PER_MS
from croupier.room.hand_id import hand_id_of
from croupier.room.hand_ports import HandPlace
from croupier.room.records import HandRecord, RecordSeat
from croupier.v1 import event_pb2, hand_record_pb2, table_pb2

_AT_ONCE: Final = 32
"""Hands of a list put into words before others have their turn."""


async def hand_records(
    records: Sequence[HandRecord | HandPlace], language: str
) -> list[hand_record_pb2.HandRecord]:
    """Many without their events; of one that is damaged there is the place alone."""
    told = []
    options: dict[str, table_pb2.TableOptions] = {}
    for number, record in enumerate(records, start=1):
        if isinstance(record, HandPlace):
            told.append(_damaged(record))
            continue
        table_id = record.place.table_id
        if table_id not in options:
            options[table_id] = house_messages.options(record.name, record.rules)
        told.append(_hand_record(record, options[table_id], HandWords(record.game, language)))
        if number % _AT_ONCE == 0:
            await asyncio.sleep(0)
    return told


def _damaged(place: HandPlace) -> hand_record_pb2.HandRecord:
    return hand_record_pb2.HandRecord(
        hand_id=hand_id_of(place.table_id, place.hand_number),
        table_id=place.table_id,
        hand_number=place.hand_number,
        end_time=messages.timestamp(place.ended_time),
        damaged=True,
    )


def hand_record(record: HandRecord, viewer: str, language: str) -> hand_record_pb2.HandRecord:
    """One with its events; `viewer` is the one that the record was made for."""
    words = HandWords(record.game, language)
    told = _hand_record(record, house_messages.options(record.name, record.rules), words)
    told.events.extend(_events(record, viewer, words))
    return told


def _hand_record(
    record: HandRecord, options: table_pb2.TableOptions, words: HandWords
) -> hand_record_pb2.HandRecord:
    place = record.place
    return hand_record_pb2.HandRecord(
        hand_id=hand_id_of(place.table_id, place.hand_number),
        table_id=place.table_id,
        hand_number=place.hand_number,
        options=options,
        start_time=messages.timestamp(record.started_time),
        end_time=messages.timestamp(place.ended_time),
        button_seat=record.started.button_seat,
        seats=[_seat(seat, record.board, words) for seat in sorted(record.seats, key=lambda seat: seat.seat)],
        board=cards_text(record.board),
        pots=[
            hand_record_pb2.HandRecordPot(
                amount=pot.amount, rake=pot.rake, winners=pot.winners, low_winners=pot.low_winners
            )
            for pot in record.pots
        ],
        rake=record.ended.rake,
        voided=record.voided,
    )


def _seat(seat: RecordSeat, board: bytes, words: HandWords) -> hand_record_pb2.HandRecordSeat:
    high, low = words.of(seat.hole_cards, board)
    return hand_record_pb2.HandRecordSeat(
        seat_number=seat.seat,
        player_id=seat.player_id,
        starting_stack=seat.starting_stack,
        net=seat.net,
        rake_paid=seat.rake_paid,
        hole_cards=cards_text(seat.hole_cards),
        description=high,
        low_description=low,
        folded=seat.folded,
    )


def _events(record: HandRecord, viewer: str, words: HandWords) -> list[event_pb2.TableEvent]:
    telling = Telling(record.place.table_id, record.rules.seat_kept_ms * NS_PER_MS, words)
    return [event for publication in record.told for event in telling.events(publication, viewer)]
