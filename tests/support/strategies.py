"""Hypothesis strategies for hands: settings with every kind of post, and scripts that play them."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.support.deals import HOLDEM, OMAHA, OMAHA_HI_LO, rules
from tests.support.random_hands import Script, Setting, setting

from croupier.adapters.games import GAMES
from croupier.engine import events as ev
from croupier.engine.game import DECK_SIZE
from croupier.engine.rake import RakeSchedule
from croupier.engine.rules import AllInRule, HandRules, Structure

RAKES = st.builds(
    RakeSchedule,
    basis_points=st.sampled_from([0, 0, 250, 500, 1000]),
    cap=st.sampled_from([None, 3]),
    rounding=st.sampled_from(["down", "half_even"]),
    no_flop_no_drop=st.booleans(),
    step=st.sampled_from([1, 5]),
    step_of=st.sampled_from([0, 0, 20, 100]),
    caps_by_players=st.sampled_from([(), ((2, 1), (4, 5))]),
    jackpot_drop=st.sampled_from([0, 1]),
    fixed=st.sampled_from([None, None, None, 7]),
)

SCRIPTS = st.builds(
    Script, st.binary(max_size=120), folds=st.sampled_from([20, 60]), folds_for_free=st.booleans()
)


_GAMES = [HOLDEM, HOLDEM, OMAHA, OMAHA_HI_LO, OMAHA_HI_LO, *GAMES.values(), GAMES["five_card_draw"]]
_MOST_CHIPS = 10**12


@st.composite
def hand_rules(draw: st.DrawFn) -> HandRules:
    """Every game, every structure and every option of a house."""
    return rules(
        draw(st.sampled_from(Structure)),
        draw(st.sampled_from([2, 3, 10, 20])),
        draw(st.sampled_from(_GAMES)),
        bets_cap=draw(st.sampled_from([3, 4])),
        cap_lifts_heads_up=draw(st.booleans()),
        rake=draw(RAKES),
        all_ins_shown_at_once=draw(st.booleans()),
        losing_hands_mucked=draw(st.booleans()),
        opening_checks=draw(st.sampled_from([True, True, False])),
        all_in_rule=draw(st.sampled_from([AllInRule.NONE, *AllInRule])),
        most_drawn=draw(st.integers(0, 5)),
        last_round_opener=draw(st.sampled_from([0, 1])),
    )


_ANY_RULES = hand_rules()


@st.composite
def settings_of_hands(
    draw: st.DrawFn, rules: st.SearchStrategy[HandRules] = _ANY_RULES, *, most_chips: int = _MOST_CHIPS
) -> Setting:
    """As many players as the deck serves, many of them short, some with `most_chips`.

    Antes, straddles, late and dead posts, posted short where need be; one hand in six has no blinds, and then
    nothing is posted but antes.
    """
    played = draw(rules)
    unit = played.small_bet
    short, usual = st.integers(1, unit * 6), st.integers(1, min(unit * 100, most_chips))
    chips = st.one_of(short, short, short, usual, usual, st.integers(1, most_chips))
    stacks: list[int] = draw(st.lists(chips, min_size=2, max_size=_most_players(played)))
    blinds = draw(st.integers(0, 5)) > 0
    straddled, posted = blinds and draw(st.booleans()), blinds and draw(st.booleans())
    extra: list[ev.Post] = []
    first_after = None
    others = list(range(3, len(stacks) + 1))
    if others and straddled:
        straddler = others[0]
        extra.append(ev.Post(straddler, ev.PostKind.STRADDLE, 2 * unit))
        first_after = straddler
        others.remove(straddler)
    if others and posted:
        poster = draw(st.sampled_from(others))
        kinds = draw(st.sampled_from([(ev.PostKind.DEAD_BLIND,), (ev.PostKind.BRING_IN,), _BOTH]))
        extra += [ev.Post(poster, kind, _amount(kind, unit)) for kind in kinds]
    if draw(st.integers(0, 5)) == 0:
        extra.append(ev.Post(draw(st.integers(1, len(stacks))), ev.PostKind.TABLE_ANTE, unit))
    ante = draw(st.sampled_from([0, 0, 1, unit]))
    seed = draw(st.integers(0, 2**16))
    if not blinds:
        first_after = 0
    return setting(played, stacks, ante=ante, blinds=blinds, extra=extra, first_after=first_after, seed=seed)


def _most_players(played: HandRules) -> int:
    """R-T1, R-H8."""
    counts = range(2, 11)
    return max(n for n in counts if played.game.cards_needed(n, played.most_drawn) <= DECK_SIZE)


_BOTH = (ev.PostKind.DEAD_BLIND, ev.PostKind.LIVE_BLIND)


def _amount(kind: ev.PostKind, unit: int) -> int:
    return max(1, unit // 2) if kind == ev.PostKind.DEAD_BLIND else unit
