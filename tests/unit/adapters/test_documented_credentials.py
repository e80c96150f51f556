"""What deploy/README.md says of credentials is what they mean."""

from __future__ import annotations

import json
import re
from pathlib import Path

from croupier.adapters.credentials import identity
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
