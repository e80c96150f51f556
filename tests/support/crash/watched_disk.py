"""SQLite's own file system, watched: every write, truncation, sync and removal goes to a log, in order.

From the log follows what a disk holds after a power cut that loses what was not synced. It works on the library that
Python's sqlite3 is linked with, by that library's own means: the default VFS is replaced by a copy of itself, whose
files report before they do what they did anyway. Everything else (locks, shared memory, reads) stays as it is.
"""

from __future__ import annotations

import ctypes
import os
import sqlite3
from collections.abc import Iterator
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

import msgspec

SECTOR: Final = 512
"""What a disk writes whole or not at all."""


class Done(msgspec.Struct, frozen=True, array_like=True):
    """Something done to a file."""

    what: Literal["write", "truncate", "sync", "delete"]
    path: str
    offset: int = 0
    data: bytes = b""


def disk_after(log: Path, lucky: Random | None = None) -> dict[str, bytes]:
    """The files as a power cut leaves them: what was synced, and with `lucky` some sectors of what was not."""
    files: dict[str, bytearray] = {}
    waiting: dict[str, list[Done]] = {}
    for done in read(log):
        if done.what == "delete":
            files.pop(done.path, None)
            waiting.pop(done.path, None)
        elif done.what == "sync":
            image = files.setdefault(done.path, bytearray())
            for one in waiting.pop(done.path, []):
                _apply(image, one)
        else:
            waiting.setdefault(done.path, []).append(done)
    if lucky is not None:
        for path, some in waiting.items():
            for one in some:
                for part in _sectors(one):
                    if lucky.random() < 0.5:
                        _apply(files.setdefault(path, bytearray()), part)
    return {path: bytes(image) for path, image in files.items()}


def read(log: Path) -> Iterator[Done]:
    decoder = msgspec.msgpack.Decoder(Done)
    data, place = log.read_bytes(), 0
    while place + 4 <= len(data):
        size = int.from_bytes(data[place : place + 4], "big")
        if place + 4 + size > len(data):
            return  # the process was killed while it wrote
        yield decoder.decode(data[place + 4 : place + 4 + size])
        place += 4 + size


def _sectors(done: Done) -> Iterator[Done]:
    if done.what != "write":
        yield done
    for start in range(0, len(done.data), SECTOR):
        yield Done("write", done.path, done.offset + start, done.data[start : start + SECTOR])


def _apply(image: bytearray, done: Done) -> None:
    if done.what == "truncate":
        del image[done.offset :]
        image.extend(bytes(done.offset - len(image)))
    elif done.what == "write":
        image.extend(bytes(max(0, done.offset - len(image))))
        image[done.offset : done.offset + len(done.data)] = done.data


def must_be_linked() -> None:
    """Raises NotLinked where SQLite cannot be watched in this Python."""
    _library()


class NotLinked(Exception):
    """Raised where Python's sqlite3 has SQLite inside, out of reach."""


class _File(Structure):
    pass


_CLOSE = CFUNCTYPE(c_int, POINTER(_File))
_WRITE = CFUNCTYPE(c_int, POINTER(_File), c_void_p, c_int, c_int64)
_TRUNCATE = CFUNCTYPE(c_int, POINTER(_File), c_int64)
_SYNC = CFUNCTYPE(c_int, POINTER(_File), c_int)


class _Methods(Structure):
    """sqlite3_io_methods; what comes after xSync is not touched here."""

    _fields_ = (
        ("iVersion", c_int),
        ("xClose", _CLOSE),
        ("xRead", c_void_p),
        ("xWrite", _WRITE),
        ("xTruncate", _TRUNCATE),
        ("xSync", _SYNC),
        ("others", c_void_p * 13),
    )


_File._fields_ = [("pMethods", POINTER(_Methods))]


class _Vfs(Structure):
    """sqlite3_vfs; what comes after xDelete is not touched here."""


