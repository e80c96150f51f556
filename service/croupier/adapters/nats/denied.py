"""What NATS does not let this server hear for now: asked for again until it does.

NATS drops such a subscription, leaves the connection as it is, and tells nobody when its permissions are mended.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

import structlog

from croupier.adapters.nats.connection import Connection
from croupier.adapters.nats.interest import Interest

MOST_AGAIN: Final = 64
"""Subjects that are tried again at a time."""
_DENIED: Final = re.compile(r'permissions violation for (subscription|publish) to "([^"]*)"')

_log = structlog.get_logger()


class Denied:
    """Of all that is to be heard, what may not be."""

    def __init__(self, interests: Collection[Interest], place: str) -> None:
        """`interests` is looked at anew each time."""
        self._interests: Final = interests
        self._place: Final = place
        self._subjects: dict[str, None] = {}

    def note(self, why: str) -> str:
        """Take in a failure; under which subject it says that nothing may be told, empty where it says something else.

        That is in small letters, as nats-py tells it.
        """
        found = _DENIED.search(why)
        if found is None:
            return ""
        if found[1] == "publish":
            return found[2]
        self._subjects[found[2]] = None
        return ""

    def forget(self) -> None:
        """A new connection finds out by itself."""
        self._subjects.clear()

    async def ask_again(self, connection: Connection) -> bool:
        """For some of them; whether any is granted, so that more may be. Raises nats.errors.Error, OSError."""
        some = dict.fromkeys(list(self._subjects)[:MOST_AGAIN])
        if not some:
            return False
        for subject in some:
            del self._subjects[subject]
        again = [one for one in self._interests if one.subject.lower() in some]
        for interest in again:
            await interest.leave()
            await interest.begin(connection)
            if interest not in self._interests:
                await interest.leave()
        await connection.settled()
        granted = [one for one in again if one.subject.lower() not in self._subjects]
        for interest in granted:
            interest.missed()
        if granted and not self._subjects:
            _log.info("bus_permitted_again", bus=self._place)
        return bool(granted)
