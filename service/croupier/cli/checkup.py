"""What `croupier doctor` looks at: each check returns what it found or raises Problem. It mends nothing.

Imports stay inside the checks: one that cannot be made must not keep the others from being made.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from croupier.cli import key_check, machine
from croupier.cli.problem import Problem
from croupier.config import Settings

LEAST_FREE_BYTES: Final = 100 * 2**20


class Finding(msgspec.Struct, frozen=True):
    """The outcome of one check; `next_step` is empty where all is well."""

    check: str
    ok: bool
    found: str
    next_step: str = ""


def examine(settings: Settings) -> list[Finding]:
    """Make every check."""
    checks = {name: check for name, check in _CHECKS.items() if name != "bus" or settings.bus}
    return [_made(name, check, settings) for name, check in checks.items()]


def _made(name: str, check: Callable[[Settings], str], settings: Settings) -> Finding:
    try:
        return Finding(name, True, check(settings))
    except Problem as problem:
        return Finding(name, False, problem.found, problem.next_step)
    except Exception as failure:
        return Finding(name, False, f"{type(failure).__name__}: {failure}", "see the checks above this one")


def _evaluator(_: Settings) -> str:
    from croupier.cards import parse_cards

    try:
        from croupier import handrank
    except ImportError as failure:
        raise Problem(str(failure), "run make native") from None
    except ValueError as failure:
        raise Problem(str(failure), "unset CROUPIER_EVALUATOR") from None
    name = handrank.implementation()
    if name == "reference":
        raise Problem("the slow reference evaluator is active", "unset CROUPIER_EVALUATOR")
    if handrank.rank(parse_cards("AsKsQsJsTs2c3d")) != handrank.STRONGEST:
        raise Problem(f"{name} takes a royal flush for something else", "run make native again")
    return name


def _contract(_: Settings) -> str:
    from importlib import import_module

    try:
        import_module("croupier.v1.betting_service_pb2_grpc")
    except ImportError as failure:
        raise Problem(f"croupier.v1 has not been generated: {failure}", "run make proto") from None
    except RuntimeError as failure:
        raise Problem(f"croupier.v1 does not fit the libraries: {failure}", "run make proto") from None
    return "croupier.v1"


def _houses(settings: Settings) -> str:
    from croupier.adapters.games import GAMES
    from croupier.houses.loader import HouseError, load

    try:
        return ", ".join(load(GAMES, settings.house_dir, settings.max_min_bet))
    except HouseError as failure:
        raise Problem(str(failure), "correct that, then run this again") from None


def _store(settings: Settings) -> str:
    return _file(settings) if settings.store_name == "sqlite" else _database(settings)


def _database(settings: Settings) -> str:
    import asyncio

    from croupier.adapters.postgres_opening import DriverMissing, look

    try:
        version, owner = asyncio.run(look(settings.store))
    except DriverMissing as missing:
        raise Problem(str(missing), "see there") from None
    except RuntimeError as failure:
        raise Problem(f"{settings.store_place}: {failure}", "see to the database, or to --store") from None
    if not version:
        return f"{settings.store_place} can be reached and will be migrated"
    return f"{settings.store_place}, version {version}, {f'which {owner} has' if owner else 'free'}"


def _bus(settings: Settings) -> str:
    import asyncio
    import contextlib

    from croupier.adapters import nats_opening, postgres_opening
    from croupier.adapters.nats_opening import BusUnusable, Forbidden

    room = ""
    with contextlib.suppress(RuntimeError):  # which the store's check tells of
        room = asyncio.run(postgres_opening.room_of(settings.store))
    try:
        place = asyncio.run(nats_opening.look(settings.bus, settings.bus_credentials, room))
    except Forbidden as failure:
        raise Problem(
            str(failure), "let the NATS user publish and subscribe under croupier.> and _INBOX.>"
        ) from None
    except BusUnusable as failure:
        raise Problem(str(failure), "see to NATS, or to --bus") from None
    return f"{place} carries what servers ask each other"


def _file(settings: Settings) -> str:
    database = settings.database
    directory = key_check.must_take_files(database, "--store")
    free = os.statvfs(directory)
    if not free.f_blocks:
        raise Problem(f"{directory} is on no disk that could hold files", "choose another --store")
    if free.f_bavail * free.f_frsize < LEAST_FREE_BYTES:
        raise Problem(
            f"{directory} has {free.f_bavail * free.f_frsize >> 20} MiB left", "make room on that disk"
        )
    _must_be_free(database)
    if not database.exists():
        return f"{database} will be made"
    if not os.access(database, os.R_OK | os.W_OK):
        raise Problem(f"{database} cannot be written by user {os.geteuid()}", f"run chown on {database}")
    return f"{database}, format {_format_of(database)}"


def _must_be_free(database: Path) -> None:
    from croupier.adapters.sqlite.lock import holder_of

    holder = holder_of(database)
    if holder:
        raise Problem(
            f"{database} is in use by process {holder}{_command(holder)}",
            "stop that process, or choose another --store",
        )


def _command(process: str) -> str:
    """What runs as a process, where the system tells."""
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    return f" ({b' '.join(words).decode('utf-8', 'replace').strip()[:80]})"


def _format_of(database: Path) -> int:
    from croupier.adapters.sqlite.beforehand import read_as_a_start_does
    from croupier.adapters.sqlite.schema import VERSION, StoreUnusable, format_of

    try:
        found = format_of(database)
    except StoreUnusable as failure:
        raise Problem(str(failure), "see there") from None
    if found > VERSION:
        raise Problem(
            f"{database} has format {found}, later than this version's {VERSION}", "install that version"
        )
    try:
        read_as_a_start_does(database)
    except StoreUnusable as failure:
        raise Problem(str(failure), "see there") from None
    return found


def _credentials(settings: Settings) -> str:
    from croupier.adapters.credentials.files import CredentialsFileError

    found = [] if settings.tls_cert or settings.with_credentials else ["none: loopback alone"]
    try:
        if settings.tls_cert:
            from croupier.adapters.credentials.tls import Tls

            Tls(settings.tls_cert, settings.tls_key, settings.client_ca)
            found.append("client certificates" if settings.client_ca else "TLS")
        if settings.with_tokens:
            from croupier.adapters.credentials.keys import Keys

            Keys(settings.jwt_secret_file, settings.jwks_file)
            found.append("tokens")
        if settings.wallet_token_file:
            from croupier.adapters.wallet_calls import TokenFile

            TokenFile(Path(settings.wallet_token_file))
            found.append("the wallet's token")
    except CredentialsFileError as failure:
        raise Problem(str(failure), "see there") from None
    return ", ".join(found)


def _grpc_port(settings: Settings) -> str:
    return _free_port(settings, settings.port, "--port")


def _http_port(settings: Settings) -> str:
    return _free_port(settings, settings.http_port, "--http-port")


def _free_port(settings: Settings, port: int, flag: str) -> str:
    import socket

    family = socket.AF_INET6 if ":" in settings.listen else socket.AF_INET
    try:
        socket.create_server((settings.listen, port), family=family).close()
    except OSError as failure:
        next_step = f"choose another {flag}, or stop what listens there (ss -ltnp)"
        if failure.errno == errno.EADDRNOTAVAIL:
            next_step = "choose another --listen: this machine has no such address"
        raise Problem(f"{settings.address(port)}: {os.strerror(failure.errno or 0)}", next_step) from None
    return f"{settings.address(port)} is free" if port else "any free one"


_CHECKS: Final[dict[str, Callable[[Settings], str]]] = {
    "python": machine.python,
    "clock": machine.clock,
    "entropy": machine.entropy,
    "libraries": machine.libraries,
    "evaluator": _evaluator,
    "contract": _contract,
    "houses": _houses,
    "store": _store,
    "bus": _bus,
    "key file": key_check.key_file,
    "credentials": _credentials,
    "grpc port": _grpc_port,
    "http port": _http_port,
}
