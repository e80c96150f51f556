"""The runbook: its sections are there, and whatever it links to."""

from __future__ import annotations

import re

import pytest
from tests.support import deployed

ASKED_FOR = (
    "start",
    "drain",
    "upgrade",
    "back-up-and-restore",
    "stuck-hand",
    "halted-table",
    "lost-disk",
    "start-a-cluster",
    "add-or-remove-a-server",
    "upgrade-a-cluster",
    "nats-is-lost",
    "postgresql-fails-over",
    "why-a-split-brain-writes-nothing",
    "the-master-key-of-a-cluster",
)
LINKS = sorted(set(re.findall(r"\]\(([^)]+)\)", deployed.RUNBOOK.read_text())))


@pytest.mark.parametrize("section", ASKED_FOR)
def test_there_is_a_section_for_each_thing_to_do(section: str) -> None:
    assert section in deployed.sections()


@pytest.mark.parametrize("link", LINKS)
def test_a_link_leads_somewhere(link: str) -> None:
    file, _, section = link.partition("#")
    if file:
        assert (deployed.RUNBOOK.parent / file).is_file()
    else:
        assert section in deployed.sections()


def test_each_file_that_it_lists_is_there() -> None:
    table = deployed.RUNBOOK.read_text().partition("|---|---|\n")[2].partition("\n\n")[0]
    named = [name for row in table.splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1])]
    assert len(named) > 8
    for name in named:
        assert list(deployed.RUNBOOK.parent.glob(name)), name
