"""What a request that moved chips between a wallet and elsewhere must be, by its entry set. It reads no store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

import msgspec

from croupier.room import accounts
from croupier.room.audit.books import StoredEntry, StoredSet
from croupier.room.ports import RequestRecord
from croupier.room.requests import effect_id, request_key
from croupier.room.wallet_ports import MOVED, Transfer, digest_of, step_key

BANKED: Final = {"Deposit": "deposit", "Withdraw": "withdrawal"}
"""Methods, with the kind of their entry set, which is named for the request's effect."""
_STEPS: Final[dict[str, tuple[str, Literal["to_table", "to_wallet"]]]] = {
    "wallet.reserve": ("reservation", "to_table"),
    "wallet.void": ("release", "to_table"),
    "wallet.post": ("payout", "to_wallet"),
}
"""Steps of a transfer, with the kind of their entry set, which is named for the transfer."""
ANSWERED: Final = frozenset((*BANKED.values(), *(kind for kind, _ in _STEPS.values())))
"""Kinds of sets that are written with their request's lasting answer."""
METHODS: Final = frozenset((*BANKED, *_STEPS))


class Moved(NamedTuple):
    """What one entry set moved, and whose it is."""

    player_id: str
    currency: str
    amount: int


def set_of(request: RequestRecord) -> str:
    """The id of the entry set that was written with the answer."""
    if request.method in BANKED:
        return effect_id(request.principal, request.method, request.request_id)
    return f"{_STEPS[request.method][0]}/{request.request_id}"


def wrong_answer(request: RequestRecord, kept: StoredSet, entries: Sequence[StoredEntry]) -> str:
    """How an answer, or what it answers, differs from the entry set written with it; but for the balance told."""
    moved = _moved(entries)
    if request.method in BANKED:
        if kept.kind != BANKED[request.method]:
            return f"was answered with a {kept.kind}"
        key = request_key(request.principal, request.method, request.request_id, tuple(moved))
        if key.digest != request.digest:
            return "asks for something else than its entry set moves"
        told = answer_of(request)
        if (told.get("player_id"), told.get("currency")) != (moved.player_id, moved.currency):
            return "is answered with another wallet than its entry set moves chips of"
        return ""
    kind, direction = _STEPS[request.method]
    if kept.kind != kind:
        return f"was answered with a {kept.kind}"
    if request.principal or request.answer != MOVED:
        return "is not answered as what has moved chips"
    if request.digest != digest_of(Transfer(request.request_id, *moved, direction)):
        return "is of another transfer than its entry set"
    return ""


def answer_of(request: RequestRecord) -> dict[str, Any]:
    """A lasting answer as it is kept, by its fields; empty where it is none."""
    try:
        told = msgspec.msgpack.decode(request.answer)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return told if isinstance(told, dict) else {}


def reservation_of(transfer_id: str) -> tuple[str, str, str]:
    """The request by which a transfer is reserved, or never can be."""
    return step_key("reserve", transfer_id)


def _moved(entries: Sequence[StoredEntry]) -> Moved:
    for entry in entries:
        player = accounts.player_of(entry.account or "")
        if player is not None:
            return Moved(player, entry.currency, abs(entry.amount))
    return Moved("", "", 0)
