"""What happened in a hand, past tense; the journal's vocabulary, so fields are only ever appended.

Seats are seat numbers, amounts chips, cards bytes of card numbers. No event holds a card that the rules
have not shown: hole cards and the deal order travel beside the events, sealed.
"""

from __future__ import annotations

from enum import IntEnum

import msgspec


class PostKind(IntEnum):
    """A forced post (R-H10). Live kinds count toward the call; dead ones and antes never do."""

    ANTE = 1
    TABLE_ANTE = 2
    SMALL_BLIND = 3
    BIG_BLIND = 4
    BRING_IN = 5
    LIVE_BLIND = 6
    DEAD_BLIND = 7
    STRADDLE = 8


class Cause(IntEnum):
    """Who made an action: the player, or the service on the player's behalf and why (R-T11, R-T15, R-T16)."""

    PLAYER = 0
    TIME_OUT = 1
    DISMISSED = 2
    DISCONNECTED = 3
    ADVANCE = 4


class Event(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Base of all events."""


class Post(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A post that is due: `amount` nominal; a shorter stack posts what it has."""

    seat: int
    kind: PostKind
    amount: int


class Entropy(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a player adds to a deal: committed to before the deck is, and empty where never revealed."""

    player_id: str
    commitment: bytes
    revealed: bytes = b""


class HandStarted(Event, frozen=True):
    """A hand begins. `seats`, `stacks` and `players` are those dealt in, clockwise from the left of the button.

    `price` is the nominal standing bet; `big_blind_seat` and `small_blind_seat` are 0 where nobody is due.
    `first_after` is the seat whose left acts first on the first street. `roots` commit to the decks, bound to
    the table's rules by `rules_digest`; `entropy` is what players had a share in the deal with.
    """

    hand_number: int
    button_seat: int
    small_blind_seat: int
    big_blind_seat: int
    first_after: int
    price: int
    seats: tuple[int, ...]
    stacks: tuple[int, ...]
    players: tuple[str, ...] = ()
    roots: tuple[bytes, ...] = ()
    rules_digest: bytes = b""
    entropy: tuple[Entropy, ...] = ()


class Posted(Event, frozen=True):
    """A forced post as paid; `to` is the seat's live total after it."""

    seat: int
    kind: PostKind
    amount: int
    to: int
    all_in: bool


class HoleCardsDealt(Event, frozen=True):
    """Every seat in `seats` holds `count` cards, face down; the first street's betting opens."""

    seats: tuple[int, ...]
    count: int


class Folded(Event, frozen=True):
    seat: int
    cause: Cause = Cause.PLAYER


class Checked(Event, frozen=True):
    seat: int
    cause: Cause = Cause.PLAYER


class Called(Event, frozen=True):
    """`amount` chips added; `to` the seat's total on the street after it."""

    seat: int
    amount: int
    to: int
    all_in: bool
    cause: Cause = Cause.PLAYER


class BetMade(Event, frozen=True):
    seat: int
    amount: int
    to: int
    all_in: bool


class Raised(Event, frozen=True):
    seat: int
    amount: int
    to: int
    all_in: bool


class CardsDrawn(Event, frozen=True):
    """The cards at `places` of the seat's hand were exchanged, in that order; none is standing pat (R-H7)."""

    seat: int
    places: bytes
    cause: Cause = Cause.PLAYER


class StubReshuffled(Event, frozen=True):
    """The stub was too short for the draw that follows: with all cards out of play it holds `count` (R-H8).

    `places` are theirs in the order of the next deck; the cards at all others are in players' hands.
    """

    count: int
    places: bytes = b""


class StreetDealt(Event, frozen=True):
    """The next street opens with these new board cards; `street` is a Street's number."""

    street: int
    cards: bytes


class UncalledBetReturned(Event, frozen=True):
    """The part of a bet that nobody called goes back before pots are built (R-B9)."""

    seat: int
    amount: int


class HoleCardsShown(Event, frozen=True):
    seat: int
    cards: bytes


class PotAwarded(Event, frozen=True):
    """Pot `index` (0 is the main pot): `amount` before `rake`, and each winner's part of the rest (R-P2).

    Where the pot was halved (R-P5), `winners` and `awards` are of the high half, the low ones of the other.
    """

    index: int
    amount: int
    rake: int
    eligible_seats: tuple[int, ...]
    winners: tuple[int, ...]
    awards: tuple[int, ...]
    low_winners: tuple[int, ...] = ()
    low_awards: tuple[int, ...] = ()


class HandEnded(Event, frozen=True):
    """The hand is over and paid. Tuples run along `seats`, which are HandStarted's.

    `rake_paid` attributes the rake to those who paid into the pots (R-K7); `net` is what each won or lost.
    """

    hand_number: int
    rake: int
    stacks: tuple[int, ...]
    rake_paid: tuple[int, ...]
    seats: tuple[int, ...] = ()
    net: tuple[int, ...] = ()


class HandVoided(Event, frozen=True):
    """An operator voided the hand: `returned` goes back to each of `seats`; HandEnded follows, with nothing won."""

    hand_number: int
    seats: tuple[int, ...]
    returned: tuple[int, ...]


HandEvent = (
    HandStarted
    | Posted
    | HoleCardsDealt
    | Folded
    | Checked
    | Called
    | BetMade
    | Raised
    | CardsDrawn
    | StubReshuffled
    | StreetDealt
    | UncalledBetReturned
    | HoleCardsShown
    | PotAwarded
    | HandEnded
    | HandVoided
)
