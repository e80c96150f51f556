"""The image built and run by a container engine, as the compose file and the manifests run it."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from tests.support.engine import Engine, engine
from tests.support.image import REVISION
from tests.support.live_table import PATIENT, LiveTable

from croupier.client import Croupier

pytestmark = pytest.mark.timeout(1800)
READY = "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9464/readyz', timeout=20)"
SECRET = "import os; os.umask(0o77); open('/data/jwt', 'w').write('0123456789abcdef' * 4)"
TOKEN = """
import jwt, time
claims = {"sub": "game", "role": "backend", "exp": int(time.time()) + 3600}
print(jwt.encode(claims, open("/data/jwt").read(), "HS256"))
"""


@pytest.fixture(scope="module")
def built() -> Iterator[Engine]:
    found = engine()
    try:
        found.build(REVISION)
        yield found
    finally:
        found.remove()


@pytest.fixture
def started(built: Engine) -> Engine:
    """A server with a volume, a root that it cannot write, and no capability; ready."""
    volume = f"--volume={built.name}:/data"
    built.must("run", "--rm", volume, "--entrypoint=python", built.name, "-c", SECRET)
    built.must(
        *("run", "--detach", f"--name={built.name}", volume, "--read-only", "--tmpfs=/tmp"),
        *("--cap-drop=ALL", "--security-opt=no-new-privileges", "--env=CROUPIER_JWT_SECRET_FILE=/data/jwt"),
        *("--publish=127.0.0.1::50051", built.name),
    )
    built.wait_until_ready(["python", "-c", READY])
    return built


def test_it_says_what_it_is(built: Engine) -> None:
    config = built.image()
    assert config["User"] == "10001:10001"
    assert set(config["Volumes"]) == {"/data"}
    assert set(config["ExposedPorts"]) == {"50051/tcp", "9464/tcp"}
    assert config["Labels"]["org.opencontainers.image.revision"] == REVISION
    assert config["Healthcheck"]["Test"][:2] == ["CMD", "python"]
    assert f", source {REVISION}, " in built.said("croupier", "--version")


def test_nothing_that_builds_is_in_it_and_nothing_is_compiled_as_it_starts(built: Engine) -> None:
    look = """
import importlib.util, os, shutil
print([name for name in ("gcc", "cc", "make", "git") if shutil.which(name)])
names = "asyncio.events", "ssl", "urllib.request", "croupier.app", "grpc"
print([name for name in names if not os.path.exists(importlib.util.find_spec(name).cached)])
print([place for place in ("/", "/opt/croupier", "/etc") if os.access(place, os.W_OK)])
"""
    assert built.said("python", "-c", look).splitlines() == ["[]"] * 3


def test_without_credentials_it_does_not_start(built: Engine) -> None:
    status, output = built.run("run", "--rm", "--read-only", built.name)
    assert status == 2
    assert "set jwt_secret_file" in output


async def test_it_deals_goes_on_after_a_kill_and_drains_in_time(started: Engine) -> None:
    check = started.image()["Healthcheck"]["Test"][1:]
    started.wait_until_ready(check)
    token = started.must("exec", started.name, "python", "-c", TOKEN)
    async with Croupier(started.port(50051), token=token, retry=PATIENT) as client:
        assert (await client.get_server_info()).build == REVISION
        table = await LiveTable.open(client, ("anna", "bert", "cleo"))
        first = await table.decision()
        await table.act(first)

    started.must("kill", "--signal=KILL", started.name)
    started.must("start", started.name)
    started.wait_until_ready(["python", "-c", READY])
    async with Croupier(started.port(50051), token=token, retry=PATIENT) as client:
        table = LiveTable(client, table.table_id)
        decision = await table.decision()
        assert (decision.hand_id, decision.action_sequence) == (first.hand_id, first.action_sequence + 1)
        while decision.hand_id == first.hand_id:
            decision = (await table.act(await table.decision())).next_decision

    began = time.monotonic()
    started.must("stop", "--time=60", started.name)  # the hand that has begun has 30 seconds
    assert time.monotonic() - began < 55
    state = started.state()
    assert (state["ExitCode"], state["OOMKilled"]) == (0, False)
    assert '"server_stopped"' in started.must("logs", started.name)
