"""The state of one hand and the only code that changes it, one event at a time; it decides nothing.

Inside, seats are positions: 0 is the first seat dealt in left of the button, counting clockwise. Events
speak of seat numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from croupier.engine import events as ev
from croupier.engine.actions import LegalActions
from croupier.engine.game import DECK_SIZE
from croupier.engine.rejection import InvariantViolation
from croupier.engine.rules import AllInRule, HandRules, Structure

NOBODY: Final = -1
MOST_SEATS: Final = 10
_OF_NO_LEVEL: Final = (ev.PostKind.TABLE_ANTE, ev.PostKind.DEAD_BLIND)


class Hand:
    """A hand in play, at first as HandStarted makes it: nothing posted, nobody to act.

    Private to its table; read it, but change it through `evolve` alone.
    """

    __slots__ = (
        "able",
        "action_sequence",
        "actor",
        "aggressor",
        "all_in_only",
        "bets",
        "big_blind_position",
        "board",
        "button_seat",
        "can_act",
        "cap_lifted",
        "contribution",
        "dead_paid",
        "deal_order",
        "dealt",
        "drawing",
        "drawn_count",
        "ended",
        "first_after",
        "fixed_limit",
        "folded",
        "full_level",
        "hole_cards",
        "in_hand",
        "last_full_raise",
        "legal",
        "level_acted_at",
        "number",
        "position_of",
        "posted_short",
        "pot",
        "preferring",
        "price",
        "rake",
        "reshuffles",
        "rules",
        "seats",
        "shown",
        "spread_limit",
        "stack",
        "started",
        "street",
        "street_bet",
        "stub",
        "to_act",
        "total",
        "unit",
    )

    def __init__(self, rules: HandRules, started: ev.HandStarted) -> None:
        count = len(started.seats)
        self.rules = rules
        self.fixed_limit = rules.structure is Structure.FIXED_LIMIT
        self.spread_limit = rules.structure is Structure.SPREAD_LIMIT
        self.all_in_only = rules.structure is Structure.NO_LIMIT and rules.all_in_rule is not AllInRule.NONE
        """Whether choices are all in, and what R-T19 leaves beside it."""
        self.number = started.hand_number
        self.button_seat = started.button_seat
        self.first_after = started.first_after
        self.seats = started.seats
        self.position_of = {seat: position for position, seat in enumerate(started.seats)}
        self.big_blind_position = self.position_of.get(started.big_blind_seat, NOBODY)
        self.stack = list(started.stacks)
        self.started = started
        self.total = sum(started.stacks)
        self.street_bet = [0] * count
        """Live chips bet on this street."""
        self.contribution = [0] * count
        """Live chips of the whole hand and the seat's own ante: what levels are made of (R-P1)."""
        self.dead_paid = [0] * count
        """Table antes and dead posts: they belong to no level (R-P1)."""
        self.level_acted_at = [NOBODY] * count
        """Level each seat last acted at on this street (R-B7)."""
        self.folded = [False] * count
        self.can_act = [chips > 0 for chips in started.stacks]
        """Who has neither folded nor put everything in."""
        self.in_hand = count
        self.able = sum(self.can_act)
        self.to_act = 0
        """How many must still act before the street closes."""
        self.actor = NOBODY
        self.aggressor = NOBODY
        """Who bet or raised last on this street."""
        self.action_sequence = 0
        self.pot = 0
        """All chips put in and not yet returned or paid out."""
        self.street = 0
        """Place among the game's streets."""
        self.drawing = False
        """Whether cards are exchanged on this street (R-H7)."""
        self.drawn_count = [0] * count
        self.board = b""
        self.price = started.price
        """The level a call reaches."""
        self.posted_short = 0 if self.big_blind_position == NOBODY else started.price
        """What a short big blind lacks, counted in the pot-limit maximum (R-B8)."""
        self.last_full_raise = rules.small_bet if self.spread_limit else max(started.price, rules.small_bet)
        """The last full bet or raise of the street (R-B5); in spread limit always the least bet (R-B4)."""
        self.full_level = started.price
        """Fixed limit: the level of the last full bet or raise (R-B7)."""
        self.unit = rules.small_bet
        """Fixed limit: the street's bet (R-B3)."""
        self.bets = 1 if started.price else 0
        """Fixed limit: full bets and raises of the street, the big blind being the first."""
        self.cap_lifted = False
        self.deal_order: bytes | None = None
        self.hole_cards: list[bytes] = []
        self.dealt = 0
        self.stub = b""
        """Draw games: the cards still to be drawn, in their order."""
        self.reshuffles = 0
        self.shown = [False] * count
        self.preferring: set[int] = set()
        """Seats whose losing hands are shown, as their owners wish (R-H9)."""
        self.rake = 0
        self.ended = False
        self.legal: LegalActions | None = None
        """The actor's choices, worked out on demand and dropped by the next event."""

    def hold_deck(self, deal_order: bytes) -> None:
        """Take the order that this hand's cards come in; without it a hand can be folded but not dealt.

        Hole cards go one at a time round the table from position 0; a card is burned before each street.
        In draw games whole decks follow the first one, for stubs that fall short (`Game.decks_needed`).
        Raises InvariantViolation for a deck that is too small or names a card twice.
        """
        count = len(self.seats)
        game = self.rules.game
        if not game.can_be_dealt(deal_order, count, self.rules.most_drawn):
            raise InvariantViolation(f"hand {self.number} was given no deck of distinct cards")
        self.deal_order = deal_order
        self.hole_cards = game.deal(deal_order, count)
        if game.draws:
            self.stub = deal_order[count * game.hole_cards : DECK_SIZE]

    def next_board_cards(self) -> bytes:
        """The cards the next street turns up, one burned before them (R-H1)."""
        if self.deal_order is None:
            raise InvariantViolation(f"hand {self.number}: the deck is sealed")
        start = self.dealt + 1
        return self.deal_order[start : start + self.rules.game.streets[self.street + 1].board_cards]

    def cards_out_of_play(self) -> int:
        """How many cards the stub holds once all that nobody in the hand was dealt or drew are in it (R-H8)."""
        return DECK_SIZE - self.in_hand * self.rules.game.hole_cards

    def places_out_of_play(self) -> bytes:
        """Where the next deck's order has those cards (R-H8); nothing where the deck is sealed."""
        if self.deal_order is None:
            return b""
        start = (self.reshuffles + 1) * DECK_SIZE
        live = [cards for cards, folded in zip(self.hole_cards, self.folded, strict=True) if not folded]
        held = b"".join(live)
        order = self.deal_order[start : start + DECK_SIZE]
        return bytes([place for place, card in enumerate(order) if card not in held])


