"""Rules of the game broken on purpose, one each: whatever holds them must fail then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, Final, cast

import pytest

from croupier.engine import advance, betting, hand, play, rotation, showdown, table_play
from croupier.engine import events as ev
from croupier.engine.actions import FOLD
from croupier.engine.hand import Hand
from croupier.engine.pots import split
from croupier.engine.rake import RakeSchedule, rake_of
from croupier.engine.showdown import uncalled_bet
from croupier.engine.table import Table
from croupier.handrank import rank
from croupier.room import views

Patch = pytest.MonkeyPatch
Break = Callable[[Patch], None]
_EVOLVE: Final = cast(dict[Any, Any], hand._EVOLVE)


def odd_chips_to_the_last_seats(patch: Patch) -> None:
    patch.setattr(showdown, "split", lambda amount, winners: split(amount, winners)[::-1])


def the_odd_chip_of_the_halves_to_low(patch: Patch) -> None:
    right = showdown._shares

    def shares(amount: int, *told: Any) -> Any:
        won = right(amount, *told)
        if not won.low_winners:
            return won
        high = amount // 2
        lows = split(amount - high, len(won.low_winners))
        return won._replace(awards=split(high, len(won.winners)), low_awards=lows)

    patch.setattr(showdown, "_shares", shares)


def pots_that_are_not_halved(patch: Patch) -> None:
    patch.setattr(showdown, "_lows", lambda _hand: {})


def short_all_ins_reopen(patch: Patch) -> None:
    patch.setattr(betting, "_raising_open", lambda _hand, _position: True)


def no_raise_counts_in_fixed_limit(patch: Patch) -> None:
    patch.setattr(hand, "_count_full_bet", lambda _hand, _to: None)


def the_cap_never_lifts(patch: Patch) -> None:
    patch.setattr(hand, "_cap_can_lift", lambda _hand: False)


def all_in_rules_that_leave_everything(patch: Patch) -> None:
    patch.setattr(betting, "_all_in_only", lambda _hand, legal: legal)


def a_short_big_blind_lowers_the_pot_limit(patch: Patch) -> None:
    right = betting._legal_actions

    def legal(played: Hand) -> object:
        lacking, played.posted_short = played.posted_short, 0
        told = right(played)
        played.posted_short = lacking
        return told

    patch.setattr(betting, "_legal_actions", legal)


def rake_from_uncalled_chips(patch: Patch) -> None:
    returned: list[int] = []

    def note(played: Hand) -> ev.UncalledBetReturned | None:
        event = uncalled_bet(played)
        returned.append(event.amount if event else 0)
        return event

    def rake(schedule: RakeSchedule, total: int, **told: Any) -> int:
        return rake_of(schedule, total + sum(returned), **told)

    patch.setattr(play, "uncalled_bet", note)
    patch.setattr(showdown, "rake_of", rake)


def a_low_qualifies_at_nine(patch: Patch) -> None:
    patch.setattr(showdown, "_lows", lambda played: _each(played, _nine_low))


def omaha_plays_three_hole_cards(patch: Patch) -> None:
    patch.setattr(showdown, "_strengths", lambda played: _each(played, _three_from_the_hand))


def _each(played: Hand, strength: Callable[[bytes, bytes], int]) -> dict[int, int]:
    live = [position for position, out in enumerate(played.folded) if not out]
    return {position: strength(played.hole_cards[position], played.board) for position in live}


def _nine_low(hole_cards: bytes, board: bytes) -> int:
    """0 for no five different ranks of nine or lower; else larger is stronger."""
    lows = []
    for two in combinations(hole_cards, 2):
        for three in combinations(board, 3):
            ranks = sorted({(card // 4 + 1) % 13 for card in (*two, *three)}, reverse=True)
            if len(ranks) == 5 and ranks[0] <= 8:
                lows.append(10**10 - int("".join(map(str, ranks))))
    return max(lows, default=0)


def _three_from_the_hand(hole_cards: bytes, board: bytes) -> int:
    return max(
        rank(bytes([*held, *shared]))
        for count in (2, 3)
        for held in combinations(hole_cards, count)
        for shared in combinations(board, 5 - count)
    )


def discards_come_back_to_the_drawer(patch: Patch) -> None:
    right = _EVOLVE[ev.CardsDrawn]
    served: dict[Hand, int] = {}

    def drawn(played: Hand, event: ev.CardsDrawn) -> None:
        if played.reshuffles > served.get(played, 0) and played.deal_order is not None:
            held = played.hole_cards[played.position_of[event.seat]]
            played.stub = bytes(held[place] for place in event.places) + played.stub
        served[played] = played.reshuffles
        right(played, event)

    patch.setitem(_EVOLVE, ev.CardsDrawn, drawn)


def the_first_player_opens_after_the_draw(patch: Patch) -> None:
    right = hand._open_street

    def opened(played: Hand, first: int) -> None:
        right(played, 0 if played.rules.game.draws else first)

    patch.setattr(hand, "_open_street", opened)


def the_button_never_rests_on_an_empty_seat(patch: Patch) -> None:
    def moved(table: Table, playing: list[int]) -> rotation._Blinds:
        carried = table.carried
        order = rotation.clockwise_from(carried.button_seat, playing)
        if len(playing) == 2:
            return rotation._Blinds(order[0], order[0], order[1])
        return rotation._Blinds(*order[:3])

    patch.setattr(rotation, "_move", moved)


def newcomers_bring_nothing_in(patch: Patch) -> None:
    right = rotation._posts

    def posts(*told: Any, **named: Any) -> Sequence[ev.Post]:
        return tuple(post for post in right(*told, **named) if post.kind is not ev.PostKind.BRING_IN)

    patch.setattr(rotation, "_posts", posts)


def a_time_out_folds_for_free(patch: Patch) -> None:
    patch.setattr(table_play, "unchosen_action", lambda _hand: FOLD)


def a_call_in_advance_goes_for_any_amount(patch: Patch) -> None:
    patch.setattr(advance, "_void", lambda _hand, _number, _action: False)


def losers_muck_beside_an_all_in(patch: Patch) -> None:
    def shown(played: Hand, _: object = ()) -> list[ev.Event]:
        order = showdown.showing_order(played)
        best = showdown._not_beaten_by_those_before(played, order)
        return [ev.HoleCardsShown(played.seats[place], played.hole_cards[place]) for place in best]

    patch.setattr(play, "turned_up", shown)


def snapshots_show_a_players_cards_to_all(patch: Patch) -> None:
    right = views.hand_view
    patch.setattr(views, "hand_view", lambda table, played, _viewer: right(table, played, "anna"))
