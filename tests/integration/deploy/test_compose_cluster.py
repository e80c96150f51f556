"""The compose file of several servers: that they are of one room, whom callers reach, and that NATS takes its file."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from tests.support import composed, deployed, dockerfile, nats, runbook
from tests.support.composed import Service
from tests.support.deployed import DEPLOYED
from tests.support.prometheus import program

from croupier.adapters import key_file
from croupier.adapters.nats import Server
from croupier.config import Settings, load

COMPOSED = composed.composed("compose.cluster.yml")
SERVICES: dict[str, Service] = COMPOSED["services"]
SERVERS = [name for name in SERVICES if name.startswith("croupier-")]


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of secrets that the runbook's commands make, but for whose the files are."""
    directory = tmp_path_factory.mktemp("cluster")
    (directory / "deploy").mkdir()
    nothing = runbook.stand_in(directory / "bin", "docker", "sudo")
    runbook.run(runbook.commands("Start a cluster")[0], directory, nothing)
    return directory / "deploy" / "secrets"


def settings_of(name: str, secrets: Path) -> Settings:
    """What a server takes from its variables and files."""
    environment = {**dockerfile.variables(), **SERVICES[name]["environment"]}
    for secret, path in composed.secrets_of(SERVICES[name]).items():
        file = str(secrets / secret)
        environment = {key: value.replace(path, file) for key, value in environment.items()}
    return load({}, environment)


def test_there_are_several_servers_what_they_share_and_what_watches_them() -> None:
    assert len(SERVERS) == 3
    assert set(SERVICES) - {*SERVERS} == {"nats", "postgres", "prometheus", "grafana"}


def test_secrets_are_the_files_that_the_runbook_makes(secrets: Path) -> None:
    assert {path.name for path in secrets.iterdir()} == COMPOSED["secrets"].keys()
    assert all(COMPOSED["secrets"][name] == {"file": f"secrets/{name}"} for name in COMPOSED["secrets"])
    block = runbook.commands("Start a cluster")[0]
    owned = {user: re.findall(rf"chown {user}:{user} (.*)", block)[0].split() for user in ("10001", "1000")}
    server = {f"secrets/{name}" for name in composed.secrets_of(SERVICES[SERVERS[0]])}
    assert {*owned["10001"]} == server
    assert owned["1000"] == ["secrets/nats_users"]
    assert SERVICES["nats"]["user"] == "1000:1000"


def test_servers_are_of_one_room_and_differ_in_where_they_are_found_alone(secrets: Path) -> None:
    settings = [settings_of(name, secrets) for name in SERVERS]
    for name, one in zip(SERVERS, settings, strict=True):
        assert one.advertised == f"{name}:{one.port}"
        assert (one.listen, one.with_tokens, one.store_name) == ("0.0.0.0", True, "postgresql")
        grpc, http = SERVICES[name]["ports"]
        assert grpc.endswith(f":{one.port}")
        assert http.endswith(f":{one.http_port}")
    assert len({(one.store, one.bus, one.key_file) for one in settings}) == 1
    assert len(key_file.read(Path(settings[0].key_file))) == 32
    published = [port for name in SERVERS for port in SERVICES[name]["ports"]]
    assert len({port.rpartition(":")[0] for port in published}) == 2 * len(SERVERS)
    unlike = {"environment", "ports"}
    shared = [{key: value for key, value in SERVICES[name].items() if key not in unlike} for name in SERVERS]
    assert shared == [shared[0]] * len(SERVERS)


def test_it_is_built_started_checked_and_drained_as_the_single_server() -> None:
    single = composed.composed("compose.yml")["services"]["croupier"]
    for name in SERVERS:
        for key in ("build", "image", "command", "healthcheck", "stop_grace_period", "restart"):
            assert SERVICES[name][key] == single[key]
        assert SERVICES[name]["depends_on"].keys() == {"postgres", "nats"}


