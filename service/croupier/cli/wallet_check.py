"""`croupier wallet-check`: whether a wallet holds to the contract, shown by scripts; exit 1 where one fails."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli import choices

if TYPE_CHECKING:
    from croupier.client.walletcheck import Finding

LEAST_FUNDS = 100


def wallet_check(
    target: Annotated[str, typer.Argument(help="The wallet, HOST:PORT, as in serve --wallet.")],
    player: Annotated[str, typer.Option(help="A player for tests, whom nothing else touches meanwhile.")],
    currency: Annotated[str, typer.Option(help="A currency of the wallet.")],
    funds: Annotated[
        int, typer.Option(min=LEAST_FUNDS, max=10**12, help="What the player has of it, exactly.")
    ],
    token_file: Annotated[Path | None, typer.Option(help="File with a bearer token for every call.")] = None,
    timeout: Annotated[
        float,
        typer.Option(min=0.1, max=3600, callback=choices.number, help="Seconds that an answer may take."),
    ] = 5.0,
    json: Annotated[bool, typer.Option("--json", help="Tell the findings as JSON.")] = False,
) -> None:
    """Show whether your wallet can stand behind Croupier's tables.

    Plays scripts against a WalletService: steps that come twice, late, at
    once or in the wrong order. Each shows one sentence of the contract
    (proto/croupier/v1/wallet_service.proto) and says what was found where it
    fails. A wallet that passes leaves the player with the funds it began with;
    the transfers stay known to it, under ids that begin with check-.

    Exits 0 when every script passed, 1 when any failed, 2 when the run could
    not begin.
    """
    import asyncio

    from croupier.client.bearer import read
    from croupier.client.walletcheck import Unreachable, Wanted, run

    try:
        token = read(token_file) if token_file is not None else ""
        wanted = Wanted(target.removeprefix("grpc://"), player, currency, funds, token, timeout)
        findings = asyncio.run(run(wanted, _nothing if json else _show))
    except OSError as failure:
        typer.echo(f"croupier wallet-check: {failure.filename} cannot be read: {failure.strerror}", err=True)
        raise typer.Exit(2) from None
    except Unreachable as failure:
        typer.echo(f"croupier wallet-check: {target}: {failure}; see whether the wallet runs there", err=True)
        raise typer.Exit(2) from None
    except ValueError as failure:
        typer.echo(f"croupier wallet-check: {failure}", err=True)
        raise typer.Exit(2) from None
    failed = sum(bool(finding.broken) for finding in findings)
    typer.echo(_as_json(findings) if json else f"{len(findings) - failed} passed, {failed} failed")
    if failed:
        raise typer.Exit(1)


def _nothing(_: Finding) -> None:
    """Findings are told at the end."""


def _show(finding: Finding) -> None:
    typer.echo(f"{'FAIL' if finding.broken else 'ok':<5} {finding.script.name:<20} {finding.script.sentence}")
    if finding.broken:
        typer.echo(f"{'':<26} found: {finding.broken}")


def _as_json(findings: list[Finding]) -> str:
    import msgspec

    scripts = [
        {
            "name": finding.script.name,
            "ok": not finding.broken,
            "sentence": finding.script.sentence,
            "found": finding.broken,
        }
        for finding in findings
    ]
    return msgspec.json.encode({"ok": all(one["ok"] for one in scripts), "scripts": scripts}).decode()
