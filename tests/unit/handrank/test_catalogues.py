"""R-C8: a language is one file, and a file that is wrong is refused by name and key."""

from importlib import resources
from pathlib import Path

import pytest

from croupier.cards import parse_cards
from croupier.handrank import rank
from croupier.handrank.words import CatalogueError, load

ENGLISH = resources.files("croupier.handrank.words").joinpath("en.toml").read_text(encoding="utf-8")
FRENCH = {
    "A": ("as", "as", "à l'as"),
    "K": ("roi", "rois", "au roi"),
    "Q": ("dame", "dames", "à la dame"),
    "J": ("valet", "valets", "au valet"),
    "T": ("dix", "dix", "au dix"),
    "9": ("neuf", "neuf", "au neuf"),
    "8": ("huit", "huit", "au huit"),
    "7": ("sept", "sept", "au sept"),
    "6": ("six", "six", "au six"),
    "5": ("cinq", "cinq", "au cinq"),
    "4": ("quatre", "quatre", "au quatre"),
    "3": ("trois", "trois", "au trois"),
    "2": ("deux", "deux", "au deux"),
}
FRENCH_TEXTS = """
low = "Bas {first.one}-{second.one}-{third.one}-{fourth.one}-{fifth.one}"

[hands]
high_card = "Carte haute, {first.one}"
pair = "Paire, {first.many}"
two_pair = "Double paire, {first.many} et {second.many}"
three_of_a_kind = "Brelan, {first.many}"
straight = "Suite {first.up_to}"
flush = "Couleur {first.up_to}"
full_house = "Full, {first.many} par les {second.many}"
four_of_a_kind = "Carré, {first.many}"
straight_flush = "Quinte flush {first.up_to}"
royal_flush = "Quinte flush royale"

[ranks]
"""


def test_a_third_language_takes_one_more_file(tmp_path: Path) -> None:
    ranks = (
        f'{rank} = {{ one = "{one}", many = "{many}", up_to = "{up_to}" }}'
        for rank, (one, many, up_to) in FRENCH.items()
    )
    (tmp_path / "fr.toml").write_text(FRENCH_TEXTS + "\n".join(ranks), encoding="utf-8")
    (tmp_path / "en.toml").write_text(ENGLISH, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no catalogue")

    catalogues = load(tmp_path)

    assert sorted(catalogues) == ["en", "fr"]
    assert catalogues["fr"].describe(rank(parse_cards("KsKdKc5s5d"))) == "Full, rois par les cinq"
    assert catalogues["fr"].describe(rank(parse_cards("AsKsJs4s2s"))) == "Couleur à l'as"
    assert catalogues["fr"].describe_low(56) == "Bas cinq-quatre-trois-deux-as"
    assert catalogues["en"].describe_low(56) == "5-4-3-2-A low"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('flush = "Flush, {first.singular} high"\n', "", "hands.flush is missing"),
        ('low = "{first', 'lows = "{first', "lows is no key of a catalogue"),
        ("[hands]", "[hands]\nfive_of_a_kind = 'x'", "hands.five_of_a_kind is no key of a catalogue"),
        ("[hands]", "[hand]", "hand.flush is no key of a catalogue"),
        ('"Royal flush"', "10", "hands.royal_flush must be a text, and not an empty one"),
        ('"Royal flush"', '" "', "hands.royal_flush must be a text, and not an empty one"),
        ('K = { symbol = "K", ', "K = { ", "ranks.K.symbol is missing"),
        ('plural = "kings"', 'plurals = "kings"', "ranks.K.plurals is no key of a catalogue"),
        ("T = {", "10 = {", "ranks.10.plural is no key of a catalogue"),
        ('A = { symbol = "A", singular = "ace", plural = "aces" }\n', "", "ranks.A is missing"),
        ('"ace"', '"ace", "a b" = "c"', "ranks.A.a b is no key of a catalogue"),
        (
            "Pair of {first.plural}",
            "Pair of {first.plurals}",
            "hands.pair: no placeholder is called {first.plurals}",
        ),
        (
            "Pair of {first.plural}",
            "Pair of {fifth.plural}",
            "hands.pair: no placeholder is called {fifth.plural}",
        ),
        ("Pair of {first.plural}", "Pair of {first}", "hands.pair: no placeholder is called {first}"),
        ("Pair of {first.plural}", "Pair of {}", "hands.pair: no placeholder is called {}"),
        (
            "Pair of {first.plural}",
            "Pair of {first.plural!r}",
            "hands.pair: no placeholder is called {first.plural!r}",
        ),
        (
            "Pair of {first.plural}",
            "Pair of {first.plural:9}",
            "hands.pair: no placeholder is called {first.plural:9}",
        ),
        ("Pair of {first.plural}", "Pair of {first.plural", "hands.pair: expected '}' before end of string"),
        ("fifth.symbol}", "sixth.symbol}", "low: no placeholder is called {sixth.symbol}"),
        ("[hands]", "[hands", "Expected ']'"),
    ],
)
def test_a_catalogue_that_is_wrong_is_refused_by_file_and_key(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    assert ENGLISH.count(old) == 1
    (tmp_path / "xx.toml").write_text(ENGLISH.replace(old, new), encoding="utf-8")
    with pytest.raises(CatalogueError) as refused:
        load(tmp_path)
    assert str(refused.value).startswith(f"xx.toml: {complaint}")


def test_a_catalogue_that_is_no_text_is_refused_by_file(tmp_path: Path) -> None:
    (tmp_path / "xx.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(CatalogueError, match=r"^xx\.toml: 'utf-8'"):
        load(tmp_path)
