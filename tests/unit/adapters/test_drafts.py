"""A file is whole or not there, and what a killed process leaves of it is in nobody's way and does not stay."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.adapters import drafts
from croupier.adapters.key_file import read, read_or_make

_KILLED_AT_THE_LINK = """
import os, signal, sys
from pathlib import Path
from croupier.adapters import key_file
link = os.link
def killed(source, target):
    if sys.argv[2] == "after":
        link(source, target)
    os.kill(os.getpid(), signal.SIGKILL)
os.link = killed
key_file.read_or_make(Path(sys.argv[1]), Path(sys.argv[1]).with_suffix(".db"))
"""


def killed(path: Path, moment: str) -> None:
    """A first start that is killed while it makes the key."""
    command = [sys.executable, "-c", _KILLED_AT_THE_LINK, str(path), moment]
    assert subprocess.run(command, check=False).returncode == -9
    assert len(list(path.parent.iterdir())) == (1 if moment == "before" else 2)


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_start_killed_while_it_makes_the_key_leaves_no_second_copy_to_the_next(
    tmp_path: Path, moment: str
) -> None:
    path = tmp_path / "a.key"
    killed(path, moment)
    key = read_or_make(path, tmp_path / "a.db")
    assert read(path) == key
    assert list(tmp_path.iterdir()) == [path]


def test_a_start_under_the_process_id_of_one_that_was_killed_makes_the_key(tmp_path: Path) -> None:
    """As in a container, where a server is always process 1."""
    (tmp_path / f"a.key.{os.getpid()}").write_text("left")
    assert len(read_or_make(tmp_path / "a.key", tmp_path / "a.db")) == 32


def test_a_draft_that_is_being_written_and_other_files_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.key"
    others = [tmp_path / name for name in (".a.key.draft", ".a.key.0.draft", ".b.key.0123456789abcdef.draft")]
    for other in others:
        other.touch()
    with drafts.draft(path, b"key", 0o600) as draft:
        drafts.clear(path)
        assert draft.read_bytes() == b"key"
        assert draft.stat().st_mode & 0o777 == 0o600
        draft.replace(path)
    assert sorted(tmp_path.iterdir()) == sorted([path, *others])


def test_a_draft_that_came_to_nothing_is_gone(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="full"), drafts.draft(tmp_path / "a", b"content", 0o600):
        raise OSError("full")
    assert list(tmp_path.iterdir()) == []
