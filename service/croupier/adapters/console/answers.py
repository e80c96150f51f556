"""Answers of the console over HTTP: their headers, and failures as statuses; it knows no page."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import orjson
from google.protobuf import json_format
from google.protobuf.message import Message
from grpc import StatusCode

from croupier.adapters.http import Scope, Send
from croupier.adapters.rpc.refusals import code_of, text_of
from croupier.room.failures import Refusal

Headers = tuple[tuple[bytes, bytes], ...]

JSON: Final = b"application/json"
EVENTS: Final = b"text/event-stream"
HTML: Final = b"text/html; charset=utf-8"
GUARDED: Final[Headers] = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        b"form-action 'self'; frame-ancestors 'none'; base-uri 'none'; "
        b"require-trusted-types-for 'script'; trusted-types 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
"""What every answer has: nothing runs or loads but the console's own files, and nobody frames it."""
_UNCACHED: Final = (b"cache-control", b"no-store")
_STATUSES: Final = {
    StatusCode.INVALID_ARGUMENT: 400,
    StatusCode.UNAUTHENTICATED: 401,
    StatusCode.PERMISSION_DENIED: 403,
    StatusCode.NOT_FOUND: 404,
    StatusCode.FAILED_PRECONDITION: 409,
    StatusCode.RESOURCE_EXHAUSTED: 429,
    StatusCode.UNAVAILABLE: 503,
}


class Answer(NamedTuple):
    """A whole answer; `headers` beside those that every answer has."""

    status: int
    content_type: bytes = b"text/plain; charset=utf-8"
    body: bytes = b""
    headers: Headers = ()


def fields(message: Message) -> dict[str, Any]:
    """A message of the contract as its JSON has it."""
    return json_format.MessageToDict(message)


def of_data(content: Any) -> Answer:
    """JSON."""
    return Answer(200, JSON, orjson.dumps(content))


def of_refusal(refusal: Refusal) -> Answer:
    """A refusal, by its reason and in words."""
    status, told = _told(refusal)
    return Answer(status, JSON, orjson.dumps(told))


def of_refused_stream(refusal: Refusal) -> Answer:
    """A stream that tells nothing but why it is refused: of a status an EventSource tells its page nothing."""
    return Answer(200, EVENTS, refused_event(refusal) + b"\n\n")


def refused_event(refusal: Refusal) -> bytes:
    """A refusal as an event; `status` is what it has elsewhere."""
    status, told = _told(refusal)
    return b"event: refused\ndata: " + orjson.dumps({**told, "status": status})


def _told(refusal: Refusal) -> tuple[int, dict[str, str]]:
    told = {"reason": refusal.reason, "text": text_of(refusal)}
    return _STATUSES.get(code_of(refusal), 500), told


def see_other(place: bytes, *headers: tuple[bytes, bytes]) -> Answer:
    """Go on there."""
    return Answer(303, headers=((b"location", place), *headers))


async def give(answer: Answer, scope: Scope, send: Send) -> None:
    """Send an answer; HEAD gets its headers alone."""
    headers = [
        (b"content-type", answer.content_type),
        (b"content-length", b"%d" % len(answer.body)),
        *GUARDED,
        *answer.headers,
    ]
    if not any(name == b"cache-control" for name, _ in answer.headers):
        headers.append(_UNCACHED)
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else answer.body})
