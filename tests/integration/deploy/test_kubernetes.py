"""The Kubernetes manifests: valid by the published schemas, and what they say fits the service and each other."""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.support import deployed, dockerfile, manifests, runbook
from tests.support.require import require

from croupier.adapters import key_file
from croupier.config import load

VARIANTS = ("base", "postgresql", "cluster")
EACH = pytest.mark.parametrize("name", VARIANTS)
DSN = "postgresql://croupier@db/croupier"
BUS = "nats://nats:4222"
OBJECTS = {"base": 8, "postgresql": 8, "cluster": 9}
REACHED = {"base": set(), "postgresql": {53, 5432}, "cluster": {53, 5432, 4222}}


@EACH
@pytest.mark.parametrize("version", ["1.30", "1.32", "1.37"])
def test_every_object_is_valid_by_the_schemas(name: str, version: str, tmp_path: Path) -> None:
    validate = shutil.which("kubernetes-validate", path=str(Path(sys.executable).parent))
    if validate is None:
        require("kubernetes-validate", "the wheel is not installed")
    built = tmp_path / "built.yaml"
    built.write_text(manifests.built(name))
    command = [validate, "--strict", "--kubernetes-version", version, str(built)]
    run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    said = run.stdout + run.stderr
    assert run.returncode == 0, said
    assert len(re.findall("passed for resource", said)) == len(manifests.objects(name)) == OBJECTS[name], said


