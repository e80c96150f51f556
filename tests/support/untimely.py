"""A request of every RPC that is good but for the state of the scene, which refuses it, or that changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from tests.support.live import CURRENCY, HOUSE
from tests.support.vouching import PASS

from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import evaluation_service_pb2 as evaluation
from croupier.v1 import hand_pb2, house_pb2, table_pb2
from croupier.v1 import operator_service_pb2 as operating
from croupier.v1 import seat_service_pb2 as seats
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1 import table_service_pb2 as tables

if TYPE_CHECKING:
    from tests.support.bad_calls import Scene

IDLER: Final = "eve"
"""Has a seat, and sits out."""
EXCLUDED: Final = "mona"
"""Has excluded herself for good."""

REQUESTS: Final[dict[str, Callable[[Scene], Message]]] = {
    "ListHouses": lambda _: tables.ListHousesRequest(),
    "CreateTable": lambda _: tables.CreateTableRequest(
        house_id=HOUSE, name="x", structure=house_pb2.BET_STRUCTURE_POT_LIMIT, min_bet=2000, seat_count=6
    ),
    "GetTable": lambda scene: tables.GetTableRequest(table_id=scene.busy, player_id="anna"),
    "ListTables": lambda _: tables.ListTablesRequest(house_id=HOUSE, page_size=10),
    "WatchTable": lambda scene: tables.WatchTableRequest(
        table_id=scene.busy, player_id="anna", resume_after_sequence=1
    ),
    "PauseTable": lambda scene: tables.PauseTableRequest(table_id=scene.paused),
    "ResumeTable": lambda scene: tables.ResumeTableRequest(table_id=scene.busy),
    "CloseTable": lambda scene: tables.CloseTableRequest(table_id=scene.closed),
    "GetServerInfo": lambda _: tables.GetServerInfoRequest(),
    "ReserveSeat": lambda scene: seats.ReserveSeatRequest(
        table_id=scene.busy, player_id=IDLER, seat_number=5, vouched=PASS
    ),
    "ReleaseSeat": lambda scene: seats.ReleaseSeatRequest(table_id=scene.busy, player_id=IDLER),
    "BuyIn": lambda scene: seats.BuyInRequest(table_id=scene.busy, player_id=IDLER, amount=100),
    "Rebuy": lambda scene: seats.RebuyRequest(table_id=scene.busy, player_id=IDLER, amount=1000),
    "CashOut": lambda scene: seats.CashOutRequest(table_id=scene.busy, player_id="nobody"),
    "Dismiss": lambda scene: seats.DismissRequest(table_id=scene.busy, player_id="nobody"),
    "SitOut": lambda scene: seats.SitOutRequest(table_id=scene.busy, player_id=IDLER),
    "SitIn": lambda scene: seats.SitInRequest(table_id=scene.busy, player_id="nobody"),
    "SetPreferences": lambda scene: seats.SetPreferencesRequest(
        table_id=scene.busy,
        player_id="nobody",
        preferences=table_pb2.Preferences(show_losing_hands=True),
    ),
    "JoinWaitingList": lambda scene: seats.JoinWaitingListRequest(table_id=scene.busy, player_id=IDLER),
    "LeaveWaitingList": lambda scene: seats.LeaveWaitingListRequest(table_id=scene.busy, player_id="nobody"),
    "Act": lambda scene: scene.act(hand_pb2.ACTION_KIND_RAISE_TO, 10**9),
    "SetAdvanceAction": lambda scene: betting.SetAdvanceActionRequest(
        table_id=scene.busy,
        player_id=IDLER,
        hand_id=scene.decision.hand_id,
        kind=table_pb2.ADVANCE_ACTION_KIND_CALL,
        call_amount=2,
    ),
    "ShowCards": lambda scene: betting.ShowCardsRequest(
        table_id=scene.busy, player_id="anna", hand_id=scene.decision.hand_id, cards=["As"]
    ),
    "CommitEntropy": lambda scene: betting.CommitEntropyRequest(
        table_id=scene.busy, player_id="nobody", commitment=bytes(32)
    ),
    "RevealEntropy": lambda scene: betting.RevealEntropyRequest(
        table_id=scene.busy, player_id="anna", hand_id=scene.decision.hand_id, entropy=bytes(32)
    ),
    "GetLegalActions": lambda scene: betting.GetLegalActionsRequest(table_id=scene.busy, player_id="anna"),
    "Deposit": lambda _: settlement.DepositRequest(player_id=IDLER, currency=CURRENCY, amount=10**12),
    "Withdraw": lambda _: settlement.WithdrawRequest(player_id=IDLER, currency=CURRENCY, amount=10**12),
    "GetBalance": lambda _: settlement.GetBalanceRequest(player_id=IDLER, currency=CURRENCY),
    "ListEntries": lambda scene: settlement.ListEntriesRequest(
        account_prefix="stack/", player_id="anna", table_id=scene.busy, page_size=10
    ),
    "GetHand": lambda scene: settlement.GetHandRequest(
        hand_id=f"{scene.busy}/1", player_id="anna", language="de"
    ),
    "ListHands": lambda scene: settlement.ListHandsRequest(
        table_id=scene.busy,
        played_by="anna",
        player_id="anna",
        from_time=Timestamp(seconds=1),
        to_time=Timestamp(seconds=2),
        page_size=10,
        language="en",
    ),
    "ExportHand": lambda scene: settlement.ExportHandRequest(
        hand_id=f"{scene.busy}/1", player_id="anna", format=settlement.HAND_FORMAT_PHH
    ),
    "VerifyHand": lambda scene: settlement.VerifyHandRequest(hand_id=f"{scene.busy}/1", player_id="anna"),
    "ResolveTable": lambda scene: operating.ResolveTableRequest(
        table_id=scene.busy, outcome=operating.RESOLVE_OUTCOME_VOID_HAND, reason="stuck", token="0" * 64
    ),
    "RemovePlayer": lambda scene: operating.RemovePlayerRequest(
        table_id=scene.busy, player_id="nobody", reason="asked for it"
    ),
    "BlockPlayer": lambda _: operating.BlockPlayerRequest(
        block=operating.PlayerBlock(
            player_id=EXCLUDED,
            kind=operating.BLOCK_KIND_SELF_EXCLUSION,
            until_time=Timestamp(seconds=2**33),
        ),
        reason="asked for less",
    ),
    "UnblockPlayer": lambda _: operating.UnblockPlayerRequest(player_id=EXCLUDED, reason="asked for it"),
    "AdjustBalance": lambda _: operating.AdjustBalanceRequest(
        player_id=IDLER, currency=CURRENCY, amount=-(10**12), reason="a bonus given twice"
    ),
    "ListOperations": lambda scene: operating.ListOperationsRequest(
        table_id=scene.busy, player_id="anna", page_size=10
    ),
    "EvaluateHands": lambda _: evaluation.EvaluateHandsRequest(
        game=house_pb2.GAME_HOLDEM,
        hands=[evaluation.HoleCards(cards=cards) for cards in (["As", "Ks"], ["Qd", "Qc"])],
        board=["2c", "7d", "9h"],
        language="de",
    ),
    "CalculateEquity": lambda _: evaluation.CalculateEquityRequest(
        game=house_pb2.GAME_HOLDEM,
        hands=[evaluation.HoleCards(cards=cards) for cards in (["As", "Ks"], ["Qd", "Qc"])],
        board=["2c", "7d", "9h"],
        dead_cards=["Kd"],
        max_samples=1000,
        seed=1,
    ),
}
