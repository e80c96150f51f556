"""Random hands come out as pokerkit plays them, decision by decision, where it follows the rulebooks."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.beside_pokerkit import play_both
from tests.support.deals import HOLDEM, OMAHA, OMAHA_HI_LO, rules
from tests.support.draws import FIVE_CARD_DRAW
from tests.support.random_hands import Script, setting

from croupier.engine.game import Game
from croupier.engine.rules import Structure


@settings(max_examples=120, deadline=None)
@given(
    structure=st.sampled_from([Structure.NO_LIMIT, Structure.POT_LIMIT, Structure.FIXED_LIMIT]),
    game=st.sampled_from([HOLDEM, OMAHA, OMAHA_HI_LO, OMAHA_HI_LO, FIVE_CARD_DRAW]),
    big_blind=st.sampled_from([2, 10, 20]),
    ante_share=st.sampled_from([0, 0, 1, 4]),
    behind=st.lists(st.integers(0, 400), min_size=2, max_size=10),
    choices=st.binary(max_size=120),
    folds=st.sampled_from([20, 60]),
    seed=st.integers(0, 2**16),
)
def test_the_engine_asks_offers_and_pays_as_pokerkit_does(
    structure: Structure,
    game: Game,
    big_blind: int,
    ante_share: int,
    behind: list[int],
    choices: bytes,
    folds: int,
    seed: int,
) -> None:
    """R-B1 to R-B7, R-C5 to R-C7, R-H7, R-P1, R-P2, R-P5: pokerkit is by another hand."""
    ante = big_blind * ante_share // 4
    whole = big_blind if structure is Structure.FIXED_LIMIT else 1
    players = 9 if game.draws else 10
    stacks = [ante + big_blind + chips * whole for chips in behind[:players]]
    played = rules(structure, big_blind, game, cap_lifts_heads_up=False, most_drawn=5)
    compared = play_both(
        setting(played, stacks, ante=ante, seed=seed), Script(choices, folds=folds, folds_for_free=False)
    )
    assert compared.parted is None or compared.half_bets
