"""Which cards a message holds, wherever in it they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

_CARD: Final = re.compile(r"[2-9TJQKA][cdhs]")


def cards_in(message: Message) -> set[str]:
    """Every card that a text of the message, or of one inside it, is; fails where there is what nobody can read."""
    return {text for text in _texts(message) if _CARD.fullmatch(text)}


def _texts(message: Message) -> Iterator[str]:
    assert not len(UnknownFieldSet(message)), "a field that the contract does not know"
    for field, value in message.ListFields():
        for one in value if field.is_repeated else (value,):
            if isinstance(one, Message):
                yield from _texts(one)
            elif isinstance(one, str):
                yield one
