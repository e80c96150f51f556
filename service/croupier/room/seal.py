"""Closing up what the rules have not shown, under a random key per hand; the master key is the adapter's.

What is sealed begins with how its key is kept: wrapped by the master key beside it for good (KEEP), nowhere once the
hand has settled (DESTROY), or wrapped to an auditor's public key, which nothing here can open (ESCROW). Until they
settle, hands of the last two have their key wrapped in the store, in a row of its own that is overwritten.
"""

from __future__ import annotations

import hmac
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from croupier.engine.table_rules import TableRules
from croupier.room import escrow
from croupier.room.codec import SEALED_BY_DERIVED_KEYS
from croupier.room.hand_id import hand_id_of
from croupier.room.ports import Record

NONCE_BYTES: Final = 12
_KEY_BYTES: Final = 32
_TAG_BYTES: Final = 16
_WRAPPED_BYTES: Final = NONCE_BYTES + _KEY_BYTES + _TAG_BYTES
ENTROPY_BYTES: Final = _KEY_BYTES + NONCE_BYTES + escrow.SECRET_BYTES
"""What beginning a hand takes."""
_KEEP, _DESTROY, _ESCROW = b"\0", b"\1", b"\2"
_HEADER_BYTES: Final = {_KEEP: 1 + _WRAPPED_BYTES, _DESTROY: 1, _ESCROW: 1 + escrow.WRAPPED_BYTES}


class SealBroken(RuntimeError):
    """Raised where a seal does not open: the key is another, or the bytes were changed."""


class KeyGone(SealBroken):
    """Raised where the hand's key was destroyed, or is an auditor's alone, since the hand settled."""


class _HandKey(NamedTuple):
    """The key of a hand in progress; `header` is what everything sealed with it begins with."""

    hand_number: int
    key: bytes
    header: bytes


class Seal:
    """Seals and opens what hands conceal, by AES-256-GCM; remembers the keys of hands in progress."""

    def __init__(self, master_key: bytes) -> None:
        if len(master_key) != 32:
            raise ValueError("the master key must be 32 bytes")
        self._master_key = master_key
        self._wrapping = AESGCM(hmac.digest(master_key, b"wrap hand keys", "sha256"))
        self._keys: dict[str, _HandKey] = {}

    def begin(self, table_id: str, hand_number: int, rules: TableRules, entropy: bytes) -> bytes:
        """Make a hand's key from fresh ENTROPY_BYTES; what the store must keep of it until the hand settles."""
        name = _name(table_id, hand_number)
        key, rest = entropy[:_KEY_BYTES], entropy[_KEY_BYTES:]
        nonce, secret = rest[:NONCE_BYTES], rest[NONCE_BYTES:]
        wrapped = nonce + self._wrapping.encrypt(nonce, key, name)
        if rules.hand_keys == "keep":
            self._keys[table_id] = _HandKey(hand_number, key, _KEEP + wrapped)
            return b""
        header = _DESTROY
        if rules.hand_keys == "escrow":
            header = _ESCROW + escrow.wrap(key, bytes.fromhex(rules.auditor_key), secret, name)
        self._keys[table_id] = _HandKey(hand_number, key, header)
        return hand_number.to_bytes(8, "big") + wrapped

    def hold(self, table_id: str, kept: bytes) -> None:
        """Take back the key of a hand in progress from what the store kept of it. Raises SealBroken.

        One that is known stays as it is: more may be closed with it.
        """
        hand_number = hand_of(kept)
        key = self._unwrapped(kept[8:], _name(table_id, hand_number))
        known = self._keys.get(table_id)
        if known is None or known[:2] != (hand_number, key):
            self._keys[table_id] = _HandKey(hand_number, key, b"")

    def take_up(self, record: Record, hand_number: int) -> bytes:
        """As `open`, by the record that a hand in progress began with: more can be closed with its key."""
        opened = self.open(record, hand_number)
        sealed, name = record.sealed or b"", _name(record.table_id, hand_number)
        if record.format == SEALED_BY_DERIVED_KEYS:
            key, nonce = self._derived(name), sealed[:NONCE_BYTES]
            header = _KEEP + nonce + self._wrapping.encrypt(nonce, key, name)
        else:
            header, _ = parts_of(sealed)
            held = self._keys.get(record.table_id)
            key = self._unwrapped(header[1:], name) if header[:1] == _KEEP or held is None else held.key
        self._keys[record.table_id] = _HandKey(hand_number, key, header)
        return opened

    def end(self, table_id: str, last: int | None = None) -> None:
        """The hand has settled: its key is forgotten, but for that of a hand after `last`, which may be in progress."""
        known = self._keys.get(table_id)
        if known is not None and (last is None or known.hand_number <= last):
            del self._keys[table_id]

    def close(self, table_id: str, hand_number: int, secret: bytes, nonce: bytes) -> bytes:
        """What is stored of a secret; the hand must have begun, `nonce` is fresh entropy of NONCE_BYTES."""
        hand = self._keys[table_id]
        if hand.hand_number != hand_number or not hand.header:
            raise ValueError(f"hand {hand_number} of {table_id} has not begun")
        name = _name(table_id, hand_number)
        return hand.header + nonce + AESGCM(hand.key).encrypt(nonce, secret, name)

    def open(self, record: Record, hand_number: int) -> bytes:
        """What a record of a hand has sealed.

        Raises SealBroken where key, hand or bytes are not the ones it was closed with, KeyGone where the key is
        not to be had any more.
        """
        sealed = record.sealed or b""
        name = _name(record.table_id, hand_number)
        if record.format == SEALED_BY_DERIVED_KEYS:
            return _opened(self._derived(name), sealed, name)
        header, closed = parts_of(sealed)
        hand = self._keys.get(record.table_id)
        if hand is not None and hand.hand_number == hand_number and hand.header in (header, b""):
            return _opened(hand.key, closed, name)
        if header[:1] != _KEEP:
            raise KeyGone(f"the key of hand {name.decode()} is gone since it settled")
        key = self._unwrapped(header[1:], name)
        return _opened(key, closed, name)

    def _derived(self, name: bytes) -> bytes:
        return hmac.digest(self._master_key, b"hand " + name, "sha256")

    def _unwrapped(self, wrapped: bytes, name: bytes) -> bytes:
        try:
            return self._wrapping.decrypt(wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:], name)
        except InvalidTag:
            raise _broken(name) from None


