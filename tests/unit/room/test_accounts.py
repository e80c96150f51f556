"""Names of accounts: one name for one account, whatever the ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.room import accounts

IDS = st.text(st.characters(codec="utf-8") | st.sampled_from("/%2F25"), min_size=1, max_size=8)


def test_names_are_those_of_the_design() -> None:
    assert accounts.wallet("ann") == "wallet/ann"
    assert accounts.reserved("x1") == "reserved/x1"
    assert accounts.stack("t1", "ann") == "stack/t1/ann"
    assert accounts.rake("house") == "rake/house"


@given(IDS, IDS, IDS, IDS)
def test_two_accounts_never_share_a_name(
    table: str, player: str, other_table: str, other_player: str
) -> None:
    same = (table, player) == (other_table, other_player)
    assert (accounts.stack(table, player) == accounts.stack(other_table, other_player)) == same
    names = {
        accounts.wallet(table),
        accounts.reserved(table),
        accounts.rake(table),
        accounts.stack(table, player),
    }
    assert len(names) == 4


@given(IDS, IDS)
def test_ids_are_read_back_from_a_name(table: str, player: str) -> None:
    assert accounts.parts_of(accounts.stack(table, player)) == ["stack", table, player]
    assert accounts.player_of(accounts.stack(table, player)) == player
    assert accounts.player_of(accounts.wallet(player)) == player
    assert accounts.player_of(accounts.outside(player)) == player
    assert accounts.player_of(accounts.rake(player)) is None
    assert accounts.player_of(accounts.reserved(player)) is None


@given(IDS, IDS)
def test_what_is_reserved_belongs_to_the_one_player_it_moves_from_or_to(player: str, other: str) -> None:
    reserved = accounts.reserved("x")
    assert accounts.owner_of(reserved, [accounts.wallet(player), reserved]) == player
    assert accounts.owner_of(reserved, [accounts.stack("t", player), reserved]) == player
    both = [accounts.wallet(player), accounts.wallet(other), reserved]
    assert accounts.owner_of(reserved, both) == (player if player == other else None)
    assert accounts.owner_of(accounts.wallet(player), [accounts.wallet(other)]) == player


def test_only_world_and_adjustments_may_be_below_zero() -> None:
    assert not accounts.guarded(accounts.DEPOSITS)
    assert not accounts.guarded(accounts.WITHDRAWALS)
    assert not accounts.guarded(accounts.ADJUSTMENTS)
    for name in (
        "wallet/world",
        "reserved/x",
        "stack/world/a",
        "rake/h",
        "worldly/a",
        accounts.wallet("world/x"),
    ):
        assert accounts.guarded(name)


@pytest.mark.parametrize("name", [accounts.wallet, accounts.reserved, accounts.rake])
def test_an_empty_id_names_nothing(name: object) -> None:
    with pytest.raises(ValueError, match="no empty part"):
        name("")  # type: ignore[operator]
