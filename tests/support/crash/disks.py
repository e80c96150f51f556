"""Disks of a test's own: small ones, and ones that become read-only while they are written. Root alone mounts them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.support.require import require

_EXT4: Final = Path("/sys/fs/ext4")


@contextmanager
def small_disk(place: Path, size: int) -> Iterator[Path]:
    """A disk of so many bytes; a test that may not mount one is given up."""
    place.mkdir()
    _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place))
    try:
        yield place
    finally:
        _unmount(place)


def fill(place: Path) -> Path:
    """Take all the room that is left; the file that has it."""
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (65536, 512, 1):
            try:
                while file.write(bytes(size)):
                    pass
            except OSError:
                continue
    return ballast


def make_read_only(place: Path) -> None:
    """Mount it anew; nobody may have a file of it open for writing."""
    _must("mount", "-o", "remount,ro", str(place))


class BreakableDisk:
    """A disk that its file system makes read-only once an error is found, as it does with one that wears out."""

    def __init__(self, directory: Path, size: int) -> None:
        self._image = directory / "image"
        self.place: Final = directory / "disk"
        self.place.mkdir()
        with self._image.open("wb") as file:
            file.truncate(size)
        _must("mkfs.ext4", "-q", str(self._image))
        self.mount()

    def mount(self) -> None:
        _mount("-o", "loop,errors=remount-ro", str(self._image), str(self.place))
        source = _must("findmnt", "-n", "-o", "SOURCE", str(self.place))
        self._trigger = _EXT4 / Path(source).name / "trigger_fs_error"
        if not os.access(self._trigger, os.W_OK):
            self.unmount()
            require("mount", "this kernel has no way to report an error of a file system on purpose")

    def break_down(self) -> None:
        """From now on nothing can be written, files that are open included."""
        self._trigger.write_text("1")

    def unmount(self) -> None:
        _unmount(self.place)

    def mend(self) -> None:
        """Have it checked and mounted again."""
        subprocess.run(["e2fsck", "-fy", str(self._image)], check=False, capture_output=True)
        self.mount()


def _mount(*arguments: str) -> None:
    try:
        _must("mount", *arguments)
    except (subprocess.CalledProcessError, FileNotFoundError) as failure:
        require("mount", f"nothing can be mounted here: {failure}")


def _unmount(place: Path) -> None:
    subprocess.run(["umount", "-l", str(place)], check=False, capture_output=True)


def _must(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
