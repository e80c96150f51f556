"""The compose file beside what it leads to: files, ports, other programs' settings. Compose itself is not asked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.support import composed, dockerfile, runbook
from tests.support.composed import Service
from tests.support.deployed import DEPLOYED

from croupier.config import load

COMPOSED = composed.composed("compose.yml")
SERVICES: dict[str, Service] = COMPOSED["services"]
EACH = pytest.mark.parametrize(
    ("file", "name"),
    [(file, name) for file in composed.FILES for name in sorted(composed.composed(file)["services"])],
)


def seconds(text: str) -> int:
    assert text.endswith("s")
    return int(text.removesuffix("s"))


def mounts(service: dict[str, Any]) -> list[tuple[str, str]]:
    """Files and folders of deploy/, each with where the container has it; all must be read-only."""
    parts = [one.split(":") for one in service.get("volumes", ()) if one.startswith(".")]
    assert all(len(part) == 3 and part[2] == "ro" for part in parts)
    return [(source, target) for source, target, _ in parts]


def grafana_yaml(folder: str) -> dict[str, Any]:
    (path,) = (DEPLOYED / "grafana" / "provisioning" / folder).glob("*.yml")
    found: dict[str, Any] = yaml.safe_load(path.read_text())
    return found


def test_there_is_the_service_and_what_watches_it() -> None:
    assert set(SERVICES) == {"croupier", "postgres", "prometheus", "grafana"}


@EACH
def test_a_container_may_do_no_more_than_it_must(file: str, name: str) -> None:
    service = composed.composed(file)["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "/tmp" in service["tmpfs"]
    assert "privileged" not in service


@EACH
def test_an_image_has_a_version_and_a_port_is_of_this_machine_alone(file: str, name: str) -> None:
    service = composed.composed(file)["services"][name]
    assert re.search(r":v?\d+\.\d+", service["image"])
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))


@EACH
def test_what_is_named_is_there(file: str, name: str) -> None:
    service = composed.composed(file)["services"][name]
    assert all((DEPLOYED / source).exists() for source, _ in mounts(service))
    named = {one.partition(":")[0] for one in service.get("volumes", ()) if not one.startswith(".")}
    whole = composed.composed(file)
    assert named <= whole["volumes"].keys()
    assert composed.secrets_of(service).keys() <= whole["secrets"].keys()
    assert set(service["networks"]) <= whole["networks"].keys()
    assert set(service.get("depends_on", ())) <= whole["services"].keys()


@EACH
def test_no_password_is_in_it_but_the_names_of_files(file: str, name: str) -> None:
    service = composed.composed(file)["services"][name]
    for variable, value in service.get("environment", {}).items():
        if re.search("PASSWORD|SECRET|TOKEN|PGPASS", variable):
            assert value.startswith("/run/secrets/"), variable
            assert value.removeprefix("/run/secrets/") in service["secrets"]
        assert not re.search(r"//[^/@]*:[^/@]*@", value), variable


def test_secrets_are_the_files_that_the_runbook_makes_and_git_ignores() -> None:
    block = runbook.commands("Start")[0]
    for name, secret in COMPOSED["secrets"].items():
        assert secret == {"file": f"secrets/{name}"}
        assert name in block
    assert "/deploy/secrets/" in (dockerfile.ROOT / ".gitignore").read_text().splitlines()


def test_the_service_is_this_one_and_its_settings_are_taken() -> None:
    service = SERVICES["croupier"]
    build = service["build"]
    assert (DEPLOYED / build["context"] / build["dockerfile"]).resolve() == dockerfile.DOCKERFILE
    assert build["args"] == {"REVISION": "${REVISION:-}"}
    assert "REVISION=$(git rev-parse HEAD) docker compose up --build" in runbook.commands("Start")[0]
    settings = load({}, {**dockerfile.variables(), **service["environment"]})
    assert settings.store_name == "postgresql"
    assert (settings.listen, settings.with_tokens) == ("0.0.0.0", True)
    assert service["ports"] == [f"127.0.0.1:{port}:{port}" for port in (settings.port, settings.http_port)]
    (exposed,) = dockerfile.named(dockerfile.stages()[-1], "EXPOSE")
    assert exposed.words == [str(settings.port), str(settings.http_port)]
    assert f":{settings.http_port}/readyz" in service["healthcheck"]["test"][-1]


def test_it_is_given_time_to_drain() -> None:
    service = SERVICES["croupier"]
    drain = int(service["environment"]["CROUPIER_DRAIN_TIMEOUT"])
    assert seconds(service["stop_grace_period"]) >= drain + 15


def test_what_it_writes_is_on_a_volume() -> None:
    volumes = [one for one in SERVICES["croupier"]["volumes"] if one.endswith(":/data")]
    assert len(volumes) == 1
    assert SERVICES["croupier"]["environment"]["CROUPIER_KEY_FILE"].startswith("/data/")
    assert dockerfile.named(dockerfile.stages()[-1], "VOLUME")[0].text == "/data"


def test_each_reaches_what_it_asks_and_nobody_else_the_database() -> None:
    networks = {name: set(service["networks"]) for name, service in SERVICES.items()}
    for one, other in (("croupier", "postgres"), ("prometheus", "croupier"), ("grafana", "prometheus")):
        assert networks[one] & networks[other]
    assert not networks["postgres"] & (networks["prometheus"] | networks["grafana"])
    assert COMPOSED["networks"]["database"] == {"internal": True}
    host, _, port = (
        SERVICES["croupier"]["environment"]["CROUPIER_STORE"]
        .partition("@")[2]
        .partition("/")[0]
        .partition(":")
    )
    assert (host, port) == ("postgres", "5432")


def test_prometheus_has_its_rules_beside_its_configuration_and_scrapes_the_service() -> None:
    there = dict(mounts(SERVICES["prometheus"]))
    config = there["./prometheus/prometheus.yml"]
    assert f"--config.file={config}" in SERVICES["prometheus"]["command"]
    said = yaml.safe_load((DEPLOYED / "prometheus/prometheus.yml").read_text())
    assert there["./prometheus/rules.yml"] == str(Path(config).with_name(*said["rule_files"]))
    (job,) = said["scrape_configs"]
    assert job["static_configs"] == [{"targets": ["croupier:9464"]}]


def test_grafana_has_the_dashboards_and_where_their_figures_come_from() -> None:
    there = dict(mounts(SERVICES["grafana"]))
    for folder in ("dashboards", "datasources"):
        assert there[f"./grafana/provisioning/{folder}"] == f"/etc/grafana/provisioning/{folder}"
    assert "/etc/grafana/provisioning" not in there.values(), "Grafana misses the image's other folders there"
    (provider,) = grafana_yaml("dashboards")["providers"]
    assert provider["options"]["path"] == there["./grafana"]
    (source,) = grafana_yaml("datasources")["datasources"]
    assert (source["type"], source["isDefault"]) == ("prometheus", True)
    assert source["url"] == "http://prometheus:9090"


def test_grafana_asks_nobody_elsewhere() -> None:
    environment = SERVICES["grafana"]["environment"]
    assert environment["GF_PLUGINS_PREINSTALL_DISABLED"] == "true"
    asking = ("REPORTING_ENABLED", "CHECK_FOR_UPDATES", "CHECK_FOR_PLUGIN_UPDATES")
    assert [environment[f"GF_ANALYTICS_{name}"] for name in asking] == ["false"] * 3
