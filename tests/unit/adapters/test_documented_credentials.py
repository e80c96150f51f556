"""What deploy/README.md says of credentials is what they mean."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from croupier.adapters.credentials import identity
from croupier.room.failures import Refusal
from croupier.room.principal import Principal

PAGE = (Path(__file__).parents[3] / "deploy" / "README.md").read_text()
SECTION = PAGE.partition("## Credentials\n")[2].partition("\n## ")[0]


def block(kind: str) -> str:
    """The only one of its kind."""
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
    return str(found).strip()


def test_the_token_and_the_certificate_name_the_same_limited_backend() -> None:
    expected = Principal(
        "backend/ocean-web", "backend", players=("ocean-",), houses=frozenset({"poker_ocean"})
    )
    assert identity.of_claims(json.loads(block("json"))) == expected
    assert identity.of_uris([block("text").encode()]) == expected


def test_a_players_certificate_says_where_the_player_is() -> None:
    (uri,) = re.findall(r"`(croupier://player/\S+)`", SECTION)
    expected = Principal("player/anna", "player", "anna", scene="inn")
    assert identity.of_uris([uri.encode()]) == expected
    assert identity.of_claims({"sub": "anna", "role": "player", "scene": "inn"}) == expected


@pytest.mark.parametrize(
    "uri",
    [
        "croupier://player/anna?scene=inn&scene=den",
        "croupier://player/anna?scene=%0a",
        "croupier://backend/shop?scene=inn",
        "croupier://player/anna?scene=inn&houses=one",
    ],
)
def test_no_certificate_says_it_otherwise(uri: str) -> None:
    with pytest.raises(Refusal, match="CREDENTIALS_INVALID"):
        identity.of_uris([uri.encode()])
