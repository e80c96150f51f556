"""Generates service/croupier/v1/ from the published contract, or croupier/v1/ in a directory named to it.

Owns how protoc is called, and nothing of the contract. The package is replaced as a whole: nothing stale
stays in it.
"""

import shutil
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc  # type: ignore[import-untyped]

PROTO = Path(__file__).resolve().parent
SERVICE = PROTO.parent / "service"
INIT = '"""Generated from proto/croupier/v1/ by `make proto`; never edited, never committed."""\n'


def generate(service: Path) -> None:
    """Write the package croupier.v1 under `service`."""
    target = service / "croupier" / "v1"
    target.parent.mkdir(parents=True, exist_ok=True)
    protos = sorted((PROTO / "croupier" / "v1").glob("*.proto"))
    services = [proto for proto in protos if proto.stem.endswith("_service")]
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".v1-") as scratch:
        run(protos, [f"--python_out={scratch}", *stub_arguments("mypy", scratch)])
        run(services, [f"--grpc_python_out={scratch}", *stub_arguments("mypy_grpc", scratch)])
        made = Path(scratch, "croupier", "v1")
        (made / "__init__.py").write_text(INIT)
        shutil.rmtree(target, ignore_errors=True)
        made.rename(target)


def run(protos: list[Path], outputs: list[str]) -> None:
    """Call protoc; exit where it fails, after what it printed."""
    paths = [f"--proto_path={PROTO}", f"--proto_path={files('grpc_tools') / '_proto'}"]
    if protoc.main(["protoc", *paths, *outputs, *map(str, protos)]) != 0:
        raise SystemExit("protoc failed, as it says above")


def stub_arguments(plugin: str, scratch: str) -> list[str]:
    """The protoc arguments for .pyi files, which only type checking needs."""
    path = Path(sys.executable).with_name(f"protoc-gen-{plugin}")
    if not path.exists():
        print(f"{path.name} is not installed: its type stubs are left out", file=sys.stderr)
        return []
    return [f"--plugin={path}", f"--{plugin}_out=quiet:{scratch}"]


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else SERVICE)
