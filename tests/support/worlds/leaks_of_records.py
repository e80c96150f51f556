"""Leaks planted on purpose: of cards, in what is kept and read again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from tests.support.worlds.leaks import Dealt, Leak, Patch, around

from croupier.adapters.exports import phh as phh_module
from croupier.adapters.rpc import event_messages, hand_messages, hand_servicer
from croupier.adapters.rpc.event_messages import Telling
from croupier.adapters.rpc.pages import PageTokens
from croupier.cards import cards_text
from croupier.engine import events as ev
from croupier.room import history
from croupier.room.openings import Followed
from croupier.room.postings import Postings
from croupier.room.seal import Seal


def phh_with_every_hand(patch: Patch) -> None:
    dealt = Dealt(patch)

    def unredacted(record: Any) -> str:
        return phh_module.phh(record) + f"# {dealt.told(record.place.hand_number)}\n"

    patch.setattr(hand_servicer, "phh", unredacted)


def ohh_with_every_hand(patch: Patch) -> None:
    dealt = Dealt(patch)

    def make(ohh: Any) -> Any:
        def unredacted(record: Any, viewer: str) -> str:
            text: str = ohh(record, viewer).replace(
                '"flags"', f'"note": "{dealt.told(record.place.hand_number)}", "flags"'
            )
            return text

        return unredacted

    around(patch, hand_servicer, "ohh", make)


def records_with_mucked_cards(patch: Patch) -> None:
    dealt = Dealt(patch)

    def make(made: Any) -> Any:
        def with_all(record: Any, *told: Any) -> Any:
            message = made(record, *told)
            for seat in message.seats:
                if not seat.hole_cards and not seat.folded:
                    seat.hole_cards.extend(cards_text(dealt.hands[record.place.hand_number][seat.player_id]))
            return message

        return with_all

    around(patch, hand_messages, "_hand_record", make)


def records_list_results_by_strength(patch: Patch) -> None:
    dealt, tell = Dealt(patch), event_messages._TELL[ev.HandEnded]

    def ordered(telling: Telling, event: ev.HandEnded) -> dict[str, Any]:
        told = tell(telling, event)
        held = sorted(dealt.hands[event.hand_number].values())
        results = list(told["hand_ended"].results)
        turn = held[0][0] % len(results)
        del told["hand_ended"].results[:]
        told["hand_ended"].results.extend(results[turn:] + results[:turn])
        return told

    patch.setitem(event_messages._TELL, ev.HandEnded, ordered)


def openings_of_cards_nobody_saw(patch: Patch) -> None:
    def make(known: Any) -> Any:
        def all_known(followed: Followed, deck: Any, viewer: str) -> Any:
            slots = followed._slots.held
            return known(followed, deck, viewer) + [(seat, slots[seat][0]) for seat in sorted(slots)]

        return all_known

    around(patch, Followed, "_known", make)


def page_tokens_hold_a_card(patch: Patch) -> None:
    dealt, after = Dealt(patch), PageTokens.after

    def marked(tokens: PageTokens, place: Sequence[Any], filters: Sequence[str]) -> str:
        return after(tokens, place, filters) + f"{dealt.number(10)}"

    patch.setattr(PageTokens, "after", marked)


def sealed_cards_as_long_as_they_compress(patch: Patch) -> None:
    close = Seal.close

    def longer(seal: Seal, table_id: str, number: int, secret: bytes, nonce: bytes) -> bytes:
        more = bytes(secret[-1] % 8) if len(secret) > 52 else b""
        return close(seal, table_id, number, secret + more, nonce)

    patch.setattr(Seal, "close", longer)


def settlements_named_after_cards(patch: Patch) -> None:
    dealt, of = Dealt(patch), Postings.of

    def named(postings: Postings, *told: Any) -> Any:
        sets = of(postings, *told)
        return tuple(
            msgspec.structs.replace(one, entry_set_id=f"{one.entry_set_id}{dealt.number(20)}") for one in sets
        )

    patch.setattr(Postings, "of", named)


def resumed_streams_deal_anothers_cards(patch: Patch) -> None:
    def make(own_cards: Any) -> Any:
        def anothers(seal: Any, game: Any, viewer: str, record: Any, body: Any) -> bytes:
            started = next((one for one in body.events if isinstance(one, ev.HandStarted)), None)
            if started is not None and viewer in started.players:
                others = [one for one in started.players if one != viewer]
                return bytes(own_cards(seal, game, others[0], record, body))
            return bytes(own_cards(seal, game, viewer, record, body))

        return anothers

    around(patch, history, "own_cards", make)


OF_RECORDS: Final[tuple[Leak, ...]] = (
    phh_with_every_hand,
    ohh_with_every_hand,
    records_with_mucked_cards,
    records_list_results_by_strength,
    openings_of_cards_nobody_saw,
    page_tokens_hold_a_card,
    sealed_cards_as_long_as_they_compress,
    settlements_named_after_cards,
    resumed_streams_deal_anothers_cards,
)
