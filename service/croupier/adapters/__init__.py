"""What touches the world: gRPC servicers, stores, metrics, logs. Needs croupier.v1, which is generated."""

from importlib.util import find_spec

if find_spec("croupier.v1") is None:
    raise ImportError("croupier.v1 has not been generated: run `make proto`", name="croupier.v1")
