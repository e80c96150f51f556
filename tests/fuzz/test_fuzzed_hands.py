"""Recorded hands of any bytes: each is played, skipped or called malformed; `croupier replay` reports and ends."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Final

import pytest
from hypothesis import example
from hypothesis import strategies as st
from rich.console import Console
from tests.fuzz.spoiling import fuzzed, spoilt

from croupier.adapters.games import GAMES
from croupier.adapters.recorded import files
from croupier.adapters.recorded.hand import Malformed
from croupier.adapters.recorded.replay import replay
from croupier.adapters.recorded.report import replay_files
from croupier.adapters.recorded.verdict import Outcome, Verdict

VECTORS: Final = Path(__file__).parents[1] / "vectors"
LINES: Final = [
    line for path in sorted(VECTORS.glob("*.jsonl")) for line in path.read_bytes().splitlines()[:12]
]
HOLDEM: Final = b"""\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200.5, inf]
actions = ["d dh p1 AcKc", "d dh p2 ????", "d dh p3 9d9h", "p3 cbr 7", "p1 cc", "p2 f", "d db 2h3d4s",
  "p1 cc", "p3 cbr 10.50", "p1 cc", "d db Ts", "p1 cc", "p3 cc", "d db Jc", "p1 cc", "p3 cc", "p1 sm AcKc",
  "p3 sm 9d9h"]
finishing_stacks = [182.5, 198.5, inf]
winnings = [0, 0, 36]
venue = "club"
hand = 7
"""
DRAW: Final = b"""\
variant = "F5D"
antes = [1, 1]
blinds_or_straddles = [0, 0]
small_bet = 2
big_bet = 4
starting_stacks = [50, 50]
actions = ["d dh p1 2c3c4c5c7d", "d dh p2 AhAdKsQs9s", "p1 cc", "p2 cbr 2", "p1 cc", "p1 sd 7d", "d dh p1 6c",
  "p2 sd 9s", "d dh p2 8h", "p1 cc", "p2 cc", "p1 sm", "p2 sm AhAdKsQs8h"]
[_croupier]
bets_cap = 4
cap_lifts_heads_up = true
opening_checks = true
"""
MANY: Final = b"[1]\n" + HOLDEM + b"[2]\n" + HOLDEM.replace(b'"NT"', b'"PO/8"')
PHH: Final = (HOLDEM, HOLDEM.replace(b'"NT"', b'"FT"') + b"small_bet = 2\nbig_bet = 4\n", DRAW, MANY)
PHH_TOKENS: Final = (
    b'"p1 cbr 1e-99999999"',
    b'"p1 cbr x"',
    b'"p0 f"',
    b'"p9 cc"',
    b'"d"',
    b'"d dh p1"',
    b'"d db AsAs"',
    b'""',
    b'"p1 sd"',
    b'"p2 sm ??"',
    b'"# x"',
    b"AcAc",
    b"??",
    b"starting_stacks = []\n",
    b'"inf",',
    b"nan,",
    b"-5,",
)


def verdicts(name: str, data: bytes) -> list[Verdict]:
    """What is said of each hand in a file of that name."""
    found = []
    for hand in files.read(Path(name), io.BytesIO(data)):
        found.append(Verdict(Outcome.DIFFERENT) if isinstance(hand, Malformed) else replay(hand, GAMES))
    return found


@example(b"x = " + b"9" * 5000)
@example(b"x = " + b"[" * 3000)
@example(b"a." * 200_000 + b"a = 1")
@example(HOLDEM.replace(b"[0, 0, 0]", b'["", 0, 0]'))
@example(HOLDEM.replace(b"[0, 0, 0]", b"[true, 0, 0]"))
@example(HOLDEM.replace(b"[0, 0, 0]", b"[1e-99999999, 0, 0]"))
@example(HOLDEM.replace(b"[0, 0, 0]", b"[1e99999999, 0, 0]"))
@example(HOLDEM.replace(b"[0, 0, 0]", b"[0x" + b"f" * 5000 + b", 0, 0]"))
@example(HOLDEM.replace(b'"p3 cbr 7"', b'"p3 cbr x"'))
@example(HOLDEM.replace(b'"p3 cbr 7"', b"1.5"))
@fuzzed(400, spoilt(PHH, PHH_TOKENS))
def test_phh_of_any_bytes(data: bytes) -> None:
    verdicts("hands.phhs", data)


@example(b"[" * 3000)
@example(b'{"id":' * 3000)
@fuzzed(
    400,
    spoilt(LINES, (b'"seat":1', b'["As","As"]', b'{"seat":1,"amount":5}', b'"type":"draw"', b'"discard":9')),
)
def test_json_lines_of_any_bytes(data: bytes) -> None:
    verdicts("hands.jsonl", data)


@fuzzed(
    40,
    spoilt([gzip.compress(HOLDEM, mtime=0), gzip.compress(LINES[0], mtime=0)]),
    st.sampled_from(("x.phh.gz", "x.jsonl.gz")),
)
def test_compressed_files_of_any_bytes(data: bytes, name: str) -> None:
    verdicts(name, data)


@fuzzed(40, st.one_of(spoilt(PHH, PHH_TOKENS), spoilt(LINES)), st.sampled_from(sorted(files._READERS)))
def test_replay_of_garbage_reports(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, suffix: str
) -> None:
    path = tmp_path_factory.mktemp("garbage") / f"file{suffix}"
    path.write_bytes(data)
    out = io.StringIO()
    fine = replay_files([path], GAMES, Console(file=out, width=200), Console(file=io.StringIO()))
    assert fine or "different" in out.getvalue()
