"""A call that is forwarded has its span at the table's owner, under the caller's."""

from __future__ import annotations

from pathlib import Path

from tests.integration.rpc.test_traces import SAMPLED, of_caller, request
from tests.support.live import Backend
from tests.support.nats import nats_server
from tests.support.neighbours import neighbours
from tests.support.receiver import attributes, receiving

from croupier.v1 import play_service_pb2 as play
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub
from croupier.v1.play_service_pb2_grpc import PlayServiceStub


async def test_an_action_is_one_span_wherever_it_was_asked_for(tmp_path: Path) -> None:
    async with receiving() as receiver:
        with nats_server() as nats:
            async with (
                neighbours(tmp_path, nats.url, traces_endpoint=receiver.endpoint) as pair,
                Backend(pair[0].target) as owner,
                Backend(pair[1].target) as near,
            ):
                table_id = await owner.open_table("anna", "bert", "cleo")
                await pair[0].serve()
                act = request(await near.dealt(table_id), "unary")
                answer = await BettingServiceStub(near.channel).Act(act, metadata=SAMPLED)
                act = request(
                    (await near.get_legal_actions(table_id, answer.next_decision.player_id)).decision,
                    "streamed",
                )
                stream = PlayServiceStub(near.channel).Play(metadata=SAMPLED)
                opened = play.PlayOpen(stream_id="s")
                await stream.write(
                    play.PlayRequest(open=opened, acts=[play.PlayAct(correlation_id=1, act=act)])
                )
                results: list[play.PlayResult] = []
                while not results:
                    told = await stream.read()
                    assert isinstance(told, play.PlayResponse)
                    results.extend(told.results)
                assert results[0].WhichOneof("outcome") == "acted"
                stream.cancel()
        spans = of_caller(receiver)
        assert [(span.name, attributes(span)["method"]) for span in spans] == [("Act", "Act")] * 2
        assert {attributes(span)["table_id"] for span in spans} == {table_id}
