"""The client as its users see it: all RPCs and the watch of one server. Owns no behaviour of its own."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from croupier.client.betting import Betting
from croupier.client.evaluation import Evaluation
from croupier.client.hands import Hands
from croupier.client.operating import Operating
from croupier.client.play import Play
from croupier.client.seats import Seats
from croupier.client.settlement import Settlement
from croupier.client.tables import Tables
from croupier.client.watch import News, watch
from croupier.v1.play_service_pb2_grpc import PlayServiceStub


class Croupier(Tables, Seats, Betting, Settlement, Hands, Evaluation, Operating):
    """A client of one server. Make it, use it and close it on one event loop, best by `async with`.

    Every change is sent with a request_id, a new one where none is given, and repeated with it until there is
    an answer, so that it happens once. Raises Refused where the service says no; Unanswered where it stays
    away, after which the same change may be asked for again with the error's request_id.
    """

    def watch(
        self,
        table_id: str,
        player_id: str = "",
        *,
        resume_after: int | None = None,
        resume_after_private: int = 0,
        language: str = "",
        scene: str = "",
    ) -> AsyncGenerator[News, None]:
        """What happens at the table, as `player_id` may see it, until it closes: every event once, in order.

        Begins with the table as it stands, a Table; with `resume_after`, with what followed that sequence and, of
        what concerns the player alone, `resume_after_private`. Hands shown are described in the language; `scene`
        is where the viewer is.
        """
        return watch(
            self._tables.WatchTable,
            self.retry,
            table_id,
            player_id,
            resume_after,
            resume_after_private,
            language,
            scene,
        )

    def play_stream(self, stream_id: str = "", *, all_tables: bool = False, language: str = "") -> Play:
        """One stream for the actions and the news of many tables; for `async with`.

        A stream named as another of the same caller's takes over from it.
        """
        method = PlayServiceStub(self.channel).Play
        return Play(method, self.retry, stream_id, all_tables=all_tables, language=language)
