#!/usr/bin/env python3
"""Checks what SettlementService.VerifyHand returned, with Python's standard library alone; README.md has the layout.

    verify_hand.py [--root HEX]... [--digest HEX] [FILE]      one answer as JSON, from the file or standard input
    verify_hand.py --lines                                    an answer a line; a verdict a line

`--root` and `--digest` are what HandStarted told before the first card: deal.deck_roots in order, deal.deal_digest.
The exit status is 0 where every card is proved, 1 where anything is refused. It knows nothing of how Croupier is made.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import json
import sys
from hashlib import sha256, shake_256

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
GAMES = {
    "holdem": (2, True),
    "omaha": (4, True),
    "five_card_omaha": (5, True),
    "six_card_omaha": (6, True),
    "omaha_hi_lo": (4, True),
    "five_card_draw": (5, False),
}
"""Hole cards, and whether there is a board."""
DECK = 52
STREETS = (3, 1, 1)


class Refused(Exception):
    """Raised for whatever does not prove what it should; the text says what."""


def must(true: bool, what: str) -> None:
    if not true:
        raise Refused(what)


# Reading


def fields(value: object, what: str, **kinds: type) -> list:
    """The fields of an object by their JSON names; one that is left out is empty, one that is unknown is refused."""
    must(type(value) is dict, f"{what} is no object")
    must(not value.keys() - kinds.keys(), f"{what} has unknown fields")
    found = []
    for name, kind in kinds.items():
        one = value.get(name, kind())
        must(type(one) is kind, f"{what}.{name} is no {kind.__name__}")
        found.append(one)
    return found


def octets(text: object, what: str, length: int | None = None) -> bytes:
    """Bytes from base64 in its one canonical form."""
    try:
        value = base64.b64decode(text, validate=True) if type(text) is str else None
    except (binascii.Error, ValueError):
        value = None
    must(value is not None and base64.b64encode(value).decode() == text, f"{what} is no base64")
    must(length is None or len(value) == length, f"{what} has not {length} bytes")
    return value


def name(player_id: str) -> bytes:
    text = player_id.encode()
    return len(text).to_bytes(2, "big") + text


# The deal


def shuffled(seed: bytes) -> list[int]:
    """The numbers 0 to 51: Fisher-Yates over SHAKE-256 in words of 16 bits, words that favour a place left out."""
    stream = shake_256(seed).digest(512)
    words = (int.from_bytes(stream[at : at + 2], "little") for at in range(0, 512, 2))
    deck = list(range(DECK))
    for last in range(DECK - 1, 0, -1):
        word = next(words)
        while word >= 65536 - 65536 % (last + 1):
            word = next(words)
        other = word % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


class Deal:
    """What was committed to, and the order that the places of each deck are dealt in."""

    def __init__(self, hand_id: str, rules: str, value: object, players: list[tuple[int, str]]) -> None:
        roots, digest, shares, whole = fields(
            value, "deal", deckRoots=list, rulesDigest=str, shares=list, dealDigest=str
        )
        digest = octets(digest, "deal.rulesDigest", 32)
        must(sha256(rules.encode()).digest() == digest, "the rules are not those that the decks are bound to")
        self.roots = [octets(root, "deal.deckRoots", 32) for root in roots]
        must(0 < len(self.roots) < 256, "there is no deck")
        self.context = sha256(b"croupier deck 1\0" + hand_id.encode() + b"\0" + digest).digest()
        told = bytes([len(self.roots)]) + b"".join(self.roots) + bytes([len(shares)])
        revealed = False
        for share in shares:
            player_id, commitment, entropy = fields(share, "share", playerId=str, commitment=str, entropy=str)
            commitment, entropy = octets(commitment, "commitment", 32), octets(entropy, "entropy")
            must(not entropy or len(entropy) == 32, "entropy has not 32 bytes")
            must(
                not entropy or sha256(entropy).digest() == commitment, "entropy is not what was committed to"
            )
            revealed = revealed or bool(entropy)
            told += name(player_id) + commitment + bytes([bool(entropy)]) + entropy
        seats = bytes([len(players)]) + b"".join(bytes([seat]) + name(player) for seat, player in players)
        self.digest = sha256(b"croupier deal 1\0" + self.context + told + seats).digest()
        must(octets(whole, "deal.dealDigest", 32) == self.digest, "the deal's digest is another")
        seed = sha256(b"croupier permutation 1\0" + self.context + told).digest()
        decks = range(len(self.roots))
        self.order = [shuffled(bytes([deck]) + seed) if revealed else list(range(DECK)) for deck in decks]

    def root(self, deck: int, position: int, card: int, salt: bytes, path: list[bytes]) -> bytes | None:
        """Where a path leads to; None where it has not the length of one."""
        node = sha256(b"\0" + self.context + bytes([deck, position, card]) + salt).digest()
        width = DECK
        siblings = iter(path)
        while width > 1:
            if position ^ 1 < width:
                sibling = next(siblings, None)
                if sibling is None:
                    return None
                pair = sibling + node if position % 2 else node + sibling
                node = sha256(b"\1" + pair).digest()
            position, width = position // 2, (width + 1) // 2
        return node if next(siblings, None) is None else None


# Who was dealt what


class Slots:
    """Which place in the dealing order of which deck everybody's cards came from."""

    def __init__(self, game: str, seats: list[int], exchanges: list, decks: int) -> None:
        count, (hole_cards, with_board) = len(seats), GAMES[game]
        self.held = {
            seat: [(0, at + count * card) for card in range(hole_cards)] for at, seat in enumerate(seats)
        }
        self.whose = {slot: seat for seat, slots in self.held.items() for slot in slots}
        self.kept = []
        self.board = []
        dealt = count * hole_cards
        must(count >= 2 and dealt <= DECK and len(set(seats)) == count, "the players cannot be dealt to")
        must(not (with_board and exchanges), "cards are exchanged in a game without a draw")
        for cards in STREETS if with_board else ():
            self.board += [(0, place) for place in range(dealt + 1, dealt + 1 + cards)]
            dealt += cards + 1
        self.stub = [(0, place) for place in range(dealt, DECK)]
        for exchange in exchanges:
            self.exchange(*fields(exchange, "exchange", seatNumber=int, places=str, reshuffled=str), decks)

    def exchange(self, seat: int, places: str, reshuffled: str, decks: int) -> None:
        places, reshuffled = octets(places, "exchange.places"), octets(reshuffled, "exchange.reshuffled")
        must(seat in self.held and len(set(places)) == len(places), "an exchange is of no hand")
        must(all(place < len(self.held[seat]) for place in places), "an exchange is of cards not held")
        if reshuffled:
            deck = len(self.kept) + 1
            must(deck < decks and list(reshuffled) == sorted(set(reshuffled)), "a reshuffle has no deck")
            must(reshuffled[-1] < DECK, "a reshuffle has no deck")
            must(len(self.stub) < len(places), "the stub was reshuffled without need")
            self.stub = [(deck, place) for place in reshuffled]
            left_out = set(range(DECK)) - set(reshuffled)
            self.kept.append((left_out, {held: list(slots) for held, slots in self.held.items()}))
        must(len(places) <= len(self.stub), "the stub is too short")
        for place in places:
            slot = self.stub.pop(0)
            self.held[seat][place] = slot
            self.whose[slot] = seat


