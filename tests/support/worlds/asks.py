"""What a viewer asks, RPC by RPC: what it may be told, what it is refused, and what others' secrets could change.

Nothing here moves the hand in play; every world is asked the same.
"""

from __future__ import annotations

from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from tests.support.worlds.asking import Fields, Moment, asks
from tests.support.worlds.contract import request

from croupier.v1 import evaluation_service_pb2 as evaluation
from croupier.v1 import hand_pb2, house_pb2, settlement_service_pb2, table_pb2

MUCH: Final = 10**13


def views_of(moment: Moment) -> list[str]:
    """In whose name a read is made: the viewer's own, nobody's, and somebody's whose it may not be."""
    return list(dict.fromkeys([moment.viewer.name, "", moment.other]))


@asks("TableService.ListHouses")
@asks("TableService.GetServerInfo")
def _nothing(_: Moment) -> Fields:
    yield {}


@asks("TableService.CreateTable")
def _create(moment: Moment) -> Fields:
    if moment.viewer.principal.role in ("backend", "operator") and moment.random.random() < 0.9:
        yield {"request_id": f"{moment.unique}", "house_id": "no such house", "min_bet": 2}
    else:
        yield {
            "request_id": f"{moment.unique}",
            "house_id": "puzzle_pirates",
            "structure": house_pb2.BET_STRUCTURE_NO_LIMIT,
            "min_bet": 2,
        }


@asks("TableService.GetTable")
def _table(moment: Moment) -> Fields:
    for name in views_of(moment):
        yield {"table_id": moment.table_id, "player_id": name}
    yield {"table_id": "no such table"}


@asks("TableService.ListTables")
def _tables(moment: Moment) -> Fields:
    yield {"page_size": 1}
    yield {"house_id": moment.house_id}


@asks("TableService.WatchTable")
def _watch(moment: Moment) -> Fields:
    """Streams that are left at once; those that are stayed with are the world's."""
    for name in views_of(moment):
        yield {"table_id": moment.table_id, "player_id": name, "resume_after_sequence": 0}
        yield {"table_id": moment.table_id, "player_id": name, "heartbeat_interval": Duration(seconds=1)}
    for after, private in ((moment.sequence, 1), (moment.sequence + 1, 0), (1, moment.sequence)):
        yield {
            "table_id": moment.table_id,
            "player_id": moment.name,
            "resume_after_sequence": after,
            "resume_after_private_sequence": private,
        }


def probe(moment: Moment, private_sequence: int) -> Message:
    """Whether there can have been so many private events."""
    return request(
        "TableService.WatchTable",
        table_id=moment.table_id,
        player_id=moment.name,
        resume_after_sequence=moment.sequence,
        resume_after_private_sequence=private_sequence,
    )


@asks("TableService.PauseTable")
@asks("TableService.ResumeTable")
def _pause(moment: Moment) -> Fields:
    yield {"request_id": f"{moment.unique}", "table_id": moment.table_id}


@asks("TableService.CloseTable")
def _close(moment: Moment) -> Fields:
    yield {"request_id": f"{moment.unique}", "table_id": "no such table"}


@asks("SeatService.ReserveSeat")
def _reserve(moment: Moment) -> Fields:
    yield {**moment.key(moment.name), "seat_number": 1}
    yield {**moment.key(moment.other), "seat_number": 2}


@asks("SeatService.ReleaseSeat")
@asks("SeatService.LeaveWaitingList")
def _one_of_them(moment: Moment) -> Fields:
    yield moment.key(moment.name)
    if moment.other not in moment.viewer.sees:
        yield moment.key(moment.other)


@asks("SeatService.CashOut")
@asks("SeatService.Dismiss")
@asks("SeatService.SitOut")
def _for_others(moment: Moment) -> Fields:
    """Refused: the viewer's own leaving is a move of the game."""
    other = moment.other if moment.other not in moment.viewer.sees else "zoe"
    yield moment.key(other)


@asks("SeatService.SitIn")
def _sit_in(moment: Moment) -> Fields:
    yield {**moment.key("zoe"), "wait_for_big_blind": True}


@asks("SeatService.BuyIn")
@asks("SeatService.Rebuy")
def _amounts(moment: Moment) -> Fields:
    for name in (moment.name, moment.other):
        yield {**moment.key(name), "amount": MUCH}


@asks("SeatService.SetPreferences")
def _prefer(moment: Moment) -> Fields:
    wished = table_pb2.Preferences(show_losing_hands=moment.random.random() < 0.5)
    yield {**moment.key(moment.name), "preferences": wished}
    if moment.other not in moment.viewer.sees:
        yield {**moment.key(moment.other), "preferences": wished}


@asks("SeatService.JoinWaitingList")
def _join(moment: Moment) -> Fields:
    yield moment.key("walt")
    yield moment.key(moment.name)


@asks("BettingService.Act")
def _act(moment: Moment) -> Fields:
    """Late, early, out of turn and malformed."""
    for name in (moment.name, moment.other):
        act = {**moment.key(name), "action": hand_pb2.ACTION_KIND_CHECK}
        yield {**act, "hand_id": moment.hand(), "action_sequence": 10**6}
        yield {**act, "hand_id": moment.hand(1), "action_sequence": 1}
        if name != moment.actor:
            yield {**act, "hand_id": moment.hand(), "action_sequence": moment.action_sequence}
    too_much = {**moment.key(moment.name), "action": hand_pb2.ACTION_KIND_RAISE_TO, "amount": MUCH}
    yield {**too_much, "hand_id": moment.hand(), "action_sequence": moment.action_sequence}


