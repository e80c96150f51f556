"""The generated pages are what their generators write now: `make docs` was not forgotten."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tidy.sources import ROOT

FORGOTTEN = "run make docs"


def test_the_reference_of_the_contract_is_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "proto" / "reference.py"), "-"]
    written = subprocess.run(command, capture_output=True, check=True).stdout
    assert written == (ROOT / "proto" / "REFERENCE.md").read_bytes(), FORGOTTEN


def test_metrics_and_settings_are_up_to_date(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(ROOT / "deploy" / "reference.py"), str(tmp_path)], check=True)
    for name in ("METRICS.md", "SETTINGS.md"):
        assert (tmp_path / name).read_bytes() == (ROOT / "deploy" / name).read_bytes(), FORGOTTEN


def test_every_link_within_the_reference_leads_somewhere() -> None:
    page = (ROOT / "proto" / "REFERENCE.md").read_text()
    headings = re.findall(r"^#+ (.*)$", page, re.M)
    anchors = ["".join(sign for sign in one.lower() if sign.isalnum() or sign in "_-") for one in headings]
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r"\]\(#([^)]*)\)", page)) <= set(anchors)


def test_nothing_of_the_contract_is_without_a_meaning() -> None:
    page = (ROOT / "proto" / "REFERENCE.md").read_text()
    assert not re.findall(r"^\| .*\|\s*\|$", page, re.M)
    assert len(re.findall(r"^### \w+Service\.\w+$", page, re.M)) > 40


@pytest.mark.parametrize("name", ["README.md", "proto/README.md", "proto/REFERENCE.md"])
def test_files_that_a_page_links_to_are_there(name: str) -> None:
    page = ROOT / name
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text())
    assert links or page.name == "REFERENCE.md"
    assert [link for link in links if not (page.parent / link).exists()] == []
