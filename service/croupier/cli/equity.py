"""`croupier equity`: what share of a pot each of several hands wins."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli import choices

if TYPE_CHECKING:
    from rich.table import Table

    from croupier.handrank.equity import Equity, Question

_HANDS = typer.Argument(
    help="The hands, 2 to 10, such as AsKs. ?? is a card that nobody knows, so ???? any two.",
    metavar="HAND",
)
_BOARD = typer.Option(help="The cards of the board that are known, such as 2c7d9h.", metavar="CARDS")
_DEAD = typer.Option(help="Cards known to be out of play, such as KdKh.", metavar="CARDS")
_GAME = typer.Option(
    help="holdem, omaha, five_card_omaha, six_card_omaha, omaha_hi_lo or five_card_draw.",
    metavar="GAME",
    autocompletion=choices.games,
)
_SAMPLES = typer.Option(
    help="The most deals to look at: all where there are no more, else drawn by lot.", min=1
)
_SEED = typer.Option(help="What lots are drawn from: the same seed draws the same.", min=0, max=2**64 - 1)


def equity(
    hands: Annotated[list[str], _HANDS],
    board: Annotated[str, _BOARD] = "",
    dead: Annotated[str, _DEAD] = "",
    game: Annotated[str, _GAME] = "holdem",
    samples: Annotated[int, _SAMPLES] = 2_000_000,
    seed: Annotated[int, _SEED] = 0,
) -> None:
    """Tell what share of a pot each hand wins.

    Over all the ways in which the unknown cards may fall. Cards are a rank,
    23456789TJQKA, and a suit, cdhs. A tied pot counts in parts. In five-card
    draw hands are compared as they are, without what may yet be drawn.

    Examples:
      croupier equity AsKs QdQc --board 2c7d9h
      croupier equity AsKsQhJh ???????? --game omaha

    Exits 0, or 2 when a hand or a board cannot be.
    """
    from rich.console import Console

    from croupier.handrank.equity import all_deals, calculate

    question = _question(hands, board, dead, game, samples, seed)
    found = calculate(question)
    out = Console(highlight=False)
    out.print(_table(hands, found))
    looked_at = f"{found.deals:,} deals"
    if found.exact:
        typer.echo(f"{looked_at}, which are all there are.")
    else:
        typer.echo(f"{looked_at}, drawn by lot from seed {seed} among {all_deals(question):,}.")


def _question(hands: list[str], board: str, dead: str, game: str, samples: int, seed: int) -> Question:
    """Raises BadParameter, which says what to mend."""
    from croupier.handrank.equity import Question, check, game_named

    try:
        described = game_named(game)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--game") from None
    held = [_hand(text, described.hole_cards, game) for text in hands]
    on_board, out_of_play = _cards(board, "--board"), _cards(dead, "--dead")
    question = Question(described, held, on_board, out_of_play, samples, seed)
    if twice := _twice(b"".join((*held, on_board, out_of_play))):
        raise typer.BadParameter(f"{twice} appears twice; each card can be in one place only")
    try:
        check(question)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    return question


def _hand(text: str, size: int, game: str) -> bytes:
    words = "".join(text.split())
    count, odd = divmod(len(words), 2)
    if odd or count != size:
        raise typer.BadParameter(
            f"{text!r} is not {size} cards, as a hand of {game} is; write ?? for each that nobody knows",
            param_hint="HAND",
        )
    return _cards(
        "".join(word for at in range(count) if (word := words[2 * at : 2 * at + 2]) != "??"), "HAND"
    )


def _cards(text: str, hint: str) -> bytes:
    from croupier.cards import parse_cards

    try:
        return parse_cards(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=hint) from None


def _twice(cards: bytes) -> str:
    from croupier.cards import card_text

    return next((card_text(card) for place, card in enumerate(cards) if card in cards[:place]), "")


def _table(hands: list[str], found: Equity) -> Table:
    from rich.box import SIMPLE
    from rich.table import Table

    headings = ("equity", "win", "tie") if found.exact else ("equity", "± standard error", "win", "tie")
    table = Table(box=SIMPLE, collapse_padding=True)
    table.add_column("hand", no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for hand, part in zip(hands, found.hands, strict=True):
        cells = [_percent(part.per(_PARTS))]
        if not found.exact:
            cells.append(_percent(part.standard_error_per(_PARTS)))
        cells += [_percent(round(Fraction(_PARTS * count, found.deals))) for count in (part.wins, part.ties)]
        table.add_row(hand, *cells)
    return table


_PARTS = 100_000


def _percent(parts: int) -> str:
    return f"{parts // 1000}.{parts % 1000:03} %"
