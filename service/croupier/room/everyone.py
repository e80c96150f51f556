"""Other servers asked all at once, each until it has answered, or is none of those any more who have to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from typing import Any, Final, TypeVar

from croupier.numbers import NS_PER_MS
from croupier.room.clock import pause
from croupier.room.cluster_ports import Unanswered
from croupier.room.failures import ServerSilent
from croupier.room.node_calls import NodeCall, NodeCalls
from croupier.room.ports import PendingAnswer, Runtime

ASK_S: Final = 1.0
"""How long one question may take; then it is asked again."""
PATIENCE_NS: Final = 6_000 * NS_PER_MS
"""How long others are asked: longer than a server that stands still keeps its lease and its tables."""
AGAIN_NS: Final = 50 * NS_PER_MS

T = TypeVar("T")


class Everyone:
    """The other servers."""

    def __init__(self, runtime: Runtime, calls: NodeCalls) -> None:
        self._runtime = runtime
        self._calls = calls

    @property
    def reachable(self) -> bool:
        """Whether any of them can be asked at all."""
        return self._calls.reachable

    async def answers(
        self, who: Callable[[], Awaitable[Collection[str]]], call: NodeCall, answer_type: type[T]
    ) -> list[T]:
        """What all say whom `who` names, which is asked again before they are.

        Raises ServerSilent, and what `who` raises.
        """
        answers: dict[str, T] = {}
        until = self._runtime.now() + PATIENCE_NS
        while waiting := sorted(set(await who()) - answers.keys()):
            answers |= await self.heard(dict.fromkeys(waiting, call), answer_type)
            silent = [node_id for node_id in waiting if node_id not in answers]
            if not silent:
                break
            if self._runtime.now() >= until:
                raise ServerSilent(silent[0])
            await pause(self._runtime, AGAIN_NS)
        return list(answers.values())

    async def heard(self, calls: dict[str, NodeCall], answer_type: type[T]) -> dict[str, T]:
        """What those say who answer, each to its own call, in time."""

        async def ask(node_id: str, call: NodeCall) -> tuple[str, T] | None:
            try:
                return node_id, await self._calls.ask(node_id, call, answer_type, ASK_S)
            except (Unanswered, TimeoutError):
                return None

        asked = [ask(node_id, call) for node_id, call in calls.items()]
        return dict([one for one in await together(self._runtime, asked) if one is not None])


async def together(runtime: Runtime, works: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """What each comes to, all of them under way at once. Raises what the first of them does that fails."""

    async def run(work: Coroutine[Any, Any, T], end: PendingAnswer) -> None:
        try:
            outcome: tuple[T | None, Exception | None] = (await work, None)
        except Exception as failure:
            outcome = (None, failure)
        if not end.done():
            end.set_result(outcome)

    ends = [runtime.future() for _ in works]
    for work, end in zip(works, ends, strict=True):
        runtime.spawn(run(work, end))
    outcomes = [await end for end in ends]
    for _, failure in outcomes:
        if failure is not None:
            raise failure
    return [found for found, _ in outcomes]
