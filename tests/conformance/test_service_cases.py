"""Bugs that poker services had, as given cases: those about calls, time, seats and decks come out right here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.support.cases import Case, cases_of, told_and_expected
from tests.support.returning import outcomes
from tests.support.service_cases import OBSERVER, CaseTable, played, player
from tests.support.table_plans import first_to_act, table_between_hands
from tests.support.telltale import cards_in

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.rotation import plan_hand
from croupier.engine.table import Table

# A service


@pytest.mark.parametrize("case", cases_of("service"))
def test_a_service_does_with_the_steps_what_the_case_expects(case: Case | None) -> None:
    told, expected = told_and_expected(case)
    table = played(told)
    for name, value in expected.items():
        _EXPECTED[name](table, value)


def _next(table: CaseTable, value: Any) -> None:
    hand = table.table.actor.table.hand
    assert hand is not None
    street = hand.rules.game.streets[hand.street].street.name.lower()
    assert {"street": street, "actor": table.actor} == value


def _auto_action(table: CaseTable, value: dict[str, str]) -> None:
    for seat, words in value.items():
        done = table.action_of(int(seat))
        assert [word for word, _ in done] == words.split(" then ")
        assert all(cause in (ev.Cause.TIME_OUT, ev.Cause.DISCONNECTED) for _, cause in done)


def _at_ms(table: CaseTable, value: int) -> None:
    (folded,) = table.table.times_of(ev.Folded)
    assert folded - table.started_at == value * 1_000_000


def _streams_lack(table: CaseTable, value: dict[str, list[str]]) -> None:
    for seat, cards in value.items():
        seen = set().union(*map(cards_in, table.streams[int(seat)]))
        assert len(seen) == 7, "the player's own cards and the board"
        assert not seen & set(cards)


def _snapshot_lacks(table: CaseTable, value: list[str]) -> None:
    (message,) = table.streams[OBSERVER]
    assert message.HasField("snapshot")
    assert not cards_in(message) & set(value)


def _winner(table: CaseTable, value: int) -> None:
    assert {seat for event in table.table.heard(ev.PotAwarded) for seat in event.winners} == {value + 1}


def _pot(table: CaseTable, value: int) -> None:
    assert sum(event.amount for event in table.table.heard(ev.PotAwarded)) == value


def _cashed_out(table: CaseTable, value: dict[str, int]) -> None:
    left = {str(event.seat - 1): event.amount for event in table.table.heard(tev.PlayerLeft)}
    assert left == value


def _eligible_next(table: CaseTable, value: list[int]) -> None:
    plan = plan_hand(table.table.actor.table)
    assert plan is not None
    assert sorted(seat - 1 for seat in plan.seats) == value


def _returned(table: CaseTable, value: dict[str, int]) -> None:
    back = {str(event.seat - 1): event.amount for event in table.table.heard(ev.UncalledBetReturned)}
    assert back == value


def _seats_in_hand(table: CaseTable, value: list[int]) -> None:
    hand = table.table.actor.table.hand
    assert hand is not None
    live = [seat for seat, folded in zip(hand.seats, hand.folded, strict=True) if not folded]
    assert sorted(seat - 1 for seat in live) == value


def _equal(get: Callable[[CaseTable], Any]) -> Callable[[CaseTable, Any], None]:
    def compare(table: CaseTable, value: Any) -> None:
        assert get(table) == value

    return compare


_EXPECTED: dict[str, Callable[[CaseTable, Any], None]] = {
    "outcomes": _equal(lambda table: table.outcomes),
    "stacks": _equal(CaseTable.stacks_of_ended_hand),
    "stacks_now": _equal(CaseTable.stacks),
    "stacks_after_hand": _equal(CaseTable.stacks),
    "stacks_seat0": _equal(lambda table: table.stacks_of_ended_hand()[0]),
    "stacks_seat2": _equal(lambda table: table.stacks_of_ended_hand()[2]),
    "sum": _equal(lambda table: sum(table.stacks_of_ended_hand())),
    "pot_awards": _equal(lambda table: len(table.table.heard(ev.PotAwarded))),
    "next_actor": _equal(lambda table: table.actor),
    "next": _next,
    "auto_action": _auto_action,
    "seat_in_hand": _seats_in_hand,
    "at_ms": _at_ms,
    "returned": _returned,
    "max_raise_to_before": _equal(lambda table: max(event.to for event in table.table.heard(ev.Raised))),
    "stream_of_other_seat_must_not_contain": _streams_lack,
    "snapshot_must_not_contain": _snapshot_lacks,
    "winner": _winner,
    "shown": _equal(lambda table: table.table.heard(ev.HoleCardsShown)),
    "hand_id": _equal(lambda table: table.table.actor.table.carried.hand_number),
    "all_in_amount": _equal(lambda table: max(event.to for event in table.table.heard(ev.Raised))),
    "dealt_in_hand1": _equal(
        lambda table: sorted(seat - 1 for seat in table.table.heard(ev.HandStarted)[0].seats)
    ),
    "eligible_hand2": _eligible_next,
    "cashed_out": _cashed_out,
    "pot": _pot,
}


# Button and blinds


def seats_of(told: Case, gone: Sequence[int]) -> dict[int, str]:
    """Who sits where, seats counting from 1, once some have gone."""
    return {seat + 1: player(seat) for seat in range(told["seats"]) if seat not in gone}


@pytest.mark.parametrize("case", cases_of("next_hand"))
def test_button_and_blinds_of_the_next_hand_are_as_the_case_expects(case: Case | None) -> None:
    told, expected = told_and_expected(case)
    before = {name: seat + 1 for name, seat in told["prev"].items()}
    table = table_between_hands(seats_of(told, told["busted_or_left"]), **before)
    plan = plan_hand(table)
    assert plan is not None
    small = [post.seat - 1 for post in plan.posts if post.kind is ev.PostKind.SMALL_BLIND]
    big = [post.seat - 1 for post in plan.posts if post.kind is ev.PostKind.BIG_BLIND]
    made = {
        "button": plan.button_seat - 1,
        "sb": small[0] if small else None,
        "bb": plan.big_blind_seat - 1,
        "first_to_act_preflop": first_to_act(table) - 1,
    }
    assert made == {name: expected[name] for name in made}
    assert big == [expected["bb"]]
    if "posts" in expected:
        assert [str(post.seat - 1) for post in plan.posts] == list(expected["posts"])


@pytest.mark.parametrize("case", cases_of("blind_rotation"))
def test_the_blinds_go_round_as_the_case_expects(case: Case | None) -> None:
    told, expected = told_and_expected(case)
    before = {name: seat + 1 for name, seat in told["prev"].items()}
    table = table_between_hands(seats_of(told, ()), **before)
    for seat in told["sitting_out"]:
        table.seats[seat + 1].sitting_out = True
    big = []
    for _ in range(told["hands"]):
        plan = plan_hand(table)
        assert plan is not None
        big.append(plan.big_blind_seat - 1)
        assert (plan.small_blind_seat == plan.button_seat) == expected["sb_equals_button"]
        carried = table.carried
        carried.button_seat, carried.small_blind_seat, carried.big_blind_seat = plan[:3]
    assert big == expected["bb_sequence"]


def entering(told: Case, **rules: Any) -> tuple[Table, int]:
    """The table before the case's hand, and the seat of who is new there."""
    occupied, newcomer = told["occupied"], told["joins"]["seat"] + 1
    before = {name: (seat - 1) % len(occupied) + 1 for name, seat in told["next_hand"].items()}
    seats = {seat + 1: player(seat) for seat in (*occupied, told["joins"]["seat"])}
    table = table_between_hands(seats, **before, **rules)
    table.seats[newcomer].owes_bring_in = True
    return table, newcomer


