"""Amounts of a PHH hand, which may be fractions of a currency, as whole chips of one size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from croupier.adapters.recorded.hand import Malformed

Number = Decimal
"""How the file's numbers with a point are read: exactly."""

_UNTOLD_STACK: Final = 10**15
_MOST: Final = 10**18
_MOST_PLACES: Final = 18
"""Digits of an amount before and after its point: without bounds a few of a file's bytes fill the memory."""
_LISTS: Final = ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks", "winnings")
_SINGLE: Final = ("min_bet", "small_bet", "big_bet")


class Amounts:
    """Turns the numbers of one hand into chips, the smallest unit that the hand uses."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._scale = 10 ** max((_places(number) for number in _numbers(fields)), default=0)

    def chips(self, number: int | Decimal | str) -> int:
        """Raises Malformed for what is no amount. An infinite one, a stack not told, is more than any bet."""
        value = _decimal(number)
        if value.is_infinite():
            return _UNTOLD_STACK
        scaled = value * self._scale
        if scaled != int(scaled):
            raise Malformed(f"{number} is no whole number of chips")
        return int(scaled)


def _numbers(fields: Mapping[str, Any]) -> Iterator[Decimal]:
    told = [number for name in _LISTS for number in fields.get(name, ())]
    told += [fields[name] for name in _SINGLE if name in fields]
    words = [action.split() for action in fields.get("actions", ())]
    told += [action[2] for action in words if action[1:2] == ["cbr"]]
    for number in told:
        yield _decimal(number)


def _decimal(number: object) -> Decimal:
    """An amount as it is told. Raises Malformed for what is none."""
    value = Decimal("NaN")
    if type(number) in (int, Decimal, str):
        with suppress(InvalidOperation):
            value = Decimal(str(number).replace(",", ""))
    if value.is_nan() or (value.is_finite() and (abs(value) >= _MOST or _places(value) > _MOST_PLACES)):
        raise Malformed(f"{str(number)[:40]} is no amount")
    return value


def _places(number: Decimal) -> int:
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
