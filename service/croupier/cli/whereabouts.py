"""Where a server that runs is to be found, in a few lines."""

from __future__ import annotations

import os

from croupier.adapters.key_file import MASTER_KEY_VARIABLE
from croupier.config import Settings


def whereabouts(settings: Settings, port: int, http_port: int) -> list[str]:
    """A line for each place; ports are those that were taken."""
    grpc, http = settings.address(port), f"http://{settings.address(http_port)}"
    tls = "TLS" if settings.tls_cert else "no TLS"
    callers = "with credentials" if settings.with_credentials else "anyone on this machine"
    in_environment = os.environ.get(MASTER_KEY_VARIABLE)
    return [
        f"gRPC     {grpc} ({tls}, {callers})",
        f"metrics  {http}/metrics, with /healthz and /readyz",
        f"console  {http}/console" if settings.console else "console  not served; --console does",
        f"store    {settings.store_place}",
        f"key      {f'in {MASTER_KEY_VARIABLE}' if in_environment else settings.key_path}; keep it with the store",
        f"wallet   {settings.wallet or 'in the ledger of the store'}",
        f"to look  croupier watch --target {grpc}; to stop: Ctrl-C",
    ]
