"""The manifests of several servers that share a store: found by name, replaced one by one, scaled, kept apart."""

from __future__ import annotations

import json
import re

from tests.support import deployed, manifests, runbook

NAME = "cluster"


def test_each_server_tells_the_others_a_name_that_the_headless_service_gives_it() -> None:
    """Ready or not, for a table is handed to a server as soon as that has joined."""
    service = manifests.one(NAME, "Service", "croupier-servers")
    assert service["spec"]["clusterIP"] == "None"
    assert service["spec"]["publishNotReadyAddresses"] is True
    spec = manifests.one(NAME, "StatefulSet")["spec"]
    assert spec["serviceName"] == service["metadata"]["name"]
    host, _, port = manifests.environment(NAME)["CROUPIER_ADVERTISE"].rpartition(":")
    namespace = service["metadata"]["namespace"]
    assert host == f"{manifests.POD_NAME}.croupier-servers.{namespace}.svc"
    assert int(port) in {one["port"] for one in service["spec"]["ports"]}
    assert f"dns:///croupier-servers.{namespace}.svc:{port}" in deployed.RUNBOOK.read_text()


def test_a_rollout_replaces_one_server_at_a_time_and_lets_its_tables_come_back() -> None:
    spec = manifests.one(NAME, "StatefulSet")["spec"]
    assert spec["updateStrategy"] == {"type": "RollingUpdate"}
    assert spec["minReadySeconds"] >= 5
    assert "volumeClaimTemplates" not in spec


def test_no_eviction_takes_two_at_once_however_many_there_are() -> None:
    budget = manifests.one(NAME, "PodDisruptionBudget")["spec"]
    assert budget["maxUnavailable"] == 1
    assert "minAvailable" not in budget


def test_the_autoscaler_alone_says_how_many_there_are() -> None:
    assert "replicas" not in manifests.one(NAME, "StatefulSet")["spec"]
    scaler = manifests.one(NAME, "HorizontalPodAutoscaler")
    assert scaler["metadata"]["namespace"] == manifests.one(NAME, "StatefulSet")["metadata"]["namespace"]
    spec = scaler["spec"]
    assert spec["scaleTargetRef"] == {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "croupier"}
    assert spec["minReplicas"] == 3 < spec["maxReplicas"]


def test_when_one_of_the_fewest_servers_is_lost_the_others_can_carry_its_tables() -> None:
    """A server's event loop has one processor."""
    spec = manifests.one(NAME, "HorizontalPodAutoscaler")["spec"]
    (metric,) = spec["metrics"]
    resource = metric["containerResource"]
    assert (resource["container"], resource["name"]) == (manifests.container(NAME)["name"], "cpu")
    thousandths = int(resource["target"]["averageValue"].removesuffix("m"))
    assert thousandths * spec["minReplicas"] / (spec["minReplicas"] - 1) < 1000
    assert (
        "limits" not in manifests.container(NAME)["resources"]
        or "cpu" not in (manifests.container(NAME)["resources"]["limits"])
    ), "a quota would stop the event loop in mid-hand"
    behavior = spec["behavior"]
    up, down = behavior["scaleUp"], behavior["scaleDown"]
    assert up["stabilizationWindowSeconds"] < down["stabilizationWindowSeconds"]
    assert [policy["value"] for policy in down["policies"]] == [1]


def test_two_servers_are_never_on_one_machine() -> None:
    affinity = manifests.pod(NAME)["spec"]["affinity"]["podAntiAffinity"]
    (term,) = affinity["requiredDuringSchedulingIgnoredDuringExecution"]
    assert term["topologyKey"] == "kubernetes.io/hostname"
    labels = manifests.pod(NAME)["metadata"]["labels"]
    assert manifests.selects(term["labelSelector"]["matchLabels"], labels)
    (spread,) = manifests.pod(NAME)["spec"]["topologySpreadConstraints"]
    assert manifests.selects(spread["labelSelector"]["matchLabels"], labels)


def test_all_servers_have_the_one_master_key_and_no_file_of_their_own() -> None:
    told = manifests.environment(NAME)
    assert told["CROUPIER_MASTER_KEY"] == "secret:master-key"
    assert "CROUPIER_KEY_FILE" not in told


def test_the_runbook_raises_the_least_number_of_the_autoscaler_that_there_is() -> None:
    (block,) = runbook.commands("Add or remove a server")
    name, patch = re.findall(r"patch hpa (\S+) --patch '(.*)'", block)[0]
    assert name == manifests.one(NAME, "HorizontalPodAutoscaler")["metadata"]["name"]
    spec = manifests.one(NAME, "HorizontalPodAutoscaler")["spec"]
    assert spec["minReplicas"] < json.loads(patch)["spec"]["minReplicas"] <= spec["maxReplicas"]
    assert "rollout status statefulset croupier" in "".join(runbook.commands("Upgrade a cluster"))
