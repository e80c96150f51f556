"""What decks that can be checked, and their seal, cost a hand: python -m tests.bench.run deck_proof

Per hand of one deck: the secret's salts, 52 leaves and 51 nodes; the key made, wrapped and used. Beside it the shuffle
itself, and what escrow adds. CPU time of this process, the median of five runs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from tests.bench.rows import Row, median, row, told
from tests.support.houses import table_rules

from croupier.engine.events import Entropy
from croupier.engine.table_rules import TableRules
from croupier.room.deck import SEED_BYTES, shuffled
from croupier.room.proofs import SECRET_BYTES, Deck, dealt
from croupier.room.seal import ENTROPY_BYTES, NONCE_BYTES, Seal

RUNS: Final = 5
HANDS: Final = 500
GOAL_MS: Final = 0.5


def _timed(work: Callable[[int], object]) -> list[float]:
    """Milliseconds of CPU time a hand, run by run."""
    work(0)
    figures = []
    for _ in range(RUNS):
        begun = time.process_time()
        for number in range(1, HANDS + 1):
            work(number)
        figures.append((time.process_time() - begun) / HANDS * 1e3)
    return figures


def run() -> list[Row]:
    order, digest = shuffled(os.urandom(SEED_BYTES)), bytes(32)
    secrets = [os.urandom(32) for _ in range(6)]
    entropy = [Entropy(f"player-{at}", sha256(one).digest(), one) for at, one in enumerate(secrets)]
    auditor = X25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    seal, keep = Seal(bytes(32)), table_rules()
    escrow = table_rules(hand_keys="escrow", auditor_key=auditor)

    def proved(number: int) -> Deck:
        return Deck(f"table/{number}", digest, os.urandom(SECRET_BYTES), order)

    def sealed(number: int, rules: TableRules = keep) -> bytes:
        seal.begin("table", number, rules, os.urandom(ENTROPY_BYTES))
        return seal.close("table", number, secrets[0] + order, os.urandom(NONCE_BYTES))

    deck = proved(1)
    rows = []
    for name, work, conditions in (
        ("deck_proof_ms", proved, "one deck: salts, 52 leaves, 51 nodes"),
        ("deck_entropy_ms", lambda _: dealt(deck, entropy), "the order from the entropy of six players"),
        ("deck_seal_ms", sealed, "a key made, wrapped by the master key, and used"),
        (
            "deck_escrow_ms",
            lambda number: sealed(number, escrow),
            "the same, wrapped to an auditor's key as well",
        ),
        ("deck_shuffle_ms", lambda _: shuffled(os.urandom(SEED_BYTES)), "the shuffle, for comparison"),
    ):
        figures = _timed(work)
        value = median(figures)
        against = f"{GOAL_MS} ms a hand"
        goal = 1.0 if name in ("deck_proof_ms", "deck_escrow_ms") else 0.0
        rows.append(
            row(
                name,
                value,
                "ms",
                against=against,
                ratio=GOAL_MS / value,
                goal=goal,
                runs=RUNS,
                conditions=f"{conditions}; {told(figures)}",
            )
        )
    return rows


BENCHES: Final = {"deck_proof": run}
