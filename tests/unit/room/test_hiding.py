"""An opened place tells nothing of the others: with 50 open, which of the last two cards lies where stays closed."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256, shake_256
from random import Random

import pytest

from croupier.room import merkle
from croupier.room.deck import shuffled
from croupier.room.proofs import SALT_BYTES, Deck, Opening, permutation

DIGEST = sha256(b"rules").digest()


def deck_of(seed: int, swapped: tuple[int, int] | None = None) -> Deck:
    """A deck of a hand; with the cards at two places exchanged, and nothing else."""
    random = Random(seed)
    order = bytearray(shuffled(random.randbytes(32)))
    secret = random.randbytes(32)
    if swapped is not None:
        one, other = swapped
        order[one], order[other] = order[other], order[one]
    return Deck("table/1", DIGEST, secret, bytes(order))


def told_of(deck: Deck, closed: tuple[int, int]) -> list[bytes]:
    """Every hash and salt that the openings of all other places hold, the root among them."""
    openings = [deck.opening(0, position) for position in range(52) if position not in closed]
    return [*deck.roots, *{part for opening in openings for part in (opening.salt, *opening.path)}]


def leaf(deck: Deck, position: int, card: int, salt: bytes) -> bytes:
    return sha256(b"\0" + deck.context + bytes((0, position, card)) + salt).digest()


def salts_worth_a_try(told: list[bytes]) -> Iterator[bytes]:
    """What somebody without the secret might try: what is known, and what could follow from it."""
    yield bytes(SALT_BYTES)
    for one in told:
        yield one
        yield sha256(one).digest()
        yield shake_256(one).digest(SALT_BYTES)


@pytest.mark.parametrize("seed", range(20))
def test_with_fifty_places_open_neither_assignment_of_the_last_two_is_told(seed: int) -> None:
    """The leaves of the closed places are told (as siblings), and match neither card under any salt at hand."""
    closed: tuple[int, int] = tuple(sorted(Random(seed).sample(range(52), 2)))  # type: ignore[assignment]
    deck = deck_of(seed)
    told = told_of(deck, closed)
    cards = [deck.card(0, position) for position in closed]
    known = set(told)
    for salt in salts_worth_a_try(told):
        for position in closed:
            for card in cards:
                assert leaf(deck, position, card, salt) not in known
    own = deck.opening(0, closed[0]).salt
    assert leaf(deck, closed[0], cards[0], own) in known or closed[0] ^ 1 == closed[1], (
        "the right salt would match"
    )


def test_what_is_told_of_both_assignments_looks_the_same() -> None:
    """Over many decks no bit of what is told leans to either side: each within five standard deviations of a half."""
    closed, decks = (4, 31), 1500
    ones = {False: [0] * 64, True: [0] * 64}
    for swapped in (False, True):
        for seed in range(decks):
            deck = deck_of(seed + 10_000 * swapped, closed if swapped else None)
            sibling = deck.opening(0, closed[0] ^ 1).path[0]
            for bit in range(64):
                ones[swapped][bit] += sibling[bit // 8] >> bit % 8 & 1
    for counts in ones.values():
        assert max(abs(count - decks / 2) for count in counts) < 5 * (decks / 4) ** 0.5


def test_fifty_one_places_give_the_last_by_elimination() -> None:
    """As the contract says: nothing can keep that closed."""
    deck = deck_of(1)
    cards = {deck.card(0, position) for position in range(51)}
    assert set(range(52)) - cards == {deck.card(0, 51)}


@pytest.mark.parametrize("position", range(52))
def test_every_place_opens_and_no_other_card_does(position: int) -> None:
    deck = deck_of(2)
    salt, path = deck.opening(0, position)
    for card in range(52):
        found = climbed(leaf(deck, position, card, salt), position, path)
        assert (found == deck.roots[0]) == (card == deck.card(0, position))


def climbed(node: bytes, position: int, path: list[bytes]) -> bytes:
    width, rest = 52, list(path)
    while width > 1:
        if position ^ 1 < width:
            sibling = rest.pop(0)
            pair = sibling + node if position % 2 else node + sibling
            node = sha256(b"\1" + pair).digest()
        position, width = position // 2, (width + 1) // 2
    assert not rest
    return node


def test_decks_are_bound_to_hand_rules_and_number() -> None:
    order, secret = shuffled(bytes(32)), bytes(32)
    roots = {
        root
        for hand_id, digest in (("t/1", DIGEST), ("t/2", DIGEST), ("t/1", bytes(32)))
        for root in Deck(hand_id, digest, secret, order * 2).roots
    }
    assert len(roots) == 6


def test_salts_are_of_no_other_place_or_deck() -> None:
    deck = Deck("t/1", DIGEST, bytes(32), shuffled(b"") * 3)
    salts = {deck.opening(number, position).salt for number in range(3) for position in range(52)}
    assert len(salts) == 156


def test_without_entropy_places_are_dealt_as_they_lie() -> None:
    deck = deck_of(3)
    assert permutation(deck.context, deck.roots, (), 0) == bytes(range(52))


@pytest.mark.parametrize("leaves", range(1, 60))
def test_a_tree_of_any_size_is_climbed_to_its_root(leaves: int) -> None:
    hashes = [sha256(bytes((number,))).digest() for number in range(leaves)]
    levels = merkle.tree(hashes)
    for position in range(leaves):
        node, at, width, path = hashes[position], position, leaves, merkle.path(levels, position)
        for sibling in path:
            while at ^ 1 >= width:
                at, width = at // 2, (width + 1) // 2
            pair = sibling + node if at % 2 else node + sibling
            node, at, width = sha256(b"\1" + pair).digest(), at // 2, (width + 1) // 2
        assert node == levels[-1][0]


def test_an_opening_is_a_salt_and_a_path() -> None:
    opening = deck_of(4).opening(0, 7)
    assert isinstance(opening, Opening)
    assert (len(opening.salt), len(opening.path)) == (32, 6)
