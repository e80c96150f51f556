"""House files of any bytes: a house, or a HouseError that names the file."""

from __future__ import annotations

from importlib import resources
from typing import Final

from hypothesis import example
from tests.fuzz.spoiling import fuzzed, spoilt
from tests.support.operator_house import TEXT

from croupier.adapters.games import GAMES
from croupier.houses.loader import HouseError, read

HOUSES: Final = [
    TEXT.encode(),
    *(
        file.read_bytes()
        for file in resources.files("croupier.houses").iterdir()
        if file.name.endswith(".toml")
    ),
]


@example(b"house_id = " + b"9" * 5000)
@example(b"house_id = 0x" + b"f" * 5000)
@example(b"house_id = " + b"[" * 3000)
@example(b"a." * 200_000 + b"a = 1")
@example(b'"a b".' * 200_000 + b"a = 1")
@example(b"x" * 9000 + b" = 1")
@example(HOUSES[0].replace(b"[games.holdem]", b"[games." + b"x" * 9000 + b"]"))
@example(b'house_id = "' + b"x" * 9000 + b'"')
@fuzzed(
    200, spoilt(HOUSES, (b"[[offers]]\n", b"[rake]\n", b"min_bets = []\n", b'"no_limit"', b"999999999999,"))
)
def test_a_house_or_an_error_that_names_the_file(data: bytes) -> None:
    told = "some.toml"
    try:
        assert read("some.toml", data, GAMES).offers
    except HouseError as error:
        told = str(error)
    assert told.startswith("some.toml")
    assert len(told) < 2000
