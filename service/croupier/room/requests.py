"""Idempotency of mutations other than Act: one effect and one answer for each (principal, method, request_id)."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import msgspec

from croupier.engine.table_events import RequestKey
from croupier.room.failures import Refusal
from croupier.room.ports import PendingAnswer, RequestRecord, Runtime, Store

Answer = TypeVar("Answer", bound=msgspec.Struct)

_encoder = msgspec.msgpack.Encoder()


def request_key(
    principal: str, method: str, request_id: str, content: Sequence[int | str | bool]
) -> RequestKey:
    """The key of a request and the digest of everything it asks for."""
    digest = hashlib.sha256(_encoder.encode(list(content))).digest()
    return RequestKey(principal, method, request_id, digest)


def effect_of(key: RequestKey) -> str:
    """As `effect_id`."""
    return effect_id(key.principal, key.method, key.request_id)


def effect_id(principal: str, method: str, request_id: str) -> str:
    """The id of what a request moves: one for one request, whoever repeats it."""
    name = "\0".join((principal, method, request_id)).encode()
    return f"{method}-{hashlib.sha256(name).hexdigest()[:24]}"


def lasting(key: RequestKey, answer: msgspec.Struct) -> RequestRecord:
    """The row by which a repeated request finds its first answer."""
    return RequestRecord(key.principal, key.method, key.request_id, key.digest, _encoder.encode(answer))


class _Running:
    """A request under way: the digest of its content, and everyone who waits for its outcome."""

    __slots__ = ("digest", "waiters")

    def __init__(self, digest: bytes) -> None:
        self.digest = digest
        self.waiters: list[PendingAnswer] = []


class Requests:
    """Runs each request once: a repetition waits for the first, or reads its stored answer."""

    def __init__(self, runtime: Runtime, store: Store) -> None:
        self._runtime = runtime
        self._store = store
        self._running: dict[tuple[str, str, str], _Running] = {}
        self.shared = False
        """Whether other servers answer requests too."""

    async def once(
        self, key: RequestKey, answer_type: type[Answer], run: Callable[[], Awaitable[Answer]]
    ) -> Answer:
        """The answer of `run`, or of the request it repeats.

        `run` writes the answer with its effect, by `lasting`, and goes on where the caller has gone away. What
        it raises is raised to everyone who waits, and nothing is kept: a refused request may be made again.
        Raises Refusal REQUEST_ID_REUSED where the key is known with other content.
        """
        running = self.begin(key, answer_type, run)
        _must_match(key, running.digest)
        waiter = self._runtime.future()
        running.waiters.append(waiter)
        outcome = await waiter
        if isinstance(outcome, Exception):
            raise outcome
        return outcome  # type: ignore[no-any-return]

    def begin(
        self, key: RequestKey, answer_type: type[Answer], run: Callable[[], Awaitable[Answer]]
    ) -> _Running:
        """Have a request carried out with nobody waiting for it as yet; one under way goes on."""
        name = (key.principal, key.method, key.request_id)
        running = self._running.get(name)
        if running is None:
            running = self._running[name] = _Running(key.digest)
            self._runtime.spawn(self._run(name, key, answer_type, run))
        return running

    async def _run(
        self,
        name: tuple[str, str, str],
        key: RequestKey,
        answer_type: type[Answer],
        run: Callable[[], Awaitable[Answer]],
    ) -> None:
        outcome: object
        try:
            outcome = await self._find(key, answer_type) or await run()
        except Exception as failure:
            outcome = await self._found_since(key, answer_type, failure) if self.shared else failure
        for waiter in self._running.pop(name).waiters:
            if not waiter.done():
                waiter.set_result(outcome)

    async def _found_since(self, key: RequestKey, answer_type: type[Answer], failure: Exception) -> object:
        """The answer where another server has carried out the same request meanwhile; else the failure."""
        try:
            return await self._find(key, answer_type) or failure
        except Exception as again:
            return again if isinstance(again, Refusal) else failure

    async def _find(self, key: RequestKey, answer_type: type[Answer]) -> Answer | None:
        known = await self._store.find_request(key.principal, key.method, key.request_id)
        if known is None:
            return None
        _must_match(key, known.digest)
        return msgspec.msgpack.decode(known.answer, type=answer_type)


def _must_match(key: RequestKey, digest: bytes) -> None:
    if digest != key.digest:
        raise Refusal("REQUEST_ID_REUSED", request_id=key.request_id)