def test_callers_find_all_servers_under_one_name_and_the_runbook_says_where() -> None:
    assert all(composed.networks_of(SERVICES[name])["front"] == ["croupier"] for name in SERVERS)
    ports = [SERVICES[name]["ports"][0].rpartition(":")[0] for name in SERVERS]
    told = deployed.RUNBOOK.read_text()
    assert f"ipv4:{','.join(ports)}" in told
    assert "dns:///croupier:50051" in told


def test_nobody_but_the_servers_reaches_nats_or_the_database() -> None:
    networks = {name: {*composed.networks_of(service)} for name, service in SERVICES.items()}
    assert {name for name in SERVICES if "bus" in networks[name]} == {*SERVERS, "nats"}
    assert {name for name in SERVICES if "database" in networks[name]} == {*SERVERS, "postgres"}
    assert networks["nats"] == {"bus"}
    assert "ports" not in SERVICES["nats"]
    for name in ("bus", "database", "metrics"):
        assert COMPOSED["networks"][name] == {"internal": True}
    assert {name for name in SERVICES if "metrics" in networks[name]} == {*SERVERS, "prometheus", "grafana"}


def test_nats_takes_its_file_and_the_servers_the_password_that_it_asks_for(
    secrets: Path, tmp_path: Path
) -> None:
    there = {composed.place(volume): volume.partition(":")[0] for volume in SERVICES["nats"]["volumes"]}
    (config,) = there
    assert SERVICES["nats"]["command"] == ["--config", config]
    users = Path(composed.secrets_of(SERVICES["nats"])["nats_users"])
    assert users.parent == Path(config).parent
    shutil.copy(DEPLOYED / there[config], tmp_path / "nats.conf")
    shutil.copy(secrets / "nats_users", tmp_path / users.name)
    command = [str(nats.program()), "-t", "-c", str(tmp_path / "nats.conf")]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert run.returncode == 0, run.stderr
    bus = settings_of(SERVERS[0], secrets).bus
    server = Server(bus)
    assert server.urls == ["nats://nats:4222"]
    user, password = re.findall(r'user: (\w+), password: "(\w+)"', (secrets / "nats_users").read_text())[0]
    assert bus == f"nats://{user}:{password}@nats:4222"


async def test_the_servers_come_in_by_it_and_nobody_else_does(secrets: Path) -> None:
    """The same file of users, at a NATS that runs."""
    with nats.nats_server((secrets / "nats_users").read_text()) as running:
        inside = settings_of(SERVERS[0], secrets).bus.replace("nats:4222", f"127.0.0.1:{running.port}")
        assert await connects(inside)
        assert not await connects(running.url)


async def connects(url: str) -> bool:
    from croupier.adapters.nats import NatsBus

    bus = NatsBus(Server(url), "one", lambda: None)
    try:
        return await bus.start(3)
    finally:
        await bus.close()


def test_prometheus_scrapes_every_server_by_the_rules_of_one() -> None:
    there = {composed.place(volume): volume.partition(":")[0] for volume in SERVICES["prometheus"]["volumes"]}
    config = there["/etc/prometheus/prometheus.yml"]
    assert there["/etc/prometheus/rules.yml"] == "./prometheus/rules.yml"
    told = yaml.safe_load((DEPLOYED / config).read_text())
    ((job,), single) = (
        told["scrape_configs"],
        yaml.safe_load((DEPLOYED / "prometheus/prometheus.yml").read_text()),
    )
    assert job["static_configs"] == [{"targets": [f"{name}:9464" for name in SERVERS]}]
    assert job["job_name"] == single["scrape_configs"][0]["job_name"]
    assert {**told, "scrape_configs": 0} == {**single, "scrape_configs": 0}
    command = [program("promtool"), "check", "config", str(DEPLOYED / config)]
    assert subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0


def test_the_runbook_upgrades_every_server_one_after_the_other() -> None:
    (block,) = [one for one in runbook.commands("Upgrade a cluster") if "docker" in one]
    (numbers,) = re.findall(r"for number in (.*);", block)
    assert [f"croupier-{number}" for number in numbers.split()] == SERVERS
