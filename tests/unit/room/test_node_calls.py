"""What servers ask one another: answered by whoever is asked, and never by a failure that the asker does not expect."""

from __future__ import annotations

from typing import cast

import msgspec
import pytest
from tests.support.buses import LocalBus, Wires

from croupier.room.cluster_ports import AnswerFailed, NobodyThere, Unreadable
from croupier.room.link import Link
from croupier.room.node_calls import MOST_DESCRIBED, MOST_TOLD, Describe, HandedOver, NodeCalls, Where
from croupier.room.services import Services
from croupier.room.subjects import Subjects

SUBJECTS = Subjects("test")


async def servers(*names: str) -> list[NodeCalls]:
    wires = Wires()
    made = []
    for name in names:
        bus = LocalBus(wires)
        calls = NodeCalls(Link(cast("Services", None), bus, SUBJECTS, name))
        await bus.serve(SUBJECTS.node(name), calls.answer)
        made.append(calls)
    return made


async def test_a_call_is_answered_by_the_one_who_is_asked() -> None:
    one, two = await servers("one", "two")

    async def where(call: Where) -> list[str]:
        return [call.player_id, call.house_id]

    two.answer_by(Where, where)
    assert await one.ask("two", Where("anna", "house"), list[str], 1) == ["anna", "house"]
    with pytest.raises(NobodyThere):
        await one.ask("three", Where("anna"), list[str], 1)


async def test_what_only_another_version_knows_is_an_answer_that_failed() -> None:
    one, two = await servers("one", "two")

    async def told(_: HandedOver) -> object:
        return {"of": "a later version"}

    two.answer_by(HandedOver, told)
    with pytest.raises(AnswerFailed, match="two answers what this version does not know"):
        await one.ask("two", HandedOver(["t"]), type(None), 1)
    assert cast("LocalBus", one._link.bus).misread_answers == [SUBJECTS.node("two")]
    with pytest.raises(AnswerFailed):
        await one.ask("two", Describe(["t"]), list[str], 1)


async def test_what_is_no_call_reaches_nobody() -> None:
    (one,) = await servers("one")
    told: list[HandedOver] = []

    async def handed_over(call: HandedOver) -> None:
        told.append(call)

    one.answer_by(HandedOver, handed_over)
    known = msgspec.msgpack.encode(HandedOver(["t"] * MOST_TOLD))
    await one.answer(known)
    for nonsense in (
        b"",
        b"\xc1",
        known[:-1],
        known + b"\0",
        msgspec.msgpack.encode(["given", [b"\xff"]]),
        msgspec.msgpack.encode(["later", 1]),
        msgspec.msgpack.encode(HandedOver(["t"] * (MOST_TOLD + 1))),
        msgspec.msgpack.encode(Describe(["t"] * (MOST_DESCRIBED + 1))),
        msgspec.msgpack.encode(Where("nobody answers that here")),
        b"\x92\xa5given\x91\xa2\xff\xfe",
    ):
        with pytest.raises(Unreadable):
            await one.answer(nonsense)
    assert len(told) == 1
