"""Reading house files: each is checked when the service starts, and an error names file, key and remedy."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec

from croupier.houses.house import House


class HouseError(Exception):
    """Raised when a house file cannot be used; the text names the file, the key and what would be right."""


def bundled() -> dict[str, House]:
    """The houses that come with the package, by house id."""
    folder = resources.files("croupier.houses")
    return load(entry for entry in folder.iterdir() if entry.name.endswith(".toml"))


def load(files: Iterable[Traversable]) -> dict[str, House]:
    """Houses by id. Raises HouseError."""
    houses: dict[str, House] = {}
    for file in sorted(files, key=lambda entry: entry.name):
        house = _read(file)
        if house.house_id in houses:
            raise HouseError(
                f"{file.name}: house_id {house.house_id!r} is taken by another file; choose another"
            )
        houses[house.house_id] = house
    return houses


def _read(file: Traversable) -> House:
    data = file.read_bytes()
    try:
        house = msgspec.toml.decode(data, type=House)
    except msgspec.DecodeError as error:
        raise HouseError(f"{file.name}: {error}") from error
    _check(file.name, house)
    return msgspec.structs.replace(house, digest=hashlib.sha256(data).hexdigest())


def _check(name: str, house: House) -> None:
    table = house.table
    for key, right, ok in (
        ("table.min_seat_count", "2 to 10", 2 <= table.min_seat_count <= table.max_seat_count),
        ("table.max_seat_count", "at most 10", table.max_seat_count <= 10),
        (
            "table.default_action_time_s",
            f"one of {list(table.action_times_s)}",
            table.default_action_time_s in table.action_times_s,
        ),
        ("buy_in.min_bets", "1 to buy_in.max_bets", 1 <= house.buy_in.min_bets <= house.buy_in.max_bets),
        ("rake.basis_points", "0 to 10000", 0 <= house.rake.basis_points <= 10_000),
        (
            "stakes",
            "even minimum bets of 2 or more, so that the small blind is half of one",
            all(
                bet >= 2 and bet % 2 == 0
                for bets in (house.stakes.no_limit, house.stakes.pot_limit, house.stakes.fixed_limit)
                for bet in bets
            ),
        ),
    ):
        if not ok:
            raise HouseError(f"{name}: {key} must be {right}")
