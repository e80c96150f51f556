"""What touches the world: gRPC servicers, stores, wallets, HTTP, credentials, hand histories, metrics, logs.

Needs croupier.v1, which is generated.
"""

import sys
from importlib.util import find_spec

if find_spec("croupier.v1") is None:
    raise ImportError("croupier.v1 has not been generated: run `make proto`", name="croupier.v1")


def _import_structlog_without_rich() -> None:
    """Its console renderer, which is not used here, would load rich: 4 MB of a process's memory."""
    if "structlog" in sys.modules or "rich" in sys.modules:
        return
    sys.modules["rich"] = None  # type: ignore[assignment]
    try:
        import structlog  # noqa: F401
    finally:
        del sys.modules["rich"]


_import_structlog_without_rich()
