"""Equities: counts beside an enumeration written apart, published ones, lots near them, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from croupier.cards import DECK, parse_cards
from croupier.handrank import reference
from croupier.handrank.equity import (
    MOST_DEALS,
    SHARES,
    Equity,
    Question,
    Stopped,
    all_deals,
    calculate,
    check,
    game_named,
)


def asked(
    game: str, *hands: str, board: str = "", dead: str = "", most: int = MOST_DEALS, seed: int = 0
) -> Question:
    held = [parse_cards(hand) for hand in hands]
    return Question(game_named(game), held, parse_cards(board), parse_cards(dead), most, seed)


def parts_of(game: str, hands: Sequence[bytes], board: bytes) -> list[Fraction]:
    """Each hand's part of one pot, by the slow evaluator (R-C4 to R-C7, R-P4, R-P5)."""
    whole = Fraction(1)
    lows = [0] * len(hands)
    if game == "holdem":
        highs = reference.rank_holdem(hands, board)
    elif game == "five_card_draw":
        highs = reference.rank_five(hands, board)
    else:
        highs = reference.rank_omaha(hands, board)
        lows = reference.rank_omaha_low(hands, board) if game == "omaha_hi_lo" else lows
    halves = [(highs, whole / 2 if any(lows) else whole), (lows, whole / 2 if any(lows) else Fraction(0))]
    parts = [Fraction(0)] * len(hands)
    for ranks, pot in halves:
        winners = [place for place, rank in enumerate(ranks) if rank == max(ranks)]
        for place in winners:
            parts[place] += pot / len(winners)
    return parts


def enumerated(question: Question) -> list[tuple[int, int, Fraction]]:
    """Wins, ties and all parts of each hand, board by board."""
    game = question.game
    seen = b"".join((*question.hands, question.board, question.dead))
    stub = [card for card in DECK if card not in seen]
    sums = [(0, 0, Fraction(0))] * len(question.hands)
    for more in combinations(stub, game.board_cards - len(question.board)):
        parts = parts_of(game.name, question.hands, question.board + bytes(more))
        sums = [
            (wins + (part == 1), ties + (0 < part < 1), total + part)
            for (wins, ties, total), part in zip(sums, parts, strict=True)
        ]
    return sums


def counted(found: Equity) -> list[tuple[int, int, Fraction]]:
    return [(part.wins, part.ties, Fraction(part.shares, SHARES)) for part in found.hands]


@pytest.mark.parametrize(
    "question",
    [
        asked("holdem", "AsKs", "QdQc", board="2c7d9h"),
        asked("holdem", "AsKs", "QdQc", board="2c7d9hQh", dead="KdKh"),
        asked("holdem", "AsKs", "QdQc", board="2c7d9hQhAh"),
        asked("holdem", "8s9s", "8d9d", "8h9h", "AcKc", board="TsJsQd2h"),
        asked("omaha", "AsAhKdQd", "TsTh9d8d", board="7s6s2hJc"),
        asked("five_card_omaha", "AsAhKdQd2c", "TsTh9d8d7c", "5s5h4d4c3d", board="7s6s2hJc"),
        asked("six_card_omaha", "AsAhKdQd2c3c", "TsTh9d8d7c6c", board="7s6s2hJc"),
        asked("omaha_hi_lo", "As2sKdQd", "Ah2hTc9c", "3s4dJcJh", board="7s6s8hJs"),
        asked("five_card_draw", "AsKsQsJsTs", "AdKdQdJdTd", "9c9d9h9s2c"),
    ],
)
def test_counts_are_those_of_every_board(question: Question) -> None:
    found = calculate(question)
    assert found.exact
    assert found.deals == all_deals(question)
    assert counted(found) == enumerated(question)


def test_random_deals_of_every_game_agree_with_the_reference() -> None:
    seed = Random().randrange(2**32)
    print(f"seed {seed}")
    dice = Random(seed)
    for _ in range(40):
        game = game_named(dice.choice(["holdem", "omaha", "five_card_omaha", "omaha_hi_lo"]))
        cards = bytes(dice.sample(DECK, 52))
        count = dice.randint(2, 3)
        hands = [cards[at * game.hole_cards :][: game.hole_cards] for at in range(count)]
        rest = cards[count * game.hole_cards :]
        question = Question(game, hands, rest[: dice.randint(4, 5)], rest[5 : dice.randint(28, 36)])
        assert counted(calculate(question)) == enumerated(question), question


def test_aces_against_kings_are_as_published() -> None:
    aces, kings = calculate(asked("holdem", "AsAh", "KsKh")).hands
    assert (aces.wins, aces.ties, kings.wins) == (1_410_336, 9_308, 292_660)
    assert aces.deals == 1_712_304


def test_shares_of_all_hands_are_all_pots() -> None:
    found = calculate(asked("omaha_hi_lo", "As2sKdQd", "Ah2hTc9c", "3s4dJcJh", board="7s6s8h"))
    assert sum(part.shares for part in found.hands) == SHARES * found.deals


