"""The actions of a PHH hand ("p3 cbr 250", "d db AhKd2c"), as recorded actions and known cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from croupier.adapters.recorded.hand import Malformed, RecordedAction
from croupier.adapters.recorded.phh_amounts import Amounts

_STREETS: Final = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}


class ToldActions(NamedTuple):
    """What the players did after the posts, and the cards that became known ("??": an unknown one)."""

    actions: tuple[RecordedAction, ...]
    holes: dict[int, tuple[str, ...]]
    board: tuple[str, ...]


def read_actions(lines: Sequence[str], amounts: Amounts, players: int) -> ToldActions:
    """Raises Malformed for a line that is no action of the format."""
    actions: list[RecordedAction] = []
    holes: dict[int, tuple[str, ...]] = {}
    board: list[str] = []
    for line in lines:
        match line.partition("#")[0].split():
            case []:
                continue
            case ["d", "db", cards]:
                board += _cards(cards)
            case ["d", "dh", player, cards]:
                holes[_seat(player, players)] = _cards(cards)
            case [player, "sm", cards] if cards != "-":
                _show(holes, _seat(player, players), _cards(cards))
            case [player, "sm"] | [player, "sm", _]:
                _seat(player, players)
            case [player, *words]:
                actions.append(_action(_seat(player, players), words, _street(board), amounts))
            case _:
                raise Malformed(f"{line!r} is no action")
    return ToldActions(tuple(actions), holes, tuple(board))


def _action(seat: int, words: list[str], street: str, amounts: Amounts) -> RecordedAction:
    match words:
        case ["f"]:
            return RecordedAction(street, seat, "fold")
        case ["cc"]:
            return RecordedAction(street, seat, "check_or_call")
        case ["cbr", amount]:
            return RecordedAction(street, seat, "bet_or_raise", to=amounts.chips(amount))
        case _:
            raise Malformed(f"{' '.join(words)!r} is no action")


def _show(holes: dict[int, tuple[str, ...]], seat: int, cards: tuple[str, ...]) -> None:
    if "??" not in cards:
        holes[seat] = cards


def _street(board: Sequence[str]) -> str:
    try:
        return _STREETS[len(board)]
    except KeyError:
        raise Malformed(f"an action with {len(board)} cards on the board") from None


def _seat(player: str, players: int) -> int:
    if not player.startswith("p") or not player[1:].isdecimal() or not 0 < int(player[1:]) <= players:
        raise Malformed(f"{player!r} is no player of the hand")
    return int(player[1:])


def _cards(text: str) -> tuple[str, ...]:
    return tuple(text[at : at + 2] for at in range(0, len(text), 2))