def has_key_apart(record: Record) -> bool:
    """Whether what a record has sealed is opened by a key that the store keeps in a row of its own."""
    own = record.format != SEALED_BY_DERIVED_KEYS and record.sealed is not None
    return own and (record.sealed or b"")[:1] in (_DESTROY, _ESCROW)


def may_open_hand(kept: bytes, hand_number: int) -> bool:
    """Whether it may be what a store keeps of a hand's key."""
    return len(kept) == 8 + _WRAPPED_BYTES and hand_of(kept) == hand_number


def hand_of(kept: bytes) -> int:
    """The number of the hand whose key the store kept."""
    return int.from_bytes(kept[:8], "big")


def open_escrowed(record: Record, hand_number: int, private_key: bytes) -> bytes:
    """What a record of a hand has sealed, by the auditor's X25519 key. Raises SealBroken."""
    name = _name(record.table_id, hand_number)
    header, closed = parts_of(record.sealed or b"")
    if header[:1] != _ESCROW:
        raise SealBroken(f"the key of hand {name.decode()} was not put in escrow")
    try:
        key = escrow.unwrap(header[1:], private_key, name)
    except InvalidTag:
        raise SealBroken(
            f"hand {name.decode()} does not open with this key: it is another auditor's"
        ) from None
    return _opened(key, closed, name)


def parts_of(sealed: bytes) -> tuple[bytes, bytes]:
    """How the key is kept, and what is closed with it. Raises SealBroken for neither."""
    size = _HEADER_BYTES.get(sealed[:1])
    if size is None or len(sealed) < size + NONCE_BYTES + _TAG_BYTES:
        raise SealBroken("what is sealed has no known form")
    return sealed[:size], sealed[size:]


def _opened(key: bytes, closed: bytes, name: bytes) -> bytes:
    try:
        return AESGCM(key).decrypt(closed[:NONCE_BYTES], closed[NONCE_BYTES:], name)
    except (InvalidTag, ValueError):
        raise _broken(name) from None


def _broken(name: bytes) -> SealBroken:
    return SealBroken(f"the deck of hand {name.decode()} does not open: it was sealed with another key")


def _name(table_id: str, hand_number: int) -> bytes:
    return hand_id_of(table_id, hand_number).encode()
