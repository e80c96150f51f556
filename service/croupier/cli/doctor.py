"""`croupier doctor`: whether a server could start here, and what to do where it could not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from croupier.cli.checkup import Finding


def doctor(
    listen: Annotated[str | None, typer.Option(help="As for serve.")] = None,
    port: Annotated[int | None, typer.Option(help="As for serve.")] = None,
    http_port: Annotated[int | None, typer.Option(help="As for serve.")] = None,
    store: Annotated[str | None, typer.Option(help="As for serve.")] = None,
    key_file: Annotated[Path | None, typer.Option(help="As for serve.")] = None,
    house_dir: Annotated[Path | None, typer.Option(help="As for serve.")] = None,
    max_min_bet: Annotated[
        list[str] | None, typer.Option(metavar="HOUSE=CHIPS", help="As for serve.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="As for serve.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Tell the findings as JSON.")] = False,
) -> None:
    """Check what a server needs: a line for each check, and what to do next where one fails.

    The exit status is 1 where any fails.
    """
    flags = {
        "listen": listen,
        "port": port,
        "http_port": http_port,
        "store": store,
        "key_file": key_file,
        "house_dir": house_dir,
        "max_min_bet": max_min_bet or None,
        "config": config,
    }
    findings = _findings(flags)
    failed = not all(finding.ok for finding in findings)
    typer.echo(_as_json(findings, failed) if json else "\n".join(_line(finding) for finding in findings))
    if failed:
        raise typer.Exit(1)


def _findings(flags: Mapping[str, object]) -> list[Finding]:
    from croupier.cli.checkup import Finding, examine
    from croupier.config import SettingsError, load

    try:
        settings = load(flags)
    except SettingsError as error:
        return [Finding("settings", False, str(error), "correct that setting, then run this again")]
    return examine(settings)


def _line(finding: Finding) -> str:
    line = f"{'ok' if finding.ok else 'FAIL':<5} {finding.check:<10} {finding.found}"
    return line if finding.ok else f"{line}\n{'':<17}{finding.next_step}"


def _as_json(findings: list[Finding], failed: bool) -> str:
    import msgspec

    return msgspec.json.encode({"ok": not failed, "checks": findings}).decode()
