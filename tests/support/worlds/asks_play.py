"""What is asked on Play."""

from __future__ import annotations

from typing import Any

from tests.support.worlds.asking import Fields, Moment, asks
from tests.support.worlds.asks import views_of

from croupier.v1 import hand_pb2


@asks("PlayService.Play")
def _play(moment: Moment) -> Fields:
    """Streams that are left at once: all tables, each view from the start, actions that are none of the viewer's."""

    def opened(number: int) -> dict[str, Any]:
        return {"open": {"stream_id": f"{moment.unique}-{number}"}, "news_credits": 1000}

    yield {**opened(0), "open": {"stream_id": "all", "all_tables": True}}
    for number, name in enumerate(views_of(moment), start=1):
        yield {
            **opened(number),
            "watch": [{"table_id": moment.table_id, "player_id": name, "resume_after_sequence": 0}],
        }
    act = {
        **moment.key(moment.other),
        "hand_id": f"{moment.table_id}/{moment.hand_number}",
        "action_sequence": moment.action_sequence,
        "action": hand_pb2.ACTION_KIND_RAISE_TO,
        "amount": 1,
    }
    yield {**opened(99), "acts": [{"correlation_id": 1, "act": act}]}