def evolve(hand: Hand, event: ev.Event) -> None:
    """Apply one event after HandStarted. Raises KeyError for an event that is not the hand's."""
    _EVOLVE[type(event)](hand, event)


def _posted(hand: Hand, event: ev.Posted) -> None:
    position = hand.position_of[event.seat]
    amount = event.amount
    kind = event.kind
    hand.stack[position] -= amount
    hand.pot += amount
    if kind in _OF_NO_LEVEL:
        hand.dead_paid[position] += amount
    else:
        hand.contribution[position] += amount
        hand.street_bet[position] = event.to
    if kind == ev.PostKind.BIG_BLIND:
        hand.posted_short = max(0, hand.posted_short - amount)
    elif kind == ev.PostKind.STRADDLE and event.to > hand.price:
        _straddled(hand, event.to)
    if not hand.stack[position]:
        _leave_the_betting(hand, position)


def _straddled(hand: Hand, to: int) -> None:
    """A straddle raises the price; a full one sets the least raise, a short one is a short raise (R-B5)."""
    if hand.fixed_limit:
        _count_full_bet(hand, to)
    elif to - hand.price >= hand.last_full_raise and not hand.spread_limit:
        hand.last_full_raise = to
    hand.price = to


def _count_full_bet(hand: Hand, to: int) -> None:
    """Half a bet or more over the last full level counts as a full bet or raise, less as a call (R-B7)."""
    if 2 * (to - hand.full_level) >= hand.unit:
        hand.full_level = to
        hand.bets += 1


def _hole_cards_dealt(hand: Hand, event: ev.HoleCardsDealt) -> None:
    hand.dealt = len(event.seats) * event.count
    _open_street(hand, _left_of(hand, hand.first_after))


def _left_of(hand: Hand, seat: int) -> int:
    """Position of the next seat dealt in, clockwise of `seat`, which may be empty (0: the button's)."""
    if seat == 0:
        return 0
    places = (seat - hand.button_seat - 1) % MOST_SEATS
    for position, other in enumerate(hand.seats):
        if (other - hand.button_seat - 1) % MOST_SEATS > places:
            return position
    return 0


