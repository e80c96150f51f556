"""The Python client: RPCs as coroutines, repeated safely, and watches that survive a broken stream.

Needs croupier.v1, which is generated, and nothing else of the package.
"""

from importlib.util import find_spec

if find_spec("croupier.v1") is None:
    raise ImportError("croupier.v1 has not been generated: run `make proto`", name="croupier.v1")

from croupier.client.croupier import Croupier
from croupier.client.errors import CroupierError, Refused, Unanswered
from croupier.client.retry import Retry

__all__ = ["Croupier", "CroupierError", "Refused", "Retry", "Unanswered"]
