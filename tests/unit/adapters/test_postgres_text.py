"""Texts in a database that takes any character but NUL."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from croupier.adapters.postgres.text import stored, told

TEXTS = st.text(alphabet=st.sampled_from("a\\0\0/%é")) | st.text()


@given(TEXTS)
def test_every_text_is_told_as_it_was_and_stored_without_nul(text: str) -> None:
    assert told(stored(text)) == text
    assert "\0" not in stored(text)


@given(TEXTS, TEXTS)
def test_a_prefix_stays_one_and_nothing_else_becomes_one(text: str, other: str) -> None:
    assert stored(text + other).startswith(stored(text))
    assert stored(text).startswith(stored(other)) == text.startswith(other)
