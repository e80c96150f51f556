"""Standard output and error that take any text, whatever their encoding."""

from __future__ import annotations

import io
import sys

import pytest

from croupier.cli.signs import INSTEAD, write_what_can_be

TEXT = "A\u2660 K\u2665 Q\u2666 J\u2663 \u00e9 e\u0301 \u65e5 \udcff"


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", "A\u2660 K\u2665 Q\u2666 J\u2663 \u00e9 e\u0301 \u65e5 ?"),
        ("latin-1", "As Kh Qd Jc \u00e9 e ?? ?"),
        ("ascii", "As Kh Qd Jc ? e ?? ?"),
    ],
)
def test_what_cannot_be_written_is_written_otherwise(
    monkeypatch: pytest.MonkeyPatch, encoding: str, shown: str
) -> None:
    written = {"stdout": io.BytesIO(), "stderr": io.BytesIO()}
    for name, buffer in written.items():
        monkeypatch.setattr(sys, name, io.TextIOWrapper(buffer, encoding, write_through=True))
    write_what_can_be()
    for stream in (sys.stdout, sys.stderr):
        stream.write(TEXT)
    assert [buffer.getvalue() for buffer in written.values()] == [shown.encode(encoding)] * 2


def test_streams_of_another_kind_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    write_what_can_be()


def test_what_stands_instead_is_one_sign_that_every_encoding_has() -> None:
    assert all(len(sign) == 1 and sign.isascii() for sign in INSTEAD.values())
