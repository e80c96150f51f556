"""SettlementService's reads of settled hands: one, many, and one in a public format."""

from __future__ import annotations

from typing import Final

import msgspec

from croupier.adapters.exports.ohh import ohh
from croupier.adapters.exports.phh import phh
from croupier.adapters.rpc import checks, hand_messages, hand_words, pages, proof_messages
from croupier.adapters.rpc.pages import PageTokens
from croupier.adapters.rpc.table_servicer import viewer_of
from croupier.numbers import INT64_MAX
from croupier.room.failures import JournalDamaged, Refusal
from croupier.room.hand_id import hand_of
from croupier.room.hand_ports import HandPlace, HandQuery
from croupier.room.principal import Principal
from croupier.room.records import HandRecord, Records
from croupier.room.sight import HandSight
from croupier.room.verification import Verification
from croupier.v1 import settlement_service_pb2 as pb

MOST_READINGS: Final = 8
"""Of a page from which hands are left out that the caller may not know: after so many it is told as short as it is."""


class HandServicer:
    """Each method checks its request, and asks for records as the viewer named may know them."""

    def __init__(
        self, records: Records, verification: Verification, sight: HandSight, tokens: PageTokens
    ) -> None:
        self._records = records
        self._verification = verification
        self._sight = sight
        self._tokens = tokens

    async def get_hand(self, principal: Principal, request: pb.GetHandRequest) -> pb.GetHandResponse:
        viewer = viewer_of(principal, request.player_id)
        language = hand_words.chosen(request.language)
        record = await self._record(principal, request.hand_id, viewer)
        return pb.GetHandResponse(hand=hand_messages.hand_record(record, viewer, language))

    async def list_hands(self, principal: Principal, request: pb.ListHandsRequest) -> pb.ListHandsResponse:
        table_id = checks.optional_text("table_id", request.table_id)
        played_by = checks.optional_player_id("played_by", request.played_by)
        if not table_id and not played_by:
            raise Refusal("FIELD_REQUIRED", field="table_id")
        viewer = viewer_of(principal, request.player_id)
        language = hand_words.chosen(request.language)
        from_time, to_time = _times(request)
        filters = ("ListHands", table_id, played_by, viewer, str(from_time), str(to_time), language)
        size = pages.size(request.page_size)
        before = _place(self._tokens.place(request.page_token, filters, 3))
        houses = None if principal.houses is None else tuple(sorted(principal.houses))
        query = HandQuery(size, table_id, played_by, from_time, to_time, before, houses)
        records, last = await self._page(principal, query, viewer)
        token = ""
        if last is not None:
            token = self._tokens.after((last.ended_time, last.table_id, last.hand_number), filters)
        hands = await hand_messages.hand_records(records, language)
        return pb.ListHandsResponse(hands=hands, next_page_token=token)

    async def _page(
        self, principal: Principal, query: HandQuery, viewer: str
    ) -> tuple[list[HandRecord | HandPlace], HandPlace | None]:
        """Hands that the caller may know, and the last one looked at; None where there are no more."""
        found: list[HandRecord | HandPlace] = []
        size = query.limit
        for _ in range(MOST_READINGS):
            records = await self._records.matching(query, viewer)
            sound = [one for one in records if not isinstance(one, HandPlace)]
            seen = {one.place: one for one in await self._sight.seen(principal, sound)}
            for one in records:
                if isinstance(one, HandPlace):
                    found.append(_damaged(principal, query, one))
                elif one.place in seen:
                    found.append(one)
            if len(records) < query.limit:
                return found, None
            last = records[-1]
            before = last if isinstance(last, HandPlace) else last.place
            query = msgspec.structs.replace(query, limit=size - len(found), before=before)
            if not query.limit:
                break
        return found, query.before

    async def export_hand(self, principal: Principal, request: pb.ExportHandRequest) -> pb.ExportHandResponse:
        checks.enum_name("format", pb.HandFormat.DESCRIPTOR, request.format)
        viewer = viewer_of(principal, request.player_id)
        record = await self._record(principal, request.hand_id, viewer)
        if request.format == pb.HAND_FORMAT_PHH:
            return pb.ExportHandResponse(document=phh(record), media_type="application/toml")
        return pb.ExportHandResponse(document=ohh(record, viewer), media_type="application/json")

    async def verify_hand(self, principal: Principal, request: pb.VerifyHandRequest) -> pb.VerifyHandResponse:
        viewer = viewer_of(principal, request.player_id)
        checks.text("hand_id", request.hand_id, max_length=checks.MAX_HAND_ID_LENGTH)
        table_id, number = hand_of(request.hand_id)
        if principal.role == "player":
            await self._record(principal, request.hand_id, "")
        found = await self._verification.of(table_id, number, viewer) if number else None
        if found is None:
            raise Refusal("HAND_UNKNOWN", hand_id=request.hand_id)
        return proof_messages.proof(found)

    async def _record(self, principal: Principal, hand_id: str, viewer: str) -> HandRecord:
        checks.text("hand_id", hand_id, max_length=checks.MAX_HAND_ID_LENGTH)
        table_id, number = hand_of(hand_id)
        record = await self._records.get(table_id, number, viewer) if number else None
        if record is None or not await self._sight.seen(principal, [record]):
            raise Refusal("HAND_UNKNOWN", hand_id=hand_id)
        return record


def _damaged(principal: Principal, query: HandQuery, place: HandPlace) -> HandPlace:
    """A hand that the caller may know of, though nobody can tell who played it where.

    Raises JournalDamaged for a player who has not asked for hands of his own.
    """
    if principal.role == "player" and query.player_id != principal.player_id:
        raise JournalDamaged(place.table_id, f"hand {place.hand_number} is damaged")
    return place


def _times(request: pb.ListHandsRequest) -> tuple[int, int]:
    """From when, and until when, in nanoseconds; unset for all times that there are."""
    earliest = checks.nanoseconds("from_time", request.from_time) if request.HasField("from_time") else 0
    latest = checks.nanoseconds("to_time", request.to_time) if request.HasField("to_time") else INT64_MAX
    return earliest, latest


def _place(parts: list[str] | None) -> HandPlace | None:
    """The hand that a page begins after."""
    if parts is None:
        return None
    ended_time, table_id, number = parts
    return HandPlace(table_id, pages.number(number), 0, 0, pages.number(ended_time))
