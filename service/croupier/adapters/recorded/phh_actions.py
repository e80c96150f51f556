"""The actions of a PHH hand ("p3 cbr 250", "d db AhKd2c"), as recorded actions and known cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from croupier.adapters.recorded.hand import Malformed, RecordedAction
from croupier.adapters.recorded.phh_amounts import Amounts

_STREETS: Final = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}

Cards = tuple[str, ...]


class ToldActions(NamedTuple):
    """What the players did after the posts, and the cards that became known ("??": an unknown one).

    `holes` are as dealt, but where hands were shown in a game without draws; `final_hands` were shown after a draw.
    """

    actions: tuple[RecordedAction, ...]
    holes: dict[int, Cards]
    final_hands: dict[int, Cards]
    board: Cards

    def known(self, seat: int) -> bool:
        """Whether the hand that a seat ended with is told."""
        if seat in self.final_hands:
            return True
        drawn = [card for action in self.actions if action.seat == seat for card in self._moved(action)]
        held = self.holes.get(seat, ())
        return bool(held) and "??" not in (*held, *drawn)

    @staticmethod
    def _moved(action: RecordedAction) -> Cards:
        told = action.discarded and action.drawn
        return ("??",) if action.discard and not told else (*action.discarded, *action.drawn)


def read_actions(lines: Sequence[str], amounts: Amounts, players: int, *, draws: bool = False) -> ToldActions:
    """Raises Malformed for a line that is no action of the format."""
    reading = _Reading(amounts, players, draws=draws)
    for line in lines:
        reading.read(line, line.partition("#")[0].split())
    return reading.told()


class _Reading:
    def __init__(self, amounts: Amounts, players: int, *, draws: bool) -> None:
        self._amounts = amounts
        self._players = players
        self._draws = draws
        self._actions: list[RecordedAction] = []
        self._holes: dict[int, Cards] = {}
        self._final_hands: dict[int, Cards] = {}
        self._board: list[str] = []
        self._drawing: dict[int, int] = {}
        """Where the draw of each seat that has drawn is among the actions."""

    def told(self) -> ToldActions:
        return ToldActions(tuple(self._actions), self._holes, self._final_hands, tuple(self._board))

    def read(self, line: str, words: Sequence[str]) -> None:
        match words:
            case []:
                return
            case ["d", "db", cards]:
                self._board += _cards(cards)
            case ["d", "dh", player, cards]:
                self._dealt(self._seat(player), _cards(cards))
            case [player, "sm", cards] if cards != "-":
                self._shown(self._seat(player), _cards(cards))
            case [player, "sm"] | [player, "sm", _]:
                self._seat(player)
            case [player, *rest]:
                self._act(self._seat(player), rest)
            case _:
                raise Malformed(f"{line!r} is no action")

    def _seat(self, player: str) -> int:
        if not player.startswith("p") or not player[1:].isdecimal():
            raise Malformed(f"{player!r} is no player of the hand")
        if not 0 < int(player[1:]) <= self._players:
            raise Malformed(f"{player!r} is no player of the hand")
        return int(player[1:])

    def _dealt(self, seat: int, cards: Cards) -> None:
        place = self._drawing.get(seat)
        if place is None:
            self._holes[seat] = cards
        elif "??" not in cards:
            self._actions[place] = msgspec.structs.replace(self._actions[place], drawn=cards)

    def _shown(self, seat: int, cards: Cards) -> None:
        if "??" not in cards:
            (self._final_hands if self._draws else self._holes)[seat] = cards

    def _act(self, seat: int, words: Sequence[str]) -> None:
        match words:
            case ["f"]:
                action = RecordedAction(self._street(), seat, "fold")
            case ["cc"]:
                action = RecordedAction(self._street(), seat, "check_or_call")
            case ["cbr", amount]:
                action = RecordedAction(self._street(), seat, "bet_or_raise", to=self._amounts.chips(amount))
            case ["sd"] | ["sd", _] if self._draws:
                self._drawing[seat] = len(self._actions)
                discarded = _cards(words[1]) if len(words) > 1 else ()
                told = () if "??" in discarded else discarded
                action = RecordedAction("draw", seat, "draw", discard=len(discarded), discarded=told)
            case _:
                raise Malformed(f"{' '.join(words)!r} is no action")
        self._actions.append(action)

    def _street(self) -> str:
        if self._draws:
            return "postdraw" if self._drawing else "predraw"
        try:
            return _STREETS[len(self._board)]
        except KeyError:
            raise Malformed(f"an action with {len(self._board)} cards on the board") from None


def _cards(text: str) -> Cards:
    return tuple(text[at : at + 2] for at in range(0, len(text), 2))
