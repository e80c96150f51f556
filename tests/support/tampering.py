"""Answers of VerifyHand with one thing changed: each says something that was not committed to."""

from __future__ import annotations

import base64
import copy
from collections.abc import Callable
from random import Random
from typing import Any, Final

from croupier.cards import cards_text

Answer = dict[str, Any]
CARDS: Final = cards_text(bytes(range(52)))


def tampered(answer: Answer, random: Random) -> tuple[Answer, str]:
    """Another answer, and what was done to it."""
    while True:
        other = copy.deepcopy(answer)
        kind = random.choice(KINDS)
        kind(other, random)
        if _meaning(other) != _meaning(answer):
            return other, kind.__name__


def _meaning(value: Any) -> Any:
    """JSON without what says no more than its absence: fields that are 0 or empty."""
    if isinstance(value, dict):
        return {key: _meaning(one) for key, one in value.items() if one not in (0, "", [])}
    return [_meaning(one) for one in value] if isinstance(value, list) else value


def another_byte(answer: Answer, random: Random) -> None:
    """In any of the bytes that prove something."""
    holder, key = random.choice(list(_octets(answer)))
    octets = bytearray(base64.b64decode(holder[key]))
    octets[random.randrange(len(octets))] ^= random.randrange(1, 256)
    holder[key] = base64.b64encode(octets).decode()


def another_length(answer: Answer, random: Random) -> None:
    holder, key = random.choice(list(_octets(answer)))
    octets = base64.b64decode(holder[key])
    holder[key] = base64.b64encode(random.choice([octets[:-1], octets + b"\0", b""])).decode()


def another_form(answer: Answer, random: Random) -> None:
    """The same bytes, spelled otherwise."""
    holder, key = random.choice(list(_octets(answer)))
    holder[key] = random.choice([holder[key].rstrip("="), holder[key] + "\n", f" {holder[key]}", None, 1, []])


def another_card(answer: Answer, random: Random) -> None:
    opening = random.choice(answer["openings"])
    opening["card"] = random.choice(CARDS)


def two_cards_exchanged(answer: Answer, random: Random) -> None:
    one, other = random.sample(answer["openings"], 2)
    one["card"], other["card"] = other["card"], one["card"]


def another_number(answer: Answer, random: Random) -> None:
    opening = random.choice(answer["openings"])
    field = random.choice(["seatNumber", "deck", "place", "position"])
    opening[field] = random.choice([opening.get(field, 0) + 1, opening.get(field, 0) - 1, 52, -1, 2**40, 0.5])


def opened_at_another_place(answer: Answer, random: Random) -> None:
    one, other = random.sample(answer["openings"], 2)
    for field in random.choice([("place", "position"), ("salt",), ("path",), ("seatNumber",), ("place",)]):
        one[field], other[field] = other.get(field, 0), one.get(field, 0)


def opened_twice(answer: Answer, random: Random) -> None:
    answer["openings"].append(copy.deepcopy(random.choice(answer["openings"])))


def another_path(answer: Answer, random: Random) -> None:
    path = random.choice(answer["openings"])["path"]
    random.choice([path.pop, path.reverse, lambda: path.append(path[0]), lambda: path.insert(0, path[-1])])()


def another_root(answer: Answer, random: Random) -> None:
    roots = answer["deal"]["deckRoots"]
    random.choice([roots.pop, lambda: roots.append(roots[0]), roots.reverse, roots.clear])()


def another_text(answer: Answer, random: Random) -> None:
    """Of hand, rules or a player."""
    holders = [(answer, "handId"), (answer, "rules")]
    holders += [(player, "playerId") for player in answer["players"]]
    holders += [(share, "playerId") for share in answer["deal"].get("shares", [])]
    holder, key = random.choice(holders)
    text = holder[key]
    at = random.randrange(len(text))
    holder[key] = random.choice([text[:at] + text[at + 1 :], text[:at] + "x" + text[at:], "", text.upper()])


def other_players(answer: Answer, random: Random) -> None:
    players = answer["players"]
    one = random.choice(players)
    random.choice(
        [
            players.pop,
            players.reverse,
            lambda: players.append({"seatNumber": 9, "playerId": "nobody"}),
            lambda: one.update(seatNumber=one["seatNumber"] + 1),
        ]
    )()


def other_shares(answer: Answer, random: Random) -> None:
    shares = answer["deal"].setdefault("shares", [])
    random.choice(
        [
            lambda: shares and shares.pop(),
            shares.reverse,
            lambda: shares.append({"playerId": "nobody", "commitment": base64.b64encode(bytes(32)).decode()}),
            lambda: [share.pop("entropy", None) for share in shares],
        ]
    )()


def left_out(answer: Answer, random: Random) -> None:
    """A field of an opening or of the deal, or one too many."""
    holder = random.choice([answer, answer["deal"], *answer["openings"]])
    names = [name for name in holder if holder[name] and name != "openings" and name != "exchanges"]
    if random.random() < 0.2:
        holder["more"] = 1
    else:
        del holder[random.choice(names)]


def another_exchange(answer: Answer, random: Random) -> None:
    """Between a reshuffle and an exchange whose cards are opened, so that those came from elsewhere."""
    exchanges = answer.get("exchanges", [])
    seen = {opening.get("seatNumber", 0) for opening in answer["openings"]}
    opened = [at for at, one in enumerate(exchanges) if one["seatNumber"] in seen and one.get("places")]
    if not opened:
        return
    last = opened[-1]
    first = max((at for at, one in enumerate(exchanges[: last + 1]) if one.get("reshuffled")), default=0)
    if first == last:
        return
    one = random.choice(exchanges[first:last])
    places = base64.b64decode(one.get("places", ""))
    one["places"] = base64.b64encode(places[:-1] if places else b"\0").decode()


def _octets(answer: Answer) -> Any:
    deal = answer["deal"]
    yield from ((deal, key) for key in ("rulesDigest", "dealDigest"))
    yield from ((deal["deckRoots"], at) for at in range(len(deal["deckRoots"])))
    for share in deal.get("shares", []):
        yield from ((share, key) for key in ("commitment", "entropy") if share.get(key))
    for opening in answer["openings"]:
        yield opening, "salt"
        yield from ((opening["path"], at) for at in range(len(opening["path"])))


KINDS: Final[tuple[Callable[[Answer, Random], None], ...]] = (
    another_byte,
    another_length,
    another_form,
    another_card,
    two_cards_exchanged,
    another_number,
    opened_at_another_place,
    opened_twice,
    another_path,
    another_root,
    another_text,
    other_players,
    other_shares,
    left_out,
    another_exchange,
)
