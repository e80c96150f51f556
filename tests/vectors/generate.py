"""Makes the project's own recorded hands: python -m tests.vectors.generate [--check]

Random hands of hold'em in every structure, of Omaha and of five-card draw, for 2 to 10 players, with antes,
short stacks and all-ins, each played by the engine and by pokerkit at once and kept only where the two agree at
every decision and in the end. Hands in which pokerkit is known to differ from the rulebooks are passed over
(`tests.support.beside_pokerkit`).
The same seed makes the same files; with --check they are made and compared, not written.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.support.beside_pokerkit import play_both
from tests.support.deals import HOLDEM, OMAHA, OMAHA_HI_LO, rules
from tests.support.draws import FIVE_CARD_DRAW
from tests.support.random_hands import Script, Setting, setting
from tests.vectors.telling import told

from croupier.engine.game import Game
from croupier.engine.rules import Structure

SEED: Final = 1
FOLDER: Final = Path(__file__).parent
VARIANTS: Final = {
    "nlhe": (Structure.NO_LIMIT, HOLDEM, 100),
    "plhe": (Structure.POT_LIMIT, HOLDEM, 100),
    "flhe": (Structure.FIXED_LIMIT, HOLDEM, 100),
    "plo": (Structure.POT_LIMIT, OMAHA, 40),
    "nlo8": (Structure.NO_LIMIT, OMAHA_HI_LO, 60),
    "nl5cd": (Structure.NO_LIMIT, FIVE_CARD_DRAW, 20),
    "fl5cd": (Structure.FIXED_LIMIT, FIVE_CARD_DRAW, 20),
}
"""What is played, and how many hands a file holds."""
_MOST_DRAWN: Final = 5


def random_setting(structure: Structure, game: Game, dice: random.Random) -> Setting:
    """Every stack covers its ante and a big blind; one in two is short, and may be all in for an odd amount."""
    players = min(dice.choice([2, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10]), 9 if game.draws else 10)
    big_blind = dice.choice([2, 10, 20, 50, 100])
    ante = dice.choice([0, 0, 0, max(1, big_blind // 10), max(1, big_blind // 2)])
    stacks = [ante + big_blind + _behind(structure, big_blind, dice) for _ in range(players)]
    return setting(
        rules(structure, big_blind, game, cap_lifts_heads_up=False, most_drawn=_MOST_DRAWN),
        stacks,
        ante=ante,
        seed=dice.getrandbits(32),
    )


def _behind(structure: Structure, big_blind: int, dice: random.Random) -> int:
    if structure is Structure.FIXED_LIMIT:
        return big_blind * dice.choice([0, 1, 2, 4, 7, 15, 50, 50, 100])
    short, deep = dice.randint(0, big_blind * 12), big_blind * dice.choice([40, 100, 200])
    return dice.choice([short, deep])


def agreed_hands(variant: str) -> Iterator[dict[str, Any]]:
    """As many hands as a file holds, in the format of the vectors."""
    dice = random.Random(f"{SEED} {variant}")
    structure, game, hands = VARIANTS[variant]
    made = 0
    while made < hands:
        drawn = random_setting(structure, game, dice)
        script = Script(dice.randbytes(160), folds=dice.choice([24, 80, 130]), folds_for_free=False)
        compared = play_both(drawn, script)
        if compared.half_bets or compared.odd_chips:
            continue
        if compared.parted is not None:
            raise SystemExit(f"{variant}: the engine and pokerkit part: {compared.parted}")
        made += 1
        yield told(f"own:{variant}-{made}", variant, drawn, compared)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file would change")
    check = parser.parse_args().check
    for variant in VARIANTS:
        path = FOLDER / f"{variant}.jsonl"
        lines = [json.dumps(hand, separators=(",", ":")) for hand in agreed_hands(variant)]
        text = "\n".join(lines) + "\n"
        if check and path.read_text() != text:
            raise SystemExit(f"{path.name} would change")
        if not check:
            path.write_text(text)
        print(f"{path.name}: {len(lines)} hands, {len(text):,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