def verify(answer: object) -> tuple[int, list[bytes], bytes]:
    """How many cards are proved, and the roots and the digest that they are proved by. Raises Refused."""
    hand_id, rules, deal, players, exchanges, openings = fields(
        answer, "answer", handId=str, rules=str, deal=dict, players=list, exchanges=list, openings=list
    )
    must(bool(deal), "the hand has no proof")
    table = json.loads(rules)
    must(type(table) is dict and table.get("game") in GAMES, "the rules name no game known here")
    dealt = [tuple(fields(one, "player", seatNumber=int, playerId=str)) for one in players]
    must(all(0 < seat < 256 for seat, _ in dealt) and len(dealt) < 256, "a seat has no number")
    proved = Deal(hand_id, rules, deal, dealt)
    slots = Slots(table["game"], [seat for seat, _ in dealt], exchanges, len(proved.roots))
    opened: dict[tuple[int, int], tuple[int, int]] = {}
    for opening in openings:
        slot, seat, card = read_opening(proved, opening)
        must(slot not in opened, "a place is opened twice")
        must(
            (slot[0], card) not in [(deck, known) for (deck, _), (_, known) in opened.items()],
            "a card comes twice",
        )
        opened[slot] = (seat, card)
    check_places(slots, opened)
    return len(opened), proved.roots, proved.digest


