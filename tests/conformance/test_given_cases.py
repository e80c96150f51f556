"""Bugs that poker engines had, as given cases: those about one hand come out right here."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain

import pytest
from tests.support.case_rules import CHOSEN, RULES, leaves_a_choice
from tests.support.cases import (
    Case,
    CaseHand,
    action,
    cases_of,
    game_of,
    given_cases,
    schedule_of,
    told_and_expected,
)

from croupier.adapters.recorded.deck import deal_order
from croupier.adapters.recorded.hand import Malformed, RecordedHand, RecordedSeat
from croupier.cards import parse_cards
from croupier.engine import events as ev
from croupier.engine.betting import decide, legal_actions
from croupier.engine.pots import build_pots, split
from croupier.engine.rake import rake_of
from croupier.engine.rejection import Rejected
from croupier.handrank import hand_class, rank_holdem

KINDS = ("hand", "eval", "settle", "rake_calc", "fixed_deck")
KINDS_ELSEWHERE = {
    "test_service_cases": ("service", "next_hand", "blind_rotation", "entry", "buyin"),
    "test_deck_cases": ("shuffle", "deal_many"),
    "test_draw_cases": ("draw",),
}


def test_every_given_case_has_its_test_and_its_rule() -> None:
    cases = given_cases()
    kinds = {*KINDS, *chain(*KINDS_ELSEWHERE.values())}
    assert {case["input"]["kind"] for case in cases} == kinds
    assert [case["id"] for case in cases] == list(RULES)


def test_what_was_chosen_is_said_where_a_case_leaves_a_choice() -> None:
    assert {case["id"] for case in given_cases() if leaves_a_choice(case["expected"])} == set(CHOSEN)


@pytest.mark.parametrize("case", cases_of("hand"))
def test_a_given_hand_comes_out_as_the_case_expects(case: Case | None) -> None:
    told, expected = told_and_expected(case)
    played_hand = CaseHand(told, losing_hands_mucked="may_muck" in expected)
    if told["ask"] == "legal":
        _legal_as_expected(played_hand, told, expected)
    else:
        played_hand.check_down()
        _result_as_expected(played_hand, expected)
        _showdown_as_expected(played_hand, expected)
    if "first_actor_to_call" in expected:
        opening = CaseHand({**told, "actions": []})
        assert legal_actions(opening.hand).call_amount == expected["first_actor_to_call"]


def _legal_as_expected(played_hand: CaseHand, told: Case, expected: Case) -> None:
    legal = legal_actions(played_hand.hand)
    raise_to = (legal.min_raise_to or legal.min_bet_to, legal.max_raise_to or legal.max_bet_to)
    assert {
        "seat": played_hand.actor,
        "to_call": legal.call_amount,
        "can_raise": raise_to != (0, 0),
        "min_raise_to": raise_to[0] or None,
        "max_raise_to": raise_to[1] or None,
    } == expected["legal"]
    for name, made in (("stacks_now", played_hand.stacks()), ("pot", played_hand.hand.pot)):
        assert expected.get(name, made) == made
    posted = {str(event.seat - 1): event.amount for event in played_hand.of(ev.Posted)}
    assert posted == expected.get("posted", posted)
    for name, seat in (("sb", "small_blind_seat"), ("bb", "big_blind_seat")):
        made = getattr(played_hand.of(ev.HandStarted)[0], seat) - 1
        assert expected.get(name, made) == made
    for probe, outcome in zip(told.get("probe", ()), expected.get("probe", ()), strict=True):
        refused = isinstance(decide(played_hand.hand, action(*probe)), Rejected)
        assert refused == (outcome == "rejected"), probe


def _result_as_expected(played_hand: CaseHand, expected: Case) -> None:
    assert played_hand.hand.ended
    assert played_hand.stacks() == expected["stacks"]
    awarded = sorted(played_hand.of(ev.PotAwarded), key=lambda event: event.index)
    pots = [
        {"amount": event.amount, "eligible": sorted(seat - 1 for seat in event.eligible_seats)}
        for event in awarded
    ]
    returned = {str(event.seat - 1): event.amount for event in played_hand.of(ev.UncalledBetReturned)}
    won: dict[str, int] = defaultdict(int)
    for event in awarded:
        for seat, amount in zip(
            event.winners + event.low_winners, event.awards + event.low_awards, strict=True
        ):
            won[str(seat - 1)] += amount
    made = {
        "pots": pots,
        "returned": returned,
        "won": dict(won),
        "rake": played_hand.hand.rake,
        "rake_by_pot": [event.rake for event in awarded],
    }
    if "low" in expected:
        assert [event.low_winners for event in awarded if event.low_winners] == (expected["low"] or [])
    for name, value in made.items():
        assert expected.get(name, value) == value, name


def _showdown_as_expected(played_hand: CaseHand, expected: Case) -> None:
    shown = [event.seat - 1 for event in played_hand.of(ev.HoleCardsShown)]
    assert bool(shown) == expected.get("showdown", bool(shown))
    assert shown[:1] == [expected["show_first"]] if "show_first" in expected else True
    assert shown == expected.get("show_order", shown)
    assert sorted(shown) == sorted(expected.get("must_table", shown))


@pytest.mark.parametrize("case", cases_of("eval"))
def test_given_hands_are_compared_as_the_case_expects(case: Case | None) -> None:
    told, expected = told_and_expected(case)
    board = parse_cards(told["board"])
    holes = {seat: parse_cards(cards) for seat, cards in told["hole"].items()}
    strength = dict(zip(holes, game_of(told).rank_hands(list(holes.values()), board), strict=True))
    best = max(strength.values())
    assert [int(seat) for seat in holes if strength[seat] == best] == expected["winners"]
    for seat, name in expected["category"].items():
        assert hand_class(strength[seat]).name == name.upper().replace(" ", "_")


@pytest.mark.parametrize("case", cases_of("settle"))
def test_given_contributions_are_settled_as_the_case_expects(case: Case | None) -> None:
    told, expected = told_and_expected(case)
    count = len(told["contributions"])
    order = [(told["button"] + 1 + place) % count for place in range(count)]
    pots = build_pots(
        [told["contributions"][seat] for seat in order], [seat in told["folded"] for seat in order], 0
    )
    stacks = [brought - paid for brought, paid in zip(told["start"], told["contributions"], strict=True)]
    paid_out = 0
    for pot in pots:
        eligible = [order[position] for position in pot.eligible]
        holes = [parse_cards(told["hole"][str(seat)]) for seat in eligible]
        ranks = rank_holdem(holes, parse_cards(told["board"]))
        winners = [seat for seat, strength in zip(eligible, ranks, strict=True) if strength == max(ranks)]
        for seat, award in zip(winners, split(pot.amount, len(winners)), strict=True):
            stacks[seat] += award
            paid_out += award
    assert stacks == expected["stacks"]
    assert paid_out == expected["sum_paid"]
    assert [
        {"amount": pot.amount, "eligible": sorted(order[position] for position in pot.eligible)}
        for pot in pots
    ] == expected["pots"]
    assert sum(not pot.eligible for pot in pots) == expected["pots_without_owner"]


@pytest.mark.parametrize("case", cases_of("rake_calc"))
def test_given_pots_are_raked_as_the_case_expects(case: Case | None) -> None:
    told, expected = told_and_expected(case)
    schedule = schedule_of(told["rake"])
    raked = [rake_of(schedule, pot, flop_dealt=True, players=6) for pot in told["pots"]]
    assert raked == expected["rake"]


@pytest.mark.parametrize("case", cases_of("fixed_deck"))
def test_a_given_deck_that_names_a_card_twice_is_refused(case: Case | None) -> None:
    told, _ = told_and_expected(case)
    recorded = RecordedHand(
        id="case",
        site="case",
        variant="nlhe",
        bb=2,
        button=2,
        seats=(RecordedSeat(1, 100), RecordedSeat(2, 100)),
        actions=(),
        holes={int(seat) + 1: (cards[:2], cards[2:]) for seat, cards in told["hole"].items()},
        board=tuple(told["board"][at : at + 2] for at in range(0, 10, 2)),
    )
    with pytest.raises(Malformed, match="twice"):
        deal_order(recorded, 2)
