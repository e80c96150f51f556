"""`croupier audit`: the books of a store proved from its rows alone, and shuffles for a test laboratory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_STORE = typer.Option(help="Which store. \\[default: as for serve]")
_ANCHOR = typer.Option(help="Check against where the books stood when this file was written.", dir_okay=False)
_WRITE_ANCHOR = typer.Option(
    help="Write where the books stand now, where all is well; keep it elsewhere.", dir_okay=False
)
_REDECIDE = typer.Option(
    "--redecide", help="Decide every recorded command anew and compare what comes of it."
)
_REBUILD = typer.Option(
    "--rebuild",
    help="Put what entries add up to in the place of balances, and what the journal says in the place of the index of "
    "hands, if then all is well; no server may be running.",
)
_REBUILD_FEED = typer.Option(
    metavar="NAME",
    help="Only have servers with --feed NAME tell it all that the store has, from the beginning; they may be running.",
)
_TABLE = typer.Option(metavar="ID", help="Read this table's journal alone.")
_KEY_FILE = typer.Option(help="Master key of the sealed decks, for --redecide. \\[default: beside the store]")
_HAND = typer.Option(
    metavar="ID", help="Only open this settled hand, whose key is in escrow, and tell its cards; takes --key."
)
_KEY = typer.Option(help="With --hand: the auditor's private key, X25519 in PEM.", dir_okay=False)
_SHUFFLES = typer.Option(
    metavar="N",
    min=1,
    help="Only write N shuffles as raw bytes: 52 a shuffle, card numbers from the deck's top.",
)
_OUTPUT = typer.Option(help="Where --shuffle-stream writes. \\[default: standard output]", dir_okay=False)


def audit(
    store: Annotated[str | None, _STORE] = None,
    anchor: Annotated[Path | None, _ANCHOR] = None,
    write_anchor: Annotated[Path | None, _WRITE_ANCHOR] = None,
    redecide: Annotated[bool, _REDECIDE] = False,
    rebuild: Annotated[bool, _REBUILD] = False,
    rebuild_feed: Annotated[str, _REBUILD_FEED] = "",
    table: Annotated[str, _TABLE] = "",
    key_file: Annotated[Path | None, _KEY_FILE] = None,
    hand: Annotated[str, _HAND] = "",
    key: Annotated[Path | None, _KEY] = None,
    shuffle_stream: Annotated[int | None, _SHUFFLES] = None,
    output: Annotated[Path | None, _OUTPUT] = None,
    json: Annotated[bool, typer.Option("--json", help="Tell what was found as JSON.")] = False,
) -> None:
    """Prove a store's books from the store alone.

    Nothing is changed without --rebuild or --rebuild-feed, and a server may
    go on using the store. Every currency's accounts add up to 0; every entry
    set is balanced, and is what its table's journal says; every account is
    the sum of its entries; every player's chips are those the table has. The
    hashes of every table's journal are recomputed over what is stored, and
    its sequences have no gap. What was asked for and done has its lasting
    answer, and what an answer tells of was done. A chain cannot see that its
    end was cut off: keep an anchor elsewhere, and check against it.

    Examples:
      croupier audit --write-anchor anchor.json
      croupier audit --anchor anchor.json --redecide

    Exits 0 when all is well, or is by what --rebuild has put right, 1 when
    anything is wrong, 2 when the audit could not be made.
    """
    from croupier.cli.audit_report import Asked, CannotAudit, run

    if shuffle_stream is not None:
        _write_shuffles(shuffle_stream, output)
        return
    if rebuild_feed:
        _rebuild_feed(rebuild_feed, store)
        return
    if hand or key is not None:
        _open_hand(hand, key, store, as_json=json)
        return
    asked = Asked(
        store=store,
        key_file=key_file,
        anchor=anchor,
        write_anchor=write_anchor,
        redecide=redecide,
        rebuild=rebuild,
        table_id=table,
        json=json,
    )
    try:
        well = run(asked)
    except CannotAudit as failure:
        typer.echo(f"croupier audit: {failure}", err=True)
        raise typer.Exit(2) from None
    if not well:
        raise typer.Exit(1)


def _open_hand(hand: str, key: Path | None, store: str | None, *, as_json: bool) -> None:
    from croupier.cli import audit_hand
    from croupier.cli.audit_report import CannotAudit

    try:
        if not hand or key is None:
            raise CannotAudit("--hand and --key go together")
        well = audit_hand.run(hand, key, store, as_json=as_json)
    except CannotAudit as failure:
        typer.echo(f"croupier audit: {failure}", err=True)
        raise typer.Exit(2) from None
    if not well:
        raise typer.Exit(1)


def _rebuild_feed(name: str, store: str | None) -> None:
    from croupier.cli import audit_feed
    from croupier.cli.audit_report import CannotAudit

    try:
        audit_feed.run(name, store)
    except CannotAudit as failure:
        typer.echo(f"croupier audit: {failure}", err=True)
        raise typer.Exit(2) from None


def _write_shuffles(count: int, output: Path | None) -> None:
    import sys

    from croupier.adapters.shuffle_stream import write_shuffles
    from croupier.cli.streams import end_with_output

    end_with_output()
    if output is None and sys.stdout.isatty():
        typer.echo("croupier audit: raw bytes are not for a terminal: name a file with --output", err=True)
        raise typer.Exit(2)
    try:
        if output is None:
            write_shuffles(sys.stdout.buffer, count)
        else:
            with output.open("wb") as file:
                write_shuffles(file, count)
    except OSError as failure:
        typer.echo(f"croupier audit: {output or 'standard output'}: {failure.strerror}", err=True)
        raise typer.Exit(2) from None
