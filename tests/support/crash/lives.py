"""The lives of a server that is killed again and again, seen from outside: a process each, one store for all."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn, Self

import grpc
import msgspec
from tests.support.crash import nursery
from tests.support.crash.nursery import Answer, Order
from tests.support.crash.picture import MASTER_KEY, addresses
from tests.support.crash.staged_time import START
from tests.support.crash.steps import Kill, Told

KILLED: Final = -9


class Died(Exception):
    """Raised when the server was killed at the step that was asked for."""


class Nursery:
    """Where servers come from; one at a time."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._process = self._begun()

    def _begun(self) -> subprocess.Popen[bytes]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
        return subprocess.Popen(
            [sys.executable, nursery.__file__, str(self._log)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment | {"CROUPIER_MASTER_KEY": MASTER_KEY},
        )

    def begin_again(self) -> None:
        """After a story that broke off: what its server still says is nobody's."""
        self.close()
        self._process = self._begun()

    def send(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()

    def hear(self) -> Answer:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"the nursery is gone: {self.log()}"
        return msgspec.json.decode(line, type=Answer)

    def log(self) -> str:
        return self._log.read_text()[-4000:]

    def close(self) -> None:
        """End it, and a server that still runs: its questions end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(20)
        self._process.stdout.close()


class Lives:
    """`now` is the time that servers live in. `reached` are the kills that happened, in order.

    `missed` are those whose unit was durable before the server came to be killed there: with the answer to a request
    often goes what followed from it.
    """

    def __init__(
        self, nursery: Nursery, settings: dict[str, str], told: Path, kills: Sequence[Kill] = ()
    ) -> None:
        self.now = START
        self.reached: list[Kill] = []
        self.missed: list[Kill] = []
        self.seeds_differ = False
        """Whether each life draws other cards than those before it would have."""
        self.waiting: Final = list(kills)
        self._nursery = nursery
        self._settings = settings
        self._told = told
        told.touch()
        self._channel: grpc.Channel | None = None

    @property
    def channel(self) -> grpc.Channel:
        assert self._channel is not None
        return self._channel

    def begin(self) -> Self:
        """Start a server, and again where it is killed while it starts."""
        while True:
            self._pass_over()
            kill = self.waiting[0] if self.waiting else None
            seed = len(self.reached) if self.seeds_differ else 0
            order = Order(self._settings, self.now, str(self._told), kill, seed)
            self._nursery.send(msgspec.json.encode(order))
            try:
                port = self._hear().port
            except Died:
                continue
            # A client that remembers earlier servers would wait before it tries again.
            options = [("grpc.use_local_subchannel_pool", 1)]
            self._channel = grpc.insecure_channel(f"127.0.0.1:{port}", options)
            return self

    def rest(self) -> int:
        """Return once nothing is under way: the time at which something is next to happen. Raises Died."""
        return self._ask(b"rest").next

    def advance(self, until: int) -> None:
        """Let time go on, and everything happen that is due then. Raises Died."""
        self.now = until
        self._ask(b"advance %d" % until)

    def find_dead(self, failure: Exception) -> NoReturn:
        """A call has failed. Raises Died, and AssertionError where the server was not to be killed."""
        raise AssertionError(f"a call failed, and the server says {self._hear()}") from failure

    def end(self) -> None:
        """Stop the server the friendly way."""
        self._nursery.send(b"stop")
        answer = self._nursery.hear()
        assert answer.ended == 0, self._nursery.log()
        self.close()

    def close(self) -> None:
        if self._channel is not None:
            self._channel.close()

    def told(self) -> list[Told]:
        """Every unit that a server has told of."""
        lines = self._told.read_bytes().splitlines()
        return [msgspec.json.decode(line, type=Told) for line in lines]

    def _pass_over(self) -> None:
        """Wait for no kill that cannot happen any more."""
        if not self.reached:
            return
        durable = addresses(self._settings["store"])
        while self.waiting and self.waiting[0].address in durable:
            self.missed.append(self.waiting.pop(0))

    def _ask(self, question: bytes) -> Answer:
        self._nursery.send(question)
        return self._hear()

    def _hear(self) -> Answer:
        answer = self._nursery.hear()
        if answer.ended is None:
            return answer
        assert answer.ended == KILLED, f"the server ended by itself ({answer.ended}): {self._nursery.log()}"
        assert self.waiting, "the server was killed, and nobody had asked for it"
        self.reached.append(self.waiting.pop(0))
        self.close()
        raise Died
