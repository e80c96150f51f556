"""What operators did and what came of it as croupier.v1 messages."""

from __future__ import annotations

from croupier.adapters.rpc import messages
from croupier.room.answers import ResolvedAnswer
from croupier.room.hand_id import hand_id_of
from croupier.room.operations import Block, LoggedOperation, Standing, TableStanding
from croupier.v1 import operator_service_pb2 as pb
from croupier.v1 import table_pb2


def resolved(answer: ResolvedAnswer, table_id: str) -> pb.ResolveTableResponse:
    """How the table stood and stands."""
    return pb.ResolveTableResponse(
        sequence=answer.sequence,
        before=_table(answer.before, table_id),
        after=_table(answer.after, table_id),
        token=answer.token,
    )


def block(known: Block) -> pb.PlayerBlock:
    """A block; one for good has no end."""
    return pb.PlayerBlock(
        player_id=known.player_id,
        kind=pb.BlockKind.Value(f"BLOCK_KIND_{known.kind}"),
        house_id=known.house_id,
        until_time=messages.timestamp(known.until) if known.until else None,
    )


def operation(logged: LoggedOperation) -> pb.Operation:
    """An entry of the operator log."""
    one = logged.operation
    return pb.Operation(
        number=logged.number,
        method=one.method,
        principal=one.principal,
        request_id=one.request_id,
        operation_time=messages.timestamp(one.time),
        reason=one.reason,
        table_id=one.table_id,
        player_id=one.player_id,
        before=_standing(one.before, one.table_id),
        after=_standing(one.after, one.table_id),
    )


def _standing(standing: Standing, table_id: str) -> pb.OperationStanding:
    table, known, wallet = standing.table, standing.block, standing.wallet
    return pb.OperationStanding(
        table=_table(table, table_id) if table is not None else None,
        block=block(known) if known is not None else None,
        table_ids=standing.table_ids,
        wallet=pb.WalletStanding(currency=wallet.currency, available=wallet.available) if wallet else None,
    )


def _table(table: TableStanding, table_id: str) -> pb.TableStanding:
    return pb.TableStanding(
        state=table_pb2.TableState.Value(f"TABLE_STATE_{table.state}"),
        hand_id=hand_id_of(table_id, table.hand_number) if table.hand_number else "",
        seats=[
            pb.SeatStanding(
                seat_number=seat.seat,
                player_id=seat.player_id,
                stack=seat.stack,
                contribution=seat.contribution,
                leaving=seat.leaving,
            )
            for seat in table.seats
        ],
    )
