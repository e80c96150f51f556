"""What is sealed opens with the right key, for the right hand, unchanged; with nothing else."""

from __future__ import annotations

import hmac
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from tests.support.houses import table_rules

from croupier.room.codec import FORMAT
from croupier.room.ports import Record
from croupier.room.seal import ENTROPY_BYTES, KeyGone, Seal, SealBroken, open_escrowed

MASTER, OTHER = bytes(range(32)), bytes(32)
ENTROPY = bytes(range(ENTROPY_BYTES))
NONCE = b"nonce" + bytes(7)
SECRET = bytes(range(84))
AUDITOR = X25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
POLICIES: dict[str, dict[str, Any]] = {
    "keep": {},
    "destroy": {"hand_keys": "destroy"},
    "escrow": {"hand_keys": "escrow", "auditor_key": AUDITOR.public_key().public_bytes_raw().hex()},
}


def record_of(sealed: bytes, table_id: str = "t", form: int = FORMAT) -> Record:
    return Record(table_id, 1, 2, 2, b"", b"", 0, "", "", form, b"", sealed)


def closed(policy: str, seal: Seal | None = None) -> tuple[Record, bytes, Seal]:
    """A hand's record, what the store keeps of its key, and the seal that closed it."""
    seal = seal or Seal(MASTER)
    kept = seal.begin("t", 7, table_rules(**POLICIES[policy]), ENTROPY)
    return record_of(seal.close("t", 7, SECRET, NONCE)), kept, seal


@pytest.mark.parametrize("policy", POLICIES)
def test_a_hand_in_progress_opens(policy: str) -> None:
    record, kept, seal = closed(policy)
    assert seal.open(record, 7) == SECRET
    again = Seal(MASTER)
    if kept:
        again.hold("t", kept)
    assert again.take_up(record, 7) == SECRET
    more = record_of(again.close("t", 7, b"more", NONCE))
    assert again.open(more, 7) == seal.open(more, 7) == b"more"


@pytest.mark.parametrize("policy", POLICIES)
def test_only_kept_keys_open_a_settled_hand(policy: str) -> None:
    record, kept, seal = closed(policy)
    seal.end("t")
    if policy == "keep":
        assert not kept
        assert seal.open(record, 7) == Seal(MASTER).open(record, 7) == SECRET
    else:
        for one in (seal, Seal(MASTER)):
            with pytest.raises(KeyGone):
                one.open(record, 7)


@pytest.mark.parametrize("policy", POLICIES)
def test_what_is_kept_names_no_key_in_clear(policy: str) -> None:
    record, kept, _ = closed(policy)
    key = ENTROPY[:32]
    assert record.sealed is not None
    for stored in (record.sealed, kept):
        assert key not in stored
        assert SECRET[:16] not in stored


@pytest.mark.parametrize("policy", POLICIES)
def test_another_master_key_opens_nothing(policy: str) -> None:
    record, kept, _ = closed(policy)
    other = Seal(OTHER)
    if kept:
        with pytest.raises(SealBroken):
            other.hold("t", kept)
    with pytest.raises(SealBroken):
        other.take_up(record, 7)


def test_every_byte_counts() -> None:
    record, _, _ = closed("keep")
    assert record.sealed is not None
    seal = Seal(MASTER)
    for at in range(len(record.sealed)):
        spoilt = bytearray(record.sealed)
        spoilt[at] ^= 1
        with pytest.raises(SealBroken):
            seal.open(msgspec.structs.replace(record, sealed=bytes(spoilt)), 7)
    for length in range(len(record.sealed)):
        with pytest.raises(SealBroken):
            seal.open(msgspec.structs.replace(record, sealed=record.sealed[:length]), 7)


@pytest.mark.parametrize("policy", POLICIES)
def test_what_one_hand_sealed_is_not_another_hands(policy: str) -> None:
    record, _, _ = closed(policy)
    for other in ((record, 8), (msgspec.structs.replace(record, table_id="u"), 7)):
        with pytest.raises(SealBroken):
            Seal(MASTER).open(*other)
        with pytest.raises(SealBroken):
            open_escrowed(*other, AUDITOR.private_bytes_raw())


def test_only_the_auditor_opens_what_is_in_escrow() -> None:
    record, _, _ = closed("escrow")
    assert open_escrowed(record, 7, AUDITOR.private_bytes_raw()) == SECRET
    for wrong in (bytes(range(2, 34)), MASTER, AUDITOR.public_key().public_bytes_raw()):
        with pytest.raises(SealBroken):
            open_escrowed(record, 7, wrong)
    assert record.sealed is not None
    for at in range(len(record.sealed)):
        spoilt = bytearray(record.sealed)
        spoilt[at] ^= 1
        with pytest.raises(SealBroken):
            open_escrowed(
                msgspec.structs.replace(record, sealed=bytes(spoilt)), 7, AUDITOR.private_bytes_raw()
            )


@pytest.mark.parametrize("policy", ["keep", "destroy"])
def test_an_auditor_has_no_part_in_other_hands(policy: str) -> None:
    record, _, _ = closed(policy)
    with pytest.raises(SealBroken, match="not put in escrow"):
        open_escrowed(record, 7, AUDITOR.private_bytes_raw())


def test_hands_of_the_first_format_still_open_and_go_on() -> None:
    key = hmac.digest(MASTER, b"hand t/7", "sha256")
    old = record_of(NONCE + AESGCM(key).encrypt(NONCE, SECRET, b"t/7"), form=1)
    seal = Seal(MASTER)
    assert seal.open(old, 7) == SECRET
    assert seal.take_up(old, 7) == SECRET
    drawn = record_of(seal.close("t", 7, b"drawn", bytes(12)))
    assert Seal(MASTER).open(drawn, 7) == b"drawn"


def test_nothing_is_closed_before_its_hand_has_begun() -> None:
    _, _, seal = closed("keep")
    with pytest.raises(ValueError, match="has not begun"):
        seal.close("t", 8, SECRET, NONCE)
    with pytest.raises(KeyError):
        seal.close("u", 1, SECRET, NONCE)


def test_a_hand_begun_anew_leaves_what_its_first_key_sealed() -> None:
    first, _, seal = closed("keep")
    seal.begin("t", 7, table_rules(), ENTROPY[::-1])
    assert seal.open(first, 7) == SECRET


@pytest.mark.parametrize("policy", ["destroy", "escrow"])
def test_a_key_that_is_told_again_closes_on(policy: str) -> None:
    """A server that followed the hand goes on with it: what the store kept of the key may come after that."""
    record, kept, _ = closed(policy)
    seal = Seal(MASTER)
    seal.hold("t", kept)
    seal.take_up(record, 7)
    seal.hold("t", kept)
    assert seal.open(record_of(seal.close("t", 7, b"more", NONCE)), 7) == b"more"


@pytest.mark.parametrize("policy", POLICIES)
def test_a_hand_that_settled_earlier_leaves_the_key_of_the_next(policy: str) -> None:
    """A server that goes on with hand 7 reads only then, for those who watch, that hand 6 had settled."""
    _, _, seal = closed(policy)
    seal.end("t", 6)
    seal.close("t", 7, b"more", NONCE)
    seal.end("t", 7)
    with pytest.raises(KeyError):
        seal.close("t", 7, b"more", NONCE)