_OPEN = CFUNCTYPE(c_int, POINTER(_Vfs), c_void_p, POINTER(_File), c_int, c_void_p)
_DELETE = CFUNCTYPE(c_int, POINTER(_Vfs), c_char_p, c_int)
_Vfs._fields_ = [
    ("iVersion", c_int),
    ("szOsFile", c_int),
    ("mxPathname", c_int),
    ("pNext", c_void_p),
    ("zName", c_char_p),
    ("pAppData", c_void_p),
    ("xOpen", _OPEN),
    ("xDelete", _DELETE),
    ("others", c_void_p * 14),
]


class WatchedDisk:
    """Made once in a process, before it opens a database; lives as long as the process."""

    def __init__(self, log: Path) -> None:
        """Raises NotLinked."""
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._paths: dict[int, str] = {}
        self._kept: list[Any] = []
        library = _library()
        library.sqlite3_vfs_find.restype = POINTER(_Vfs)
        self._plain = library.sqlite3_vfs_find(None)
        self._vfs = _Vfs()
        ctypes.memmove(ctypes.byref(self._vfs), self._plain, ctypes.sizeof(_Vfs))
        self._vfs.zName = b"watched"
        self._vfs.pNext = None
        self._vfs.xOpen = _OPEN(self._open)
        self._vfs.xDelete = _DELETE(self._delete)
        assert library.sqlite3_vfs_register(ctypes.byref(self._vfs), 1) == 0

    def _say(self, done: Done) -> None:
        line = msgspec.msgpack.encode(done)
        os.write(self._log, len(line).to_bytes(4, "big") + line)

    def _open(self, _: Any, name: int | None, file: Any, flags: int, out: int | None) -> int:
        """The file as the plain VFS opens it, with four methods of its own."""
        status: int = self._plain.contents.xOpen(self._plain, name, file, flags, out)
        if status == 0 and name and file.contents.pMethods:
            self._paths[_address(file)] = os.fsdecode(ctypes.string_at(name))
            file.contents.pMethods = ctypes.pointer(self._methods(file.contents.pMethods))
        return status

    def _delete(self, _: Any, name: bytes, sync_folder: int) -> int:
        self._say(Done("delete", os.fsdecode(name)))
        status: int = self._plain.contents.xDelete(self._plain, name, sync_folder)
        return status

    def _methods(self, plain: Any) -> _Methods:
        """A copy of a file's methods, which report first."""
        close, write = plain.contents.xClose, plain.contents.xWrite
        truncate, sync = plain.contents.xTruncate, plain.contents.xSync

        def closed(file: Any) -> int:
            self._paths.pop(_address(file), None)
            return int(close(file))

        def written(file: Any, data: int, amount: int, offset: int) -> int:
            self._say(Done("write", self._paths[_address(file)], offset, ctypes.string_at(data, amount)))
            return int(write(file, data, amount, offset))

        def truncated(file: Any, size: int) -> int:
            self._say(Done("truncate", self._paths[_address(file)], size))
            return int(truncate(file, size))

        def synced(file: Any, flags: int) -> int:
            status = int(sync(file, flags))
            if status == 0:
                self._say(Done("sync", self._paths[_address(file)]))
            return status

        methods = _Methods()
        ctypes.memmove(ctypes.byref(methods), plain, ctypes.sizeof(_Methods))
        methods.xClose, methods.xWrite = _CLOSE(closed), _WRITE(written)
        methods.xTruncate, methods.xSync = _TRUNCATE(truncated), _SYNC(synced)
        self._kept.append(methods)
        return methods


def _address(file: Any) -> int:
    return ctypes.addressof(file.contents)


def _library() -> Any:
    """The SQLite that Python's sqlite3 uses."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        found = {line.split()[-1] for line in maps if "libsqlite3" in line}
    if not found:
        raise NotLinked(f"Python's {sqlite3.__name__} has SQLite {sqlite3.sqlite_version} inside")
    return ctypes.CDLL(found.pop())
