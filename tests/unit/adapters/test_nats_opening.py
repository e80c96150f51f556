"""A bus that cannot be had is told in a line; where none is asked for, nothing of it is there."""

from __future__ import annotations

import subprocess
import sys

import pytest

from croupier.adapters import nats_opening
from croupier.adapters.nats_opening import BusUnusable


def test_a_bus_without_its_driver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nats", None)
    with pytest.raises(BusUnusable, match=r"pip install 'croupier\[nats\]'"):
        nats_opening.bus("nats://127.0.0.1:1", "", "test", lambda: None, lambda _: None)


def test_what_is_no_bus_is_told() -> None:
    with pytest.raises(BusUnusable, match="nats://HOST:PORT"):
        nats_opening.bus("http://127.0.0.1:1", "", "test", lambda: None, lambda _: None)


def test_a_server_without_a_bus_has_nothing_of_it() -> None:
    looked = "import sys, croupier.app; print([one for one in sys.modules if 'nats' in one or 'forwarding' in one])"
    told = subprocess.run([sys.executable, "-c", looked], check=True, capture_output=True, text=True)
    assert told.stdout == "[]\n"
