"""The Kubernetes objects of deploy/kubernetes, as kustomize puts them together."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from typing import Any, Final

import yaml
from tests.support.deployed import DEPLOYED
from tests.support.require import require

FOLDER: Final = DEPLOYED / "kubernetes"
Object = dict[str, Any]


@cache
def built(name: str) -> str:
    """What `kubectl kustomize` makes of a folder; a test without kubectl is given up."""
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        require("kubectl", "it is not installed")
    run = subprocess.run(
        [kubectl, "kustomize", FOLDER / name], check=False, capture_output=True, text=True, timeout=60
    )
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def objects(name: str) -> list[Object]:
    return list(yaml.safe_load_all(built(name)))


def one(name: str, kind: str, called: str = "") -> Object:
    """The object of a kind, which must be alone with that, or have that name."""
    (found,) = [
        each for each in objects(name) if each["kind"] == kind and called in ("", each["metadata"]["name"])
    ]
    return found


def pod(name: str) -> Object:
    """What each server's pod is to be."""
    template: Object = one(name, "StatefulSet")["spec"]["template"]
    return template


def container(name: str) -> Object:
    (only,) = pod(name)["spec"]["containers"]
    found: Object = only
    return found


POD_NAME: Final = "croupier-0"


def environment(name: str) -> dict[str, str]:
    """The container's variables, of the first pod; those of the Secret as `secret:KEY`."""
    (source,) = container(name)["envFrom"]
    told: dict[str, str] = one(name, "ConfigMap", source["configMapRef"]["name"])["data"]
    return {**told, **{variable["name"]: _value(variable) for variable in container(name)["env"]}}


def _value(variable: Object) -> str:
    source = variable.get("valueFrom", {})
    if "secretKeyRef" in source:
        return f"secret:{source['secretKeyRef']['key']}"
    if "fieldRef" in source:
        assert source["fieldRef"] == {"fieldPath": "metadata.name"}
        return POD_NAME
    value: str = variable["value"]
    return value.replace("$(POD_NAME)", POD_NAME)


def selects(selector: dict[str, str], labels: dict[str, str]) -> bool:
    """Whether a selector that names something picks what has the labels."""
    return bool(selector) and selector.items() <= labels.items()