def read_opening(deal: Deal, value: object) -> tuple[tuple[int, int], int, int]:
    seat, text, deck, place, position, salt, path = fields(
        value, "opening", seatNumber=int, card=str, deck=int, place=int, position=int, salt=str, path=list
    )
    must(text in CARDS, "there is no such card")
    must(0 <= deck < len(deal.roots) and 0 <= place < DECK, "there is no such place")
    must(deal.order[deck][place] == position, "the place was not committed to at this position")
    card = CARDS.index(text)
    siblings = [octets(one, "opening.path", 32) for one in path]
    root = deal.root(deck, position, card, octets(salt, "opening.salt", 32), siblings)
    must(root == deal.roots[deck], "the card is not the one that was committed to")
    return (deck, place), seat, card


def check_places(slots: Slots, opened: dict[tuple[int, int], tuple[int, int]]) -> None:
    """Every card opened is where its holder's cards came from, or was left out of a reshuffle as it had to be."""
    left_out = {}
    for deck, (_places, held) in enumerate(slots.kept, start=1):
        for seat, its in held.items():
            for slot in its:
                if slot in opened and opened[slot][0] == seat:
                    left_out[deck, opened[slot][1]] = seat
    kept = {}
    for slot, (seat, card) in opened.items():
        deck, place = slot
        if deck and place in slots.kept[deck - 1][0] if deck <= len(slots.kept) else False:
            kept[deck, card] = seat
        elif seat:
            must(slots.whose.get(slot) == seat, "the card was not dealt to this seat")
        else:
            must(slot in slots.board, "the card was not dealt to the board")
    must(all(left_out.get(one) == seat for one, seat in kept.items()), "a card left out was not held")
    drawn = {(slot[0], card) for slot, (_, card) in opened.items()} - kept.keys()
    must(not drawn & left_out.keys(), "a card was dealt that somebody held")
    shown = [slot for slot in slots.board if slot in opened]
    must(len(shown) in (0, 3, 4, 5) and shown == slots.board[: len(shown)], "the board is not whole")


def number(text: str) -> int | float:
    """JSON has one kind of number: 1.0 is 1."""
    value = float(text)
    return int(value) if value.is_integer() else value


def verdict(text: str) -> tuple[bool, str, list[bytes], bytes]:
    try:
        count, roots, digest = verify(json.loads(text, parse_float=number))
    except Refused as refused:
        return False, f"refused: {refused}", [], b""
    except (ValueError, RecursionError):
        return False, "refused: it is no JSON", [], b""
    return True, f"proved: {count} cards", roots, digest


def main() -> int:
    parser = argparse.ArgumentParser(description="Check an answer of SettlementService.VerifyHand.")
    parser.add_argument("file", nargs="?", help="the answer as JSON; standard input where it is left out")
    parser.add_argument(
        "--root", action="append", default=[], help="deal.deck_roots of HandStarted, hexadecimal"
    )
    parser.add_argument("--digest", help="deal.deal_digest of HandStarted, hexadecimal")
    parser.add_argument("--lines", action="store_true", help="an answer a line, a verdict a line")
    asked = parser.parse_args()
    if asked.lines:
        proved = [verdict(line) for line in sys.stdin]
        print("\n".join(told for _, told, _, _ in proved))
        return 0 if all(one[0] for one in proved) else 1
    if asked.file:
        with open(asked.file, encoding="utf-8") as file:
            text = file.read()
    else:
        text = sys.stdin.read()
    fine, told, roots, digest = verdict(text)
    if fine and asked.root and [root.hex() for root in roots] != [root.lower() for root in asked.root]:
        fine, told = False, "refused: the decks are not those committed to"
    if fine and asked.digest and digest.hex() != asked.digest.lower():
        fine, told = False, "refused: the deal is not the one that was told"
    print(told)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