@pytest.mark.parametrize("case", cases_of("entry"))
def test_a_newcomer_who_posts_enters_as_the_case_expects(case: Case | None) -> None:
    told, expected = told_and_expected(case)
    table, newcomer = entering(told)
    plan = plan_hand(table)
    assert plan is not None
    named = (plan.button_seat - 1, plan.small_blind_seat - 1, plan.big_blind_seat - 1)
    assert named == tuple(told["next_hand"].values())
    posts = {post.kind: post.amount for post in plan.posts if post.seat == newcomer}
    made = {
        "dealt_in": newcomer in plan.seats,
        "live": posts.get(ev.PostKind.BRING_IN, 0),
        "dead": posts.get(ev.PostKind.DEAD_BLIND, 0),
    }
    assert made == expected["post_bb"]


@pytest.mark.parametrize("case", cases_of("entry"))
def test_a_newcomer_who_waits_for_the_big_blind_enters_as_the_case_expects(case: Case | None) -> None:
    """R-T10, at a house that lets newcomers wait."""
    told, expected = told_and_expected(case)
    table, newcomer = entering(told, newcomers_may_wait=True)
    table.seats[newcomer].waiting_for_big_blind = True
    plan = plan_hand(table)
    assert plan is not None
    named = (plan.button_seat - 1, plan.small_blind_seat - 1, plan.big_blind_seat - 1)
    assert named == tuple(told["next_hand"].values())
    assert {"dealt_in": newcomer in plan.seats} == expected["wait_for_bb"]


# Returning


@pytest.mark.parametrize("case", cases_of("buyin"))
def test_a_player_who_left_ahead_returns_as_the_case_expects(case: Case | None) -> None:
    """R-T20."""
    told, expected = told_and_expected(case)
    assert {"outcomes": outcomes(told)} == expected
