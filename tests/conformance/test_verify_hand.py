"""Hands of every kind are proved by two programs that know nothing of Croupier, and nothing tampered with is.

TAMPERINGS is how many answers are tampered with: 2,000 unless it says otherwise; 100,000 take five minutes and
`--timeout 0`.
"""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
from base64 import b64decode
from collections import Counter
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any, Final

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.draw_tables import discard, five_aces
from tests.support.require import require
from tests.support.tampering import KINDS, tampered
from tests.support.verifying import NODE, PYTHON, answer_of, verdicts

from croupier.engine import commands as cmd
from croupier.engine.actions import CALL, CHECK, FOLD, BetTo

TAMPERINGS: Final = int(os.environ.get("TAMPERINGS", "2000"))
A_LOT: Final = 2000
HANDS: Final = 12
PAUSE_S: Final = 3
Answer = dict[str, Any]


async def share(table: SimulatedTable, players: list[str], random: Random) -> None:
    """Some commit while a hand is played, some of them reveal after it."""
    number = table.decision.hand_number + 1
    secrets = {player: random.randbytes(32) for player in players if random.random() < 0.5}
    for player, entropy in secrets.items():
        command = cmd.CommitEntropy(player, sha256(entropy).digest())
        await table.room.sharing.take(table.key("CommitEntropy"), table.table_id, command)
    while table.actor.decision() is not None and table.decision.hand_number < number:
        await step(table, random)
    await table.runtime.idle()
    for player, entropy in secrets.items():
        if random.random() < 0.7:
            reveal = cmd.RevealEntropy(player, number, entropy)
            await table.room.sharing.take(table.key("RevealEntropy"), table.table_id, reveal)
    await table.sleep(PAUSE_S)


async def step(table: SimulatedTable, random: Random) -> None:
    legal = table.decision.legal
    if legal.can_draw:
        await discard(table, random.choice((0, 1, 2, 3, 3, 3)))
    elif random.random() < 0.05:
        await table.act(FOLD)
    elif legal.call_amount:
        await table.act(CALL)
    elif legal.can_check:
        await table.act(CHECK)
    else:
        await table.act(BetTo(legal.min_bet_to))


def played(seed: int, seats: int, **rules: Any) -> list[Answer]:
    """What everybody and two of the players are told of each hand."""
    answers: list[Answer] = []

    @simulated(seed)
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await SimulatedTable.open(
            runtime, **{**rules, "hand_pause_ms": PAUSE_S * 1000, "seat_count": seats}
        )
        random = Random(seed)
        players = [f"player-{seat}" for seat in range(1, seats + 1)]
        for seat, player in enumerate(players, start=1):
            await table.sit(player, seat)
        await table.sleep(PAUSE_S)
        for _ in range(HANDS):
            await share(table, players, random)
        await table.sleep(1)
        for number in range(1, HANDS + 1):
            answers.extend(
                [await answer_of(table, number, viewer) for viewer in ("", players[0], players[1])]
            )

    scenario()
    return answers


@cache
def answers_of(game: str) -> list[Answer]:
    if game == "five_card_draw":
        return played(3, 9, **five_aces())
    return played(4, 6, game=game)


GAMES: Final = ("holdem", "omaha_hi_lo", "five_card_draw")


@pytest.mark.parametrize("game", GAMES)
def test_both_programs_prove_every_hand(game: str) -> None:
    answers = answers_of(game)
    told = [f"proved: {len(answer.get('openings', []))} cards" for answer in answers]
    assert verdicts(answers) == told
    assert any(part.get("entropy") for answer in answers for part in answer["deal"].get("shares", []))
    assert not all(part.get("entropy") for answer in answers for part in answer["deal"].get("shares", []))
    if game == "five_card_draw":
        decks = {opening.get("deck", 0) for answer in answers for opening in answer.get("openings", [])}
        assert decks >= {0, 1, 2}, "stubs were reshuffled, more than once in a hand"
    if shutil.which(NODE[0]) is None:
        require("node", "node is not installed")
    assert verdicts(answers, NODE) == told


def test_a_number_may_be_written_as_json_allows() -> None:
    if shutil.which(NODE[0]) is None:
        require("node", "node is not installed")
    answer = copy.deepcopy(answers_of("holdem")[0])
    for player in answer["players"]:
        player["seatNumber"] = float(player["seatNumber"])
    (python,), (node,) = verdicts([answer]), verdicts([answer], NODE)
    assert python == node == f"proved: {len(answer.get('openings', []))} cards"


def test_nothing_tampered_with_is_proved_by_either_program() -> None:
    if shutil.which(NODE[0]) is None:
        require("node", "node is not installed")
    answers = [answer for game in GAMES for answer in answers_of(game) if len(answer.get("openings", [])) > 1]
    random = Random(11)
    kinds: Counter[str] = Counter()
    while (left := TAMPERINGS - kinds.total()) > 0:
        changed = [tampered(random.choice(answers), random) for _ in range(min(left, A_LOT))]
        kinds.update(kind for _, kind in changed)
        for program in (PYTHON, NODE):
            told = verdicts([answer for answer, _ in changed], program)
            wrong = [kind for (_, kind), said in zip(changed, told, strict=True) if "refused" not in said]
            assert not wrong, (program, wrong)
    assert len(kinds) == len(KINDS)
    assert min(kinds.values()) * 100 > TAMPERINGS, kinds
    print(f"\n{kinds.total():,} tamperings, each refused by both programs")


@pytest.mark.parametrize("program", [PYTHON, NODE], ids=["python", "node"])
def test_another_deal_than_the_one_told_before_is_refused(program: tuple[str, ...]) -> None:
    """A service that makes up a deal afterwards proves it, but not to who kept what HandStarted said."""
    if shutil.which(program[0]) is None:
        require("node", "node is not installed")
    one, other = answers_of("holdem")[0], answers_of("holdem")[3]

    def said(answer: Answer, told: Answer) -> tuple[int, str]:
        deal = told["deal"]
        options = ["--digest", b64decode(deal["dealDigest"]).hex()]
        for root in deal["deckRoots"]:
            options += ["--root", b64decode(root).hex()]
        done = subprocess.run(
            [*program, *options], input=json.dumps(answer), capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout

    assert said(one, one)[0] == 0
    code, text = said(one, other)
    assert code == 1
    assert text.startswith("refused: the ")
