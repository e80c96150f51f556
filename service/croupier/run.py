"""Running an App in this process: event loop, signals, exit status."""

from __future__ import annotations

import asyncio
import resource
import signal
from collections.abc import Callable

import uvloop

from croupier.adapters.key_file import KeyFileError
from croupier.adapters.logs import configure, get_logger
from croupier.adapters.sqlite.lock import StoreLocked
from croupier.adapters.sqlite.schema import SchemaTooNew
from croupier.app import App
from croupier.config import Settings
from croupier.houses.loader import HouseError
from croupier.room.failures import StoreAway


def run(
    settings: Settings,
    before_commit: Callable[[], None] | None = None,
    started: Callable[[int, int], None] | None = None,
) -> int:
    """Serve until SIGTERM or SIGINT, of which a second one waits for no hand; the process's exit status.

    `before_commit` as in App; `started` is called once it is ready, with the gRPC port and the HTTP port.
    """
    configure(settings.log_level)
    _allow_many_files()
    try:
        return uvloop.run(_serve(App(settings, before_commit), started))
    except (KeyFileError, StoreAway, StoreLocked, SchemaTooNew, HouseError, RuntimeError, OSError) as error:
        get_logger().error("server_failed_to_start", why=_why(error))
        return 1


def _why(error: Exception) -> str:
    """Without a number that means nothing to who reads it."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _allow_many_files() -> None:
    """Every connection is an open file, and a process begins with leave for few of those that it may have."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def _serve(app: App, tell: Callable[[int, int], None] | None) -> int:
    """The exit status: 0 after a signal, 1 where another server has taken the store over."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def told_to_stop() -> None:
        if stop.is_set():
            app.hurry()
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told_to_stop)
    told, replaced = (loop.create_task(event.wait()) for event in (stop, app.replaced))
    starting = loop.create_task(app.start())
    await asyncio.wait((starting, told), return_when=asyncio.FIRST_COMPLETED)
    if not starting.done() and app.waits_for_another:
        starting.cancel()
        await asyncio.wait((starting,))
    else:
        await starting
        if tell is not None:
            tell(app.port, app.http_port)
        await asyncio.wait((told, replaced), return_when=asyncio.FIRST_COMPLETED)
        await app.stop()
    for task in (told, replaced):
        task.cancel()
    return 1 if app.replaced.is_set() else 0
