"""A story in which every kind of command occurs: money, seats, hands, draws, decks that players have a share in."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Final

from google.protobuf.duration_pb2 import Duration
from tests.support.crash.teller import Teller
from tests.support.operator_house import HOUSE_ID, TEXT
from tests.support.vouching import PASS

from croupier.v1 import hand_pb2, house_pb2, operator_service_pb2
from croupier.v1.operator_service_pb2 import PlayerBlock
from croupier.v1.table_pb2 import Preferences

CURRENCY: Final = "EUR"
ANNA, BERT, CLEO, DORA, EGON = "anna", "bert", "cleo", "dora", "egon"
HOUSE_TEXT: Final = f"""{TEXT}
[showdown]
show_window_s = 10

[seal]
hand_keys = "destroy"
"""
_PAUSE_S: Final = 5


def write_house(directory: Path) -> Path:
    """The folder of a house whose tables have all that the story needs."""
    houses = directory / "houses"
    houses.mkdir(exist_ok=True)
    (houses / f"{HOUSE_ID}.toml").write_text(HOUSE_TEXT)
    return houses


def tell(teller: Teller) -> None:
    _Money(teller).tell()
    _Holdem(teller).tell()
    _Drawing(teller).tell()
    _Operated(teller).tell()
    _Shared(teller).tell()


class _Chapter:
    """At one table, with the players who take part."""

    players: tuple[str, ...] = ()

    def __init__(self, teller: Teller) -> None:
        self.teller = teller
        self.table_id = ""
        self.table: Any = None
        """As everybody sees it, since the last thing that happened."""

    def create(self, **named: Any) -> None:
        named.setdefault("game", house_pb2.GAME_HOLDEM)
        made = self.teller.ask("CreateTable", house_id=HOUSE_ID, **named)
        self.table_id = made.table.table_id
        self.look()

    def ask(self, method: str, **content: Any) -> Any:
        answer = self.teller.ask(method, table_id=self.table_id, **content)
        self.look()
        return answer

    def tick(self, kind: str) -> None:
        self.teller.tick(kind)
        self.look()

    def look(self) -> None:
        self.table = self.teller.look(self.table_id, *self.players)

    def deposit(self, player: str, amount: int = 1000) -> None:
        self.teller.ask("Deposit", player_id=player, currency=CURRENCY, amount=amount)

    def reserve(self, player: str, number: int) -> None:
        self.ask("ReserveSeat", player_id=player, seat_number=number, vouched=PASS)

    def sit(self, player: str, number: int, amount: int = 100) -> None:
        self.reserve(player, number)
        self.ask("BuyIn", player_id=player, amount=amount)

    def decision(self) -> hand_pb2.Decision:
        """The one that stands, with what is legal."""
        player = self.table.next_decision.player_id
        return self.teller.read("GetLegalActions", table_id=self.table_id, player_id=player).decision  # type: ignore[no-any-return]

    def act(self, action: str = "", **content: Any) -> None:
        """By whoever has to: check or call, unless named otherwise."""
        decision = self.decision()
        quiet = "CHECK" if decision.legal_actions.can_check else "CALL"
        self.ask(
            "Act",
            player_id=decision.player_id,
            hand_id=decision.hand_id,
            action_sequence=decision.action_sequence,
            action=f"ACTION_KIND_{action or quiet}",
            **content,
        )

    def hand_number(self) -> int:
        hand_id = self.table.next_decision.hand_id
        return int(hand_id.rpartition("/")[2]) if hand_id else 0

    def play_out(self) -> None:
        """Check and call until the hand is over, and exchange two cards where that is asked."""
        number = self.hand_number()
        while number and self.hand_number() == number:
            if self.decision().legal_actions.can_draw:
                self.act("DRAW", discards=self.cards()[:2])
            else:
                self.act()

    def close(self) -> None:
        """Players leave one by one, so that payouts come in one order, and the table is closed."""
        while seated := [seat.player_id for seat in self.table.seats if seat.player_id]:
            self.ask("CashOut", player_id=seated[0])
            self.play_out()
        self.ask("CloseTable")

    def cards(self) -> list[str]:
        """What whoever has to act holds."""
        player = self.table.next_decision.player_id
        table = self.teller.read("GetTable", table_id=self.table_id, player_id=player).table
        return next(list(seat.hole_cards) for seat in table.hand.seats if seat.player_id == player)


class _Money(_Chapter):
    players = (ANNA, BERT)

    def tell(self) -> None:
        """Seats reserved, let go and lost; a buy-in that the wallet refuses."""
        self.deposit(ANNA)
        self.teller.ask("Withdraw", player_id=ANNA, currency=CURRENCY, amount=900)
        self.create(structure=house_pb2.BET_STRUCTURE_NO_LIMIT, min_bet=2, seat_count=3)
        self.reserve(ANNA, 1)
        self.ask("ReleaseSeat", player_id=ANNA)
        self.reserve(ANNA, 2)
        self.tick("ExpireReservation")
        self.reserve(ANNA, 3)
        self.teller.ask_in_vain(
            "BuyIn", "INSUFFICIENT_FUNDS", table_id=self.table_id, player_id=ANNA, amount=150
        )
        self.look()
        self.ask("BuyIn", player_id=ANNA, amount=100)
        self.close()


class _Holdem(_Chapter):
    players = (ANNA, BERT, CLEO)

    def tell(self) -> None:
        """Hands of three, with whatever players may do beside them."""
        for player in (ANNA, BERT, CLEO, DORA, EGON):
            self.deposit(player)
        self.create(structure=house_pb2.BET_STRUCTURE_NO_LIMIT, min_bet=2, seat_count=3)
        self.sit(ANNA, 1)
        self.sit(BERT, 2)
        self.sit(CLEO, 3)
        self.play_out()
        self.ask("SetPreferences", player_id=CLEO, preferences=Preferences(show_losing_hands=True))
        self._bets()
        self._waiting()
        self.play_out()
        self.tick("TimeOut")
        self.play_out()
        self._away()
        self.close()

    def _bets(self) -> None:
        """A raise, an action in advance, and a rebuy in mid-hand, which does not all fit."""
        decision = self.decision()
        other = next(player for player in self.players if player != decision.player_id)
        self.ask(
            "SetAdvanceAction",
            player_id=other,
            hand_id=decision.hand_id,
            kind="ADVANCE_ACTION_KIND_CHECK_FOLD",
        )
        self.act("RAISE_TO", amount=decision.legal_actions.min_raise_to)
        self.ask("Rebuy", player_id=ANNA, amount=20)
        self.play_out()

    def _waiting(self) -> None:
        for player in (DORA, EGON):
            self.ask("JoinWaitingList", player_id=player, vouched=PASS)
        self.ask("LeaveWaitingList", player_id=DORA)

    def _away(self) -> None:
        """Who sits out too long loses the seat, which is offered to who waits; who is sent away folds."""
        self.ask("SitOut", player_id=CLEO)
        self.ask("SitIn", player_id=CLEO)
        self.ask("SitOut", player_id=CLEO)
        self.ask("PauseTable")
        self.play_out()
        self.tick("ExpireKeptSeat")
        self.tick("ExpireOffer")
        self.ask("ResumeTable")
        self.act()
        self.ask("Dismiss", player_id=BERT)
        self.play_out()


class _Drawing(_Chapter):
    players = (ANNA, BERT)

    def tell(self) -> None:
        """A hand of draw in which both exchange cards."""
        self.create(
            structure=house_pb2.BET_STRUCTURE_FIXED_LIMIT,
            min_bet=10,
            seat_count=2,
            game=house_pb2.GAME_FIVE_CARD_DRAW,
        )
        self.sit(ANNA, 1, 400)
        self.sit(BERT, 2, 400)
        self.play_out()
        self.close()


class _Operated(_Chapter):
    players = (ANNA, BERT)

    def tell(self) -> None:
        """What operators do: a hand voided, a player removed, another blocked for a while, a wallet corrected."""
        self.by_operator("AdjustBalance", player_id=ANNA, currency=CURRENCY, amount=50)
        block = PlayerBlock(player_id=DORA, kind=operator_service_pb2.BLOCK_KIND_OPERATOR)
        self.by_operator("BlockPlayer", block=block)
        self.by_operator("UnblockPlayer", player_id=DORA)
        self.create(structure=house_pb2.BET_STRUCTURE_NO_LIMIT, min_bet=2, seat_count=2)
        self.sit(ANNA, 1)
        self.sit(BERT, 2)
        self.act()
        self.ask("PauseTable")
        void = {"table_id": self.table_id, "outcome": "RESOLVE_OUTCOME_VOID_HAND", "reason": "a story"}
        token = self.teller.read("ResolveTable", request_id="tried out", dry_run=True, **void).token
        self.by_operator("ResolveTable", table_id=self.table_id, outcome=void["outcome"], token=token)
        self.ask("ResumeTable")
        self.by_operator("RemovePlayer", table_id=self.table_id, player_id=BERT)
        self.look()
        self.play_out()
        self.close()
        self.teller.look_up("ListOperations")

    def by_operator(self, method: str, **content: Any) -> None:
        self.teller.ask(method, reason="a story", **content)


class _Shared(_Chapter):
    players = (ANNA, BERT)

    def tell(self) -> None:
        """A deal that a player has a share in; afterwards a loser shows cards, the last thing to happen."""
        self.create(
            structure=house_pb2.BET_STRUCTURE_NO_LIMIT,
            min_bet=2,
            seat_count=2,
            hand_pause=Duration(seconds=_PAUSE_S),
        )
        self.sit(ANNA, 1)
        entropy = hashlib.sha256(b"anna's").digest()
        commitment = hashlib.sha256(entropy).digest()
        self.ask("CommitEntropy", player_id=ANNA, commitment=commitment)
        self.sit(BERT, 2)
        hand_id = f"{self.table_id}/1"
        self.ask("RevealEntropy", player_id=ANNA, hand_id=hand_id, entropy=entropy)
        self.tick("StartHand")
        self.play_out()
        self.teller.ask_while_it_may(
            "ShowCards", "SHOW_NOT_ALLOWED", table_id=self.table_id, player_id=ANNA, hand_id=hand_id
        )