def test_unknown_hole_cards_are_gone_through() -> None:
    """The river known, 990 hands that the other may hold."""
    board, held = "2c7d9hQhAh", "AsKs"
    found = calculate(asked("holdem", held, "", board=board))
    assert (found.deals, found.exact) == (990, True)
    stub = [card for card in DECK if card not in parse_cards(held + board)]
    against = [
        parts_of("holdem", [parse_cards(held), bytes(other)], parse_cards(board))[0]
        for other in combinations(stub, 2)
    ]
    assert counted(found)[0] == (against.count(Fraction(1)), against.count(Fraction(1, 2)), sum(against))


def test_a_hand_unknown_in_part_is_gone_through() -> None:
    whole = calculate(asked("omaha", "AsAhKd", "TsTh9d8d", board="7s6s2hJc"))
    parts = [
        calculate(
            Question(
                game_named("omaha"),
                [parse_cards("AsAhKd") + bytes([card]), parse_cards("TsTh9d8d")],
                parse_cards("7s6s2hJc"),
            )
        )
        for card in DECK
        if card not in parse_cards("AsAhKdTsTh9d8d7s6s2hJc")
    ]
    assert whole.deals == sum(part.deals for part in parts)
    assert whole.hands[0].wins == sum(part.hands[0].wins for part in parts)


@pytest.mark.parametrize(
    "question",
    [
        asked("holdem", "AsKs", "QdQc", most=50_000),
        asked("holdem", "AsKs", "QdQc", "7h8h", board="2c", most=50_000, seed=7),
        asked("omaha_hi_lo", "As2sKdQd", "Ah2hTc9c", most=20_000),
        asked("holdem", "AsKs", "", board="2c7d9h", most=50_000),
    ],
)
def test_lots_are_within_four_standard_errors_and_the_same_again(question: Question) -> None:
    exact = calculate(question._replace(most_deals=MOST_DEALS))
    lots, again = calculate(question), calculate(question)
    assert exact.exact
    assert (lots.exact, lots.deals) == (False, question.most_deals)
    assert lots == again
    assert lots != calculate(question._replace(seed=99))
    for drawn, true in zip(lots.hands, exact.hands, strict=True):
        error = drawn.standard_error_per(10**6)
        assert 0 < error < 5000
        assert abs(drawn.per(10**6) - true.per(10**6)) <= 4 * error


def test_the_standard_error_is_that_of_a_share() -> None:
    """A coin that always falls on one side or the other: the root of p (1 - p) / n."""
    part = calculate(asked("holdem", "AsAh", "KsKh", most=100_000)).hands[0]
    share = part.per(10**6) / 10**6
    assert part.standard_error_per(10**6) == pytest.approx(1e6 * (share * (1 - share) / 1e5) ** 0.5, rel=0.02)


def test_where_hole_cards_fall_in_too_many_ways_lots_are_drawn() -> None:
    """Two unknown hands on the river fall in 893,970 ways: fewer than the deals asked for."""
    question = asked("holdem", "AsKs", "", "", board="2c7d9hQhAh", most=1_000_000)
    assert all_deals(question) == 893_970
    assert not calculate(question).exact


def test_a_calculation_stops_when_told() -> None:
    asked_times = 0

    def stopped() -> bool:
        nonlocal asked_times
        asked_times += 1
        return asked_times > 3

    with pytest.raises(Stopped):
        calculate(asked("omaha", "AsAhKdQd", "TsTh9d8d"), stopped)
    assert asked_times == 4


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        (asked("holdem", "AsKs"), "2 to 10 hands can be compared, not 1"),
        (asked("six_card_omaha", *["2c3c4c5c6c7c"] * 8), "2 to 7 hands can be compared, not 8"),
        (asked("holdem", "AsKs", "QdQcQh"), "hand 2 has 3 cards, and holdem deals 2"),
        (asked("five_card_draw", "AsKsQsJsTs", "2c"), "hand 2 has 1 cards, and five_card_draw deals 5"),
        (asked("holdem", "AsKs", "QdQc", board="2c3c4c5c6c7c"), "a board of 6 cards, and holdem has 5"),
        (asked("five_card_draw", "AsKsQsJsTs", "2c3c4c5c7d", board="9c"), "a board of 1 cards"),
        (asked("holdem", "AsKs", "QdQc", board="As"), "a card appears twice"),
        (asked("holdem", "AsKs", "QdQc", dead="QcQh"), "a card appears twice"),
        (asked("holdem", "AsKs", "QdQc", most=0), "most_deals begins at 1"),
        (asked("holdem", "AsKs", "QdQc", seed=-1), "seeds go from 0"),
        (Question(game_named("holdem"), [b"\x00\x01", b"\x02\x34"]), "a card is out of range"),
        (Question(game_named("holdem"), [DECK[:2], DECK[2:4]], b"", DECK[4:48]), "too many dead cards"),
    ],
)
def test_what_cannot_be_dealt_is_refused(question: Question, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        check(question)
    with pytest.raises(ValueError, match=complaint):
        calculate(question)


def test_an_unknown_game_is_told_what_there_is() -> None:
    with pytest.raises(ValueError, match="no game is called 'stud'; there are holdem, omaha"):
        game_named("stud")