@asks("BettingService.SetAdvanceAction")
def _advance(moment: Moment) -> Fields:
    for name in (moment.name, moment.other):
        if name != moment.actor and (name == moment.name or name not in moment.viewer.sees):
            said = {**moment.key(name), "hand_id": moment.hand()}
            yield {**said, "kind": table_pb2.ADVANCE_ACTION_KIND_CALL, "call_amount": 999_999}
            yield {**said, "request_id": f"{moment.unique} back"}


@asks("BettingService.ShowCards")
def _show(moment: Moment) -> Fields:
    for name in (moment.name, moment.other):
        yield {**moment.key(name), "hand_id": moment.hand(), "cards": ["As"]}


@asks("BettingService.CommitEntropy")
def _commit(moment: Moment) -> Fields:
    for name in ("zoe", moment.other):
        if name not in moment.viewer.sees:
            yield {**moment.key(name), "commitment": bytes(32)}
    yield {**moment.key(moment.name), "commitment": b"short"}


@asks("BettingService.RevealEntropy")
def _reveal(moment: Moment) -> Fields:
    for name in (moment.name, moment.other):
        yield {**moment.key(name), "hand_id": moment.hand(), "entropy": bytes(32)}


@asks("BettingService.GetLegalActions")
def _legal(moment: Moment) -> Fields:
    for name in (moment.name, moment.other):
        yield {"table_id": moment.table_id, "player_id": name}


@asks("SettlementService.Deposit")
@asks("SettlementService.Withdraw")
def _money(moment: Moment) -> Fields:
    for name, amount in ((moment.name, 1), (moment.name, 10**11), (moment.other, 10**12)):
        if name == moment.name or name not in moment.viewer.sees:
            key = {"request_id": f"{moment.unique} {amount}", "player_id": name}
            yield {**key, "currency": moment.currency, "amount": amount}


@asks("SettlementService.GetBalance")
def _balance(moment: Moment) -> Fields:
    for name in (moment.name, moment.other):
        yield {"player_id": name, "currency": moment.currency}


@asks("SettlementService.ListEntries")
def _entries(moment: Moment) -> Fields:
    yield {"page_size": 200}
    for name in (moment.name, moment.other):
        yield {"player_id": name, "page_size": 3}
    yield {"account_prefix": "wallet/", "table_id": moment.table_id}


def _hand_ids(moment: Moment) -> list[str]:
    return [moment.hand(back) for back in (0, 1, 2) if moment.hand_number > back]


@asks("SettlementService.GetHand")
@asks("SettlementService.VerifyHand")
def _hands(moment: Moment) -> Fields:
    for hand_id in _hand_ids(moment):
        for name in views_of(moment):
            yield {"hand_id": hand_id, "player_id": name}


@asks("SettlementService.ExportHand")
def _exports(moment: Moment) -> Fields:
    for fields in _hands(moment):
        for form in settlement_service_pb2.HandFormat.values():
            yield {**fields, "format": form}


@asks("SettlementService.ListHands")
def _list(moment: Moment) -> Fields:
    for name in views_of(moment):
        yield {"table_id": moment.table_id, "player_id": name}
        yield {"played_by": moment.other, "player_id": name, "page_size": 1}


_CARDS: Final = (("As", "Ks"), ("Qd", "Qc"))


@asks("EvaluationService.EvaluateHands")
@asks("EvaluationService.CalculateEquity")
def _evaluate(_: Moment) -> Fields:
    hands = [evaluation.HoleCards(cards=cards) for cards in _CARDS]
    yield {"game": house_pb2.GAME_HOLDEM, "hands": hands, "board": ["2c", "7h", "Js"]}


@asks("OperatorService.ResolveTable")
def _resolve(moment: Moment) -> Fields:
    for outcome in (1, 2):
        key = {"request_id": f"{moment.unique} {outcome}", "table_id": moment.table_id}
        yield {**key, "outcome": outcome, "reason": "a look", "dry_run": True}


@asks("OperatorService.RemovePlayer")
def _remove(moment: Moment) -> Fields:
    yield {**moment.key("zoe"), "reason": "nobody there"}


@asks("OperatorService.BlockPlayer")
def _block(moment: Moment) -> Fields:
    yield {"request_id": f"{moment.unique}", "block": {"player_id": "zoe", "kind": 1}, "reason": "a test"}


@asks("OperatorService.UnblockPlayer")
def _unblock(moment: Moment) -> Fields:
    yield {"request_id": f"{moment.unique}", "player_id": "zoe", "reason": "a test"}


@asks("OperatorService.AdjustBalance")
def _adjust(moment: Moment) -> Fields:
    key = {"request_id": f"{moment.unique}", "player_id": moment.other, "currency": moment.currency}
    yield {**key, "amount": -MUCH, "reason": "a test"}


@asks("OperatorService.ListOperations")
def _operations(moment: Moment) -> Fields:
    yield {"page_size": 5}
    yield {"player_id": moment.other}
