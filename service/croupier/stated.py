"""One setting as somebody stated it, and the checks that a value of one kind must pass."""

from __future__ import annotations

import ipaddress
import re
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

LONGEST_STREAM: Final = 64
_MOST_DIGITS: Final = 18
_SECRETS: Final = re.compile(r"//.*@")
LOG_LEVELS: Final = ("debug", "info", "warning", "error")


class SettingsError(ValueError):
    """Raised for a setting that cannot be used: says where it stands, its name and what would be right."""


class Stated(msgspec.Struct, frozen=True):
    """A setting as somebody stated it; `source` names it as they would."""

    source: str
    value: Any
    typed: bool = False
    """Whether the source has types of its own, so that a number is never a text there."""


def _wrong(stated: Stated, right: str) -> SettingsError:
    """Names and passwords in a URL are not told."""
    told = _SECRETS.sub("//...@", repr(stated.value))
    return SettingsError(f"{stated.source} is {told}; it must be {right}")


def text(stated: Stated) -> str:
    """A text that is not empty, or a path."""
    if not isinstance(stated.value, str | Path) or not str(stated.value):
        raise _wrong(stated, "a text that is not empty")
    if "\0" in str(stated.value):
        raise _wrong(stated, "a text without NUL")
    return str(stated.value)


def address(stated: Stated) -> str:
    """An IP address, or localhost."""
    name = text(stated)
    if name != "localhost":
        try:
            ipaddress.ip_address(name)
        except ValueError:
            raise _wrong(stated, "an IP address, such as 127.0.0.1") from None
    return name


def whole(least: int, most: int) -> Callable[[Stated], int]:
    """The check of a whole number within bounds."""

    def check(stated: Stated) -> int:
        value = stated.value
        if isinstance(value, str) and not stated.typed and _numeric(value):
            value = int(value)
        if type(value) is not int or not least <= value <= most:
            raise _wrong(stated, f"a whole number from {least} to {most}")
        return value

    return check


def switch(stated: Stated) -> bool:
    """On or off."""
    value = stated.value
    if isinstance(value, str) and not stated.typed:
        value = {"true": True, "1": True, "false": False, "0": False}.get(value.lower(), value)
    if type(value) is not bool:
        raise _wrong(stated, "true or false")
    return value


def store(stated: Stated) -> str:
    """Where a store is."""
    name = text(stated)
    kind, colon, place = name.partition(":")
    if kind in ("postgresql", "postgres") and place.startswith("//") and _has_ports(name):
        return f"postgresql:{place}"
    if kind != "sqlite" or not colon or not place or place == ":memory:":
        raise _wrong(stated, "sqlite:PATH, such as sqlite:data/croupier.db, or postgresql://HOST/DATABASE")
    return name


def _numeric(text: str) -> bool:
    """Whether it is written as a number, of few enough digits to be read as one."""
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS


def _names_port(text: str) -> bool:
    return _numeric(text) and 0 < int(text) < 65536


def _has_ports(url: str) -> bool:
    """Whether it has the form of a URL, which may name several hosts, each with a port by its number if at all."""
    try:
        places = urllib.parse.urlsplit(url).netloc.rpartition("@")[2].split(",")
    except ValueError:
        return False
    ports = [place.rpartition("]")[2].partition(":") for place in places]
    return all(not colon or _names_port(port) for _, colon, port in ports)


def _names_host(url: str) -> bool:
    """Whether it has the form of a URL with a host, and a port by its number if at all."""
    try:
        parts = urllib.parse.urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def wallet(stated: Stated) -> str:
    """Where an operator's WalletService is."""
    name = text(stated)
    host, colon, port = name.removeprefix("grpc://").rpartition(":")
    numbered = _names_port(port)
    if not name.startswith("grpc://") or not host or not colon or not numbered or "/" in host:
        raise _wrong(stated, "grpc://HOST:PORT, such as grpc://127.0.0.1:50061")
    return name


def bus(stated: Stated) -> str:
    """Where NATS is."""
    name = text(stated)
    if not all(
        url.strip().startswith(("nats://", "tls://")) and _names_host(url.strip()) for url in name.split(",")
    ):
        raise _wrong(stated, "nats://HOST:PORT or tls://HOST:PORT, several with commas")
    return name


def place(stated: Stated) -> str:
    """A host and a port."""
    name = text(stated)
    host, _, port = name.rpartition(":")
    if not host or "/" in host or not _names_port(port):
        raise _wrong(stated, "HOST:PORT, such as croupier-0.croupier:50051")
    return name


def stream(stated: Stated) -> str:
    """A JetStream stream's name."""
    name = text(stated)
    if len(name) > LONGEST_STREAM or not all(
        part.isascii() and part.isalnum() for part in name if part not in "-_"
    ):
        raise _wrong(stated, f"a stream's name: at most {LONGEST_STREAM} of A-Z a-z 0-9 - _")
    return name


def endpoint(stated: Stated) -> str:
    """Where an OTLP receiver takes traces over gRPC."""
    name = text(stated)
    scheme, _, place = name.partition("://")
    host, colon, port = place.rpartition(":")
    numbered = _names_port(port)
    if scheme not in ("http", "https") or not host or not colon or not numbered or "/" in host:
        raise _wrong(stated, "http://HOST:PORT or https://HOST:PORT, such as http://127.0.0.1:4317")
    return name


def log_level(stated: Stated) -> str:
    """One of LOG_LEVELS."""
    level = text(stated).lower()
    if level not in LOG_LEVELS:
        raise _wrong(stated, f"one of {', '.join(LOG_LEVELS)}")
    return level


def caps(stated: Stated) -> dict[str, int]:
    """`HOUSE=CHIPS` once or several times, with commas between in a variable; a table in a file."""
    value = stated.value
    if isinstance(value, str) and not stated.typed:
        value = value.split(",")
    if isinstance(value, list | tuple) and not stated.typed:
        stated = Stated(stated.source, ",".join(map(str, value)))
        pairs = [str(one).partition("=") for one in value]
        value = {house_id.strip(): int(chips) if _numeric(chips) else chips for house_id, _, chips in pairs}
    if not isinstance(value, dict) or not all(
        house_id and type(chips) is int and chips > 0 for house_id, chips in value.items()
    ):
        right = (
            "such as { puzzle_pirates = 200 }" if stated.typed else "HOUSE=CHIPS, such as puzzle_pirates=200"
        )
        raise _wrong(stated, right)
    return value
