"""The compose files of deploy/, each service with what it takes from another file. Compose itself is not asked."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import yaml
from tests.support.deployed import DEPLOYED

FILES: Final = ("compose.yml", "compose.cluster.yml")
Service = dict[str, Any]


@cache
def composed(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOYED / name).read_text())
    found["services"] = {one: _whole(service) for one, service in found["services"].items()}
    return found


def _whole(service: Service) -> Service:
    """With what it extends: of volumes those for other places, all else as it is here."""
    base = service.get("extends")
    if base is None:
        return service
    inherited: Service = composed(base["file"])["services"][base["service"]]
    own = {key: value for key, value in service.items() if key != "extends"}
    if "volumes" in own:
        replaced = {place(volume) for volume in own["volumes"]}
        others = [volume for volume in inherited.get("volumes", ()) if place(volume) not in replaced]
        own["volumes"] = [*own["volumes"], *others]
    return {**inherited, **own}


def place(volume: str) -> str:
    """Where the container has it."""
    return volume.split(":")[1]


def secrets_of(service: Service) -> dict[str, str]:
    """Each secret, with the file that the container has it in."""
    found = {}
    for secret in service.get("secrets", ()):
        if isinstance(secret, str):
            found[secret] = f"/run/secrets/{secret}"
        else:
            found[secret["source"]] = secret["target"]
    return found


def networks_of(service: Service) -> dict[str, list[str]]:
    """Each network, with the names that the container has there beside its own."""
    told = service["networks"]
    if isinstance(told, list):
        return {name: [] for name in told}
    return {name: (more or {}).get("aliases", []) for name, more in told.items()}
