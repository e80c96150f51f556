"""Replays one recorded hand: plays it, compares it, and says what came of it."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.adapters.recorded.comparison import compare
from croupier.adapters.recorded.hand import Malformed, RecordedHand
from croupier.adapters.recorded.playing import play
from croupier.adapters.recorded.setting import VARIANTS, hand_rules
from croupier.adapters.recorded.verdict import Outcome, Verdict
from croupier.engine.game import DECK_SIZE, Game
from croupier.engine.rejection import InvariantViolation


def replay(recorded: RecordedHand, games: Mapping[str, Game]) -> Verdict:
    """Whether the hand comes out of the engine as it was recorded; it never raises for what a record says."""
    if recorded.variant not in VARIANTS:
        return Verdict(Outcome.SKIPPED, (f"game not in this version: {recorded.variant}",))
    game = games[VARIANTS[recorded.variant][1]]
    most_drawn = hand_rules(recorded, game).most_drawn if game.draws else 0
    if game.cards_needed(len(recorded.seats), most_drawn) > DECK_SIZE:
        return Verdict(Outcome.SKIPPED, (f"more players than a deck serves at {game.name}",))
    try:
        played = play(recorded, game)
    except Malformed as error:
        return Verdict(Outcome.DIFFERENT, (f"malformed: {error}",))
    except InvariantViolation as error:
        return Verdict(Outcome.DIFFERENT, (f"invariant violated: {error}",))
    if played.problem:
        return Verdict(Outcome.DIFFERENT, (played.problem,))
    return compare(recorded, played)