@EACH
def test_a_pod_may_do_no_more_than_it_must(name: str) -> None:
    """The restricted standard of pod security, which the namespace enforces, and a root that is not written."""
    spec = manifests.pod(name)["spec"]
    assert spec["automountServiceAccountToken"] is False
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    user, _, group = dockerfile.named(dockerfile.stages()[-1], "USER")[0].text.partition(":")
    context = spec["securityContext"]
    assert (str(context["runAsUser"]), str(context["runAsGroup"])) == (user, group)
    assert manifests.container(name)["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    labels = manifests.one(name, "Namespace")["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "restricted"


@EACH
def test_whatever_selects_the_servers_selects_them_and_nobody_else(name: str) -> None:
    labels = manifests.pod(name)["metadata"]["labels"]
    selectors = [
        manifests.one(name, "StatefulSet")["spec"]["selector"]["matchLabels"],
        manifests.one(name, "PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
        manifests.one(name, "NetworkPolicy")["spec"]["podSelector"]["matchLabels"],
        manifests.one(name, "Service", "croupier")["spec"]["selector"],
        manifests.one(name, "Service", "croupier-servers")["spec"]["selector"],
    ]
    assert all(manifests.selects(selector, labels) for selector in selectors)


@EACH
def test_probes_ask_the_pages_there_are_by_ports_there_are(name: str) -> None:
    """Liveness is not readiness: a server that waits for the store must not be killed for it."""
    container = manifests.container(name)
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    (exposed,) = dockerfile.named(dockerfile.stages()[-1], "EXPOSE")
    assert [str(port) for port in ports.values()] == exposed.words
    pages = {
        kind: container[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "liveness", "readiness")
    }
    assert pages == {"startup": "/healthz", "liveness": "/healthz", "readiness": "/readyz"}
    assert {container[f"{kind}Probe"]["httpGet"]["port"] for kind in pages} == {"http"}
    targets = {
        port["targetPort"]
        for each in manifests.objects(name)
        if each["kind"] == "Service"
        for port in each["spec"]["ports"]
    }
    assert targets == {"grpc", "http"} == ports.keys()


@EACH
def test_its_settings_are_taken_and_it_is_given_time_to_drain(name: str) -> None:
    told = {
        key: value.replace("secret:dsn", DSN).replace("secret:bus", BUS)
        for key, value in manifests.environment(name).items()
    }
    settings = load({}, {**dockerfile.variables(), **told})
    assert (settings.listen, settings.with_tokens) == ("0.0.0.0", True)
    spec = manifests.pod(name)["spec"]
    assert spec["terminationGracePeriodSeconds"] >= settings.drain_timeout + 15
    assert spec["enableServiceLinks"] is False


@EACH
def test_what_it_reads_and_writes_is_mounted(name: str) -> None:
    spec, container = manifests.pod(name)["spec"], manifests.container(name)
    mounted = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
    claims = manifests.one(name, "StatefulSet")["spec"].get("volumeClaimTemplates", [])
    volumes = {each["name"] for each in spec["volumes"]} | {each["metadata"]["name"] for each in claims}
    assert set(mounted.values()) == volumes
    assert ("/data" in mounted) == bool(claims) == (name == "base")
    (secret,) = [each["secret"] for each in spec["volumes"] if "secret" in each]
    assert secret["defaultMode"] & 0o007 == 0, "the server refuses what is open to every user"
    where = manifests.environment(name)["CROUPIER_JWT_SECRET_FILE"]
    assert [
        f"{path}/{item['path']}" for path in mounted if mounted[path] == "jwt" for item in secret["items"]
    ] == [where]


def secret_of(commands: str, directory: Path) -> dict[str, str]:
    """What the runbook's commands put into the Secret, of a kubectl that does nothing else."""
    kubectl = shutil.which("kubectl") or require("kubectl", "it is not installed")
    nothing = runbook.stand_in(directory / "bin", "kubectl")
    (nothing / "kubectl").write_text(
        "#!/bin/sh\n"
        f'case "$*" in *"create secret"*) exec {kubectl} "$@" --dry-run=client --output=yaml ;; esac\n'
    )
    made = yaml.safe_load(runbook.run(commands, directory, nothing))
    assert made["metadata"] == {**made["metadata"], "name": "croupier", "namespace": "croupier"}
    return {key: base64.b64decode(value).decode() for key, value in made["data"].items()}


@EACH
def test_the_secret_that_the_runbook_makes_is_the_one_it_needs(name: str, tmp_path: Path) -> None:
    commands = runbook.commands("Start a cluster")[1] if name == "cluster" else runbook.commands("Start")[2]
    secret = secret_of(commands, tmp_path)
    (volume,) = [each["secret"] for each in manifests.pod(name)["spec"]["volumes"] if "secret" in each]
    assert volume["secretName"] == "croupier"
    sources = [each.get("valueFrom", {}) for each in manifests.container(name)["env"]]
    assert {each["secretKeyRef"]["name"] for each in sources if "secretKeyRef" in each} == {"croupier"}
    told = manifests.environment(name)
    needed = {item["key"] for item in volume["items"]}
    needed |= {value.removeprefix("secret:") for value in told.values() if value.startswith("secret:")}
    assert needed == (secret.keys() - {"dsn"} if name == "base" else secret.keys())
    assert len(key_file.from_environment({"CROUPIER_MASTER_KEY": secret["master-key"]}) or b"") == 32
    told = {key: secret.get(value.removeprefix("secret:"), value) for key, value in told.items()}
    settings = load({}, told)
    assert settings.store_place == (
        "/data/croupier.db" if name == "base" else "postgresql://HOST:5432/croupier"
    )
    assert settings.bus == ("nats://croupier:PASSWORD@HOST:4222" if name == "cluster" else "")


def test_a_sqlite_file_has_one_server() -> None:
    spec = manifests.one("base", "StatefulSet")["spec"]
    assert spec["replicas"] == 1
    (claim,) = spec["volumeClaimTemplates"]
    assert claim["spec"]["accessModes"] == ["ReadWriteOncePod"]
    assert spec["persistentVolumeClaimRetentionPolicy"] == {"whenDeleted": "Retain", "whenScaled": "Retain"}
    store = manifests.environment("base")["CROUPIER_STORE"]
    assert store.startswith("sqlite:/data/")


def test_nothing_waits_for_the_server_that_waits_for_the_store() -> None:
    """It is never ready, so neither the start of the others nor a rollout may depend on that, nor an eviction of it."""
    spec = manifests.one("postgresql", "StatefulSet")["spec"]
    assert spec["replicas"] == 2
    assert spec["podManagementPolicy"] == "Parallel"
    assert spec["updateStrategy"] == {"type": "OnDelete"}
    budget = manifests.one("postgresql", "PodDisruptionBudget")["spec"]
    assert (budget["minAvailable"], budget["unhealthyPodEvictionPolicy"]) == (1, "AlwaysAllow")
    assert (
        manifests.one("postgresql", "Service", "croupier")["spec"].get("publishNotReadyAddresses", False)
        is False
    )
    assert manifests.environment("postgresql")["CROUPIER_STORE"] == "secret:dsn"


def peers(policy: dict[str, Any], port: str) -> list[dict[str, str]]:
    """The labels of the pods that are let in by a port."""
    return [
        peer["podSelector"]["matchLabels"]
        for rule in policy["ingress"]
        if {"port": port} in rule["ports"]
        for peer in rule["from"]
    ]


@EACH
def test_only_callers_and_prometheus_come_in_and_nothing_but_the_database_is_reached(name: str) -> None:
    policy = manifests.one(name, "NetworkPolicy")["spec"]
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    assert peers(policy, "grpc") == [{"croupier-client": "true"}]
    assert peers(policy, "http") == [{"app.kubernetes.io/name": "prometheus"}]
    assert all(rule["from"] and rule["ports"] for rule in policy["ingress"])
    reached = {port["port"] for rule in policy["egress"] for port in rule["ports"]}
    assert reached == REACHED[name]
    for label in ("croupier-client", "app.kubernetes.io/name: prometheus"):
        assert label in deployed.RUNBOOK.read_text()


def test_prometheus_finds_the_servers_as_the_alerts_name_them() -> None:
    """ServiceMonitor and PrometheusRule have no schema among those published: their fields are compared here."""
    monitor = manifests.one("monitoring", "ServiceMonitor")
    assert monitor["apiVersion"] == "monitoring.coreos.com/v1"
    assert monitor.keys() == {"apiVersion", "kind", "metadata", "spec"}
    spec = monitor["spec"]
    assert spec.keys() == {"endpoints", "jobLabel", "selector"}
    for name in VARIANTS:
        chosen = [
            each
            for each in manifests.objects(name)
            if each["kind"] == "Service"
            and manifests.selects(spec["selector"]["matchLabels"], each["metadata"]["labels"])
        ]
        assert [each["metadata"]["name"] for each in chosen] == ["croupier-servers"], "each is scraped once"
        assert chosen[0]["metadata"]["labels"][spec["jobLabel"]] == "croupier"
        assert chosen[0]["metadata"]["namespace"] == monitor["metadata"]["namespace"]
        (endpoint,) = spec["endpoints"]
        assert endpoint["port"] in {port["name"] for port in chosen[0]["spec"]["ports"]}
    assert 'up{job="croupier"}' in deployed.RULES.read_text()
    (target,) = yaml.safe_load((deployed.RULES.with_name("prometheus.yml")).read_text())["scrape_configs"]
    assert target["job_name"] == "croupier"


def test_the_rules_of_the_cluster_are_those_of_the_file() -> None:
    """But for line breaks within an expression, which kustomize sets anew, and which mean nothing."""
    rule = manifests.one("monitoring", "PrometheusRule")
    assert rule["apiVersion"] == "monitoring.coreos.com/v1"
    told, ours = rule["spec"]["groups"], yaml.safe_load(deployed.RULES.read_text())["groups"]
    for each in (each for group in (*told, *ours) for each in group["rules"]):
        each["expr"] = " ".join(each["expr"].split())
    assert told == ours, "run make docs"
    assert len(deployed.alerts()) == sum("alert" in each for group in told for each in group["rules"])


def test_the_folders_that_the_runbook_has_applied_are_there() -> None:
    applied = re.findall(r"kubectl apply -k (\S+)", deployed.RUNBOOK.read_text())
    assert {Path(each).name for each in applied if os.sep in each} >= {"postgresql", "cluster", "monitoring"}
    assert all(
        (dockerfile.ROOT / each / "kustomization.yaml").is_file() for each in applied if os.sep in each
    )
