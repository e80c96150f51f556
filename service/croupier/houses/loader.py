"""Reading house files: each is checked when the service starts, and an error names file, key and remedy."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path

from croupier.engine.game import Game
from croupier.houses import reading, toml
from croupier.houses.checks import check
from croupier.houses.house import House
from croupier.houses.offers import offers_of
from croupier.houses.schema import HouseFile


class HouseError(Exception):
    """Raised when a house cannot be used; the text names the file, the key and what would be right."""


def load(
    games: Mapping[str, Game], house_dir: str = "", max_min_bets: Mapping[str, int] | None = None
) -> dict[str, House]:
    """The bundled houses and those of `house_dir`, in order of house id. Raises HouseError.

    `games` are those that can be played; `max_min_bets` caps the minimum bets of houses by id (R-T2).
    """
    caps = dict(max_min_bets or {})
    houses: dict[str, House] = {}
    sources: dict[str, str] = {}
    for source, data in [*_bundled_files(), *_own_files(house_dir)]:
        house = read(source, data, games, caps)
        house_id = house.house_id
        if house_id in houses:
            raise HouseError(
                f"{source}: house_id {house_id!r} is that of {sources[house_id]}; choose another"
            )
        houses[house_id] = house
        sources[house_id] = source
    for house_id in caps:
        if house_id not in houses:
            known = ", ".join(sorted(houses))
            raise HouseError(f"max_min_bet names {house_id!r}, which is no house; there are {known}")
    return dict(sorted(houses.items()))


def _bundled_files() -> Iterator[tuple[str, bytes]]:
    for file in sorted(resources.files("croupier.houses").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            yield f"bundled {file.name}", file.read_bytes()


def _own_files(house_dir: str) -> Iterator[tuple[str, bytes]]:
    """The operator's files; one that cannot be read keeps the service from starting."""
    if not house_dir:
        return
    try:
        files = sorted(file for file in Path(house_dir).iterdir() if file.suffix == ".toml")
        for file in files:
            yield str(file), file.read_bytes()
    except OSError as error:
        raise HouseError(f"house_dir: {error.filename} cannot be read: {error.strerror}") from error


def read(
    name: str, data: bytes, games: Mapping[str, Game], max_min_bets: Mapping[str, int] | None = None
) -> House:
    """One house from the bytes of its file, which errors call `name`. Raises HouseError."""
    try:
        file = reading.struct(toml.loads(data), HouseFile)
        check(file, games)
    except toml.NoToml as error:
        raise HouseError(f"{name} {error}") from error
    except reading.Unfit as error:
        raise HouseError(f"{name}: {error}") from error
    cap = (max_min_bets or {}).get(file.house_id)
    offers = offers_of(file, cap)
    if not offers:
        raise HouseError(f"max_min_bet {file.house_id}={cap} leaves that house nothing to offer; raise it")
    return House(file, offers, hashlib.sha256(data).hexdigest())
