"""Subjects: each table and server has its own, whatever its name holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from croupier.room.subjects import Subjects, token

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=64)


@given(NAMES)
def test_a_token_is_one_part_of_a_subject(name: str) -> None:
    assert token(name)
    assert set(token(name)).isdisjoint(" .*>\r\n\t\0")
    assert token(name).isascii()


@given(NAMES, NAMES)
def test_each_name_has_a_token_of_its_own(one: str, other: str) -> None:
    assert (token(one) == token(other)) == (one == other)


def test_rooms_tables_and_servers_keep_apart() -> None:
    one, other = Subjects("one"), Subjects("other")
    made = [
        each
        for subjects in (one, other)
        for each in (
            subjects.news,
            *(
                made(name)
                for name in ("a", "a.b", "a/b", "*", "")
                for made in (subjects.calls, subjects.records, subjects.presence, subjects.node)
            ),
        )
    ]
    assert len(made) == len(set(made))
    assert one.calls("host/1.2") == "croupier.one.table.host=2F1=2E2.call"