def _open_street(hand: Hand, first: int) -> None:
    hand.to_act = hand.able
    hand.cap_lifted = hand.able == 2 and _cap_can_lift(hand)
    _pass_on(hand, first - 1)


def _cap_can_lift(hand: Hand) -> bool:
    """Whether the cap falls away once two are left betting: the house's, before it is reached (R-B3)."""
    return hand.rules.cap_lifts_heads_up and hand.bets < hand.rules.bets_cap


def _leave_the_betting(hand: Hand, position: int) -> None:
    hand.can_act[position] = False
    hand.able -= 1
    if hand.able == 2 and _cap_can_lift(hand):
        hand.cap_lifted = True


def _pass_on(hand: Hand, position: int) -> None:
    """Hand the decision to the next seat clockwise of `position`, or close the street."""
    hand.legal = None
    if not hand.to_act or hand.in_hand == 1:
        hand.actor = NOBODY
        return
    can_act = hand.can_act
    last = len(can_act) - 1
    position = position + 1 if position < last else 0
    while not can_act[position]:
        position = position + 1 if position < last else 0
    if hand.able == 1 and _nothing_to_answer(hand, position):
        hand.to_act = 0
        hand.actor = NOBODY
        return
    hand.actor = position
    hand.action_sequence += 1


def _nothing_to_answer(hand: Hand, position: int) -> bool:
    """Whether the only seat with chips left has bet at least as much as every other still in (R-B8)."""
    mine = hand.street_bet[position]
    return all(bet <= mine or folded for bet, folded in zip(hand.street_bet, hand.folded, strict=True))


def _folded(hand: Hand, event: ev.Folded) -> None:
    position = hand.position_of[event.seat]
    hand.folded[position] = True
    hand.in_hand -= 1
    hand.to_act -= 1
    _leave_the_betting(hand, position)
    _pass_on(hand, position)


def _checked(hand: Hand, event: ev.Checked) -> None:
    position = hand.position_of[event.seat]
    hand.level_acted_at[position] = hand.price
    hand.to_act -= 1
    _pass_on(hand, position)


def _called(hand: Hand, event: ev.Called) -> None:
    position = hand.position_of[event.seat]
    _put_in(hand, position, event.amount, event.to)
    hand.level_acted_at[position] = hand.price
    hand.to_act -= 1
    _pass_on(hand, position)


def _raised(hand: Hand, event: ev.Raised | ev.BetMade) -> None:
    position = hand.position_of[event.seat]
    to = event.to
    if hand.fixed_limit:
        _count_full_bet(hand, to)
    elif to - hand.price >= hand.last_full_raise and not hand.spread_limit:
        hand.last_full_raise = to - hand.price
    hand.price = to
    hand.aggressor = position
    _put_in(hand, position, event.amount, to)
    hand.level_acted_at[position] = to
    hand.to_act = hand.able - 1 if hand.can_act[position] else hand.able
    _pass_on(hand, position)


def _put_in(hand: Hand, position: int, amount: int, to: int) -> None:
    hand.street_bet[position] = to
    hand.contribution[position] += amount
    hand.pot += amount
    left = hand.stack[position] - amount
    hand.stack[position] = left
    if not left:
        _leave_the_betting(hand, position)


def _street_dealt(hand: Hand, event: ev.StreetDealt) -> None:
    count = len(hand.seats)
    rules = hand.rules
    hand.street += 1
    hand.board += event.cards
    plan = rules.game.streets[hand.street]
    hand.drawing = plan.draw
    if plan.board_cards:
        hand.dealt += len(event.cards) + 1
    hand.street_bet = [0] * count
    hand.level_acted_at = [NOBODY] * count
    hand.price = hand.full_level = hand.bets = hand.posted_short = 0
    hand.last_full_raise = rules.small_bet
    hand.unit = rules.big_bet if plan.big_bet else rules.small_bet
    hand.aggressor = NOBODY
    if plan.draw:
        hand.to_act = hand.in_hand if rules.most_drawn else 0
        _pass_draw_on(hand, NOBODY)
    elif hand.able > 1:
        last = hand.street + 1 == len(rules.game.streets)
        _open_street(hand, rules.last_round_opener if last else 0)


