"""Where equities are calculated: on a thread of its own that yields to all others; it knows no game and no table."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import sleep
from typing import Final

from croupier.handrank.equity import Equity, Question, calculate

_NICE: Final = 10
_REST_S: Final = 0.000_05
"""After each millisecond of work. Whoever waits for the processor gets it then, and not only when the system next looks
at how long the thread has had it, which may be 4 ms later whatever its priority."""


class Busy(Exception):
    """Raised where as many calculations wait as may."""


class Calculator:
    """Answers one caller after the other, and within milliseconds stops working for one who has gone."""

    def __init__(self, name: str, most_waiting: int) -> None:
        self.most_waiting: Final = most_waiting
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name, initializer=_yield_to_others)
        self._asked = 0
        self._closed = threading.Event()

    async def equities(self, questions: Sequence[Question]) -> list[Equity]:
        """The answers, once those asked for before are done.

        Raises Busy, and ValueError for what cannot be dealt. Nothing is calculated for a caller who was cancelled.
        """
        if self._asked > self.most_waiting:
            raise Busy
        given_up = threading.Event()
        self._asked += 1
        try:
            work = self._pool.submit(_answers, questions, (given_up, self._closed))
            return await asyncio.wrap_future(work)
        finally:
            given_up.set()
            self._asked -= 1

    def close(self) -> None:
        """Give up what is under way, and take nothing more."""
        self._closed.set()
        self._pool.shutdown(cancel_futures=True)


def _answers(questions: Sequence[Question], ends: Sequence[threading.Event]) -> list[Equity]:
    def stopped() -> bool:
        sleep(_REST_S)
        return any(end.is_set() for end in ends)

    return [calculate(question, stopped) for question in questions]


def _yield_to_others() -> None:
    """Let the system prefer every other thread of the process; only Linux has a thread's own priority."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