def _pass_draw_on(hand: Hand, position: int) -> None:
    """Ask the next seat still in, all in or not, what it exchanges; nobody where all have been asked (R-H7)."""
    hand.legal = None
    hand.actor = NOBODY
    if hand.to_act:
        hand.actor = hand.folded.index(False, position + 1)
        hand.action_sequence += 1


def _stub_reshuffled(hand: Hand, _: ev.StubReshuffled) -> None:
    """The deck's next order, without what those still in hold, and the drawer would discard (R-H8)."""
    places = hand.places_out_of_play()
    hand.reshuffles += 1
    if hand.deal_order is not None:
        start = hand.reshuffles * DECK_SIZE
        hand.stub = bytes([hand.deal_order[start + place] for place in places])


def _cards_drawn(hand: Hand, event: ev.CardsDrawn) -> None:
    position = hand.position_of[event.seat]
    count = len(event.places)
    if hand.deal_order is not None:
        drawn, hand.stub = hand.stub[:count], hand.stub[count:]
        cards = bytearray(hand.hole_cards[position])
        for place, card in zip(event.places, drawn, strict=True):
            cards[place] = card
        hand.hole_cards[position] = bytes(cards)
    hand.drawn_count[position] += count
    hand.to_act -= 1
    _pass_draw_on(hand, position)


def _uncalled_bet_returned(hand: Hand, event: ev.UncalledBetReturned) -> None:
    position = hand.position_of[event.seat]
    hand.stack[position] += event.amount
    hand.contribution[position] -= event.amount
    hand.street_bet[position] = max(0, hand.street_bet[position] - event.amount)
    hand.pot -= event.amount


def _hole_cards_shown(hand: Hand, event: ev.HoleCardsShown) -> None:
    position = hand.position_of[event.seat]
    hand.shown[position] = True
    if not hand.hole_cards:
        hand.hole_cards = [b""] * len(hand.seats)
    hand.hole_cards[position] = event.cards


def _pot_awarded(hand: Hand, event: ev.PotAwarded) -> None:
    for seat, amount in zip(event.winners, event.awards, strict=True):
        hand.stack[hand.position_of[seat]] += amount
    for seat, amount in zip(event.low_winners, event.low_awards, strict=True):
        hand.stack[hand.position_of[seat]] += amount
    hand.pot -= sum(event.awards) + sum(event.low_awards) + event.rake
    hand.rake += event.rake


def _hand_ended(hand: Hand, event: ev.HandEnded) -> None:
    if tuple(hand.stack) != event.stacks or hand.rake != event.rake or hand.pot:
        raise InvariantViolation(f"hand {hand.number} ended with other stacks than it was played to")
    hand.ended = True


def _hand_voided(hand: Hand, _: ev.HandVoided) -> None:
    """Every chip is where it was before the first post."""
    count = len(hand.seats)
    hand.stack = list(hand.started.stacks)
    hand.street_bet, hand.contribution, hand.dead_paid = [0] * count, [0] * count, [0] * count
    hand.pot = hand.to_act = hand.rake = 0
    hand.actor, hand.legal = NOBODY, None


_EVOLVE: Final[dict[type[ev.Event], Callable[[Hand, Any], None]]] = {
    ev.Posted: _posted,
    ev.HoleCardsDealt: _hole_cards_dealt,
    ev.Folded: _folded,
    ev.Checked: _checked,
    ev.Called: _called,
    ev.BetMade: _raised,
    ev.Raised: _raised,
    ev.StreetDealt: _street_dealt,
    ev.StubReshuffled: _stub_reshuffled,
    ev.CardsDrawn: _cards_drawn,
    ev.UncalledBetReturned: _uncalled_bet_returned,
    ev.HoleCardsShown: _hole_cards_shown,
    ev.PotAwarded: _pot_awarded,
    ev.HandEnded: _hand_ended,
    ev.HandVoided: _hand_voided,
}


def check_invariants(hand: Hand) -> None:
    """Raises InvariantViolation unless every chip that came in is in a stack, the pot or the rake (R-K6)."""
    stack = hand.stack
    if sum(stack) + hand.pot + hand.rake != hand.total or min(stack) < 0 or hand.pot < 0:
        raise InvariantViolation(
            f"hand {hand.number}: {hand.total} chips came in; "
            f"stacks {stack}, pot {hand.pot}, rake {hand.rake}"
        )
