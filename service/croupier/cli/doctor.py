"""`croupier doctor`: whether a server could start here, and what to do where it could not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli import settings_options as option

if TYPE_CHECKING:
    from croupier.cli.checkup import Finding


def doctor(
    listen: option.Listen = None,
    port: option.Port = None,
    http_port: option.HttpPort = None,
    store: option.Store = None,
    key_file: option.KeyFile = None,
    house_dir: option.HouseDir = None,
    max_min_bet: option.MaxMinBet = None,
    tls_cert: option.TlsCert = None,
    tls_key: option.TlsKey = None,
    client_ca: option.ClientCa = None,
    jwt_secret_file: option.JwtSecretFile = None,
    jwks_file: option.JwksFile = None,
    jwt_audience: option.JwtAudience = None,
    config: option.Config = None,
    json: Annotated[bool, typer.Option("--json", help="Tell the findings as JSON.")] = False,
) -> None:
    """Check whether a server could start here.

    A line for each check, and what to do next where one fails. Settings are
    those of serve, in flags, variables and file alike. Changes nothing.

    Examples:
      croupier doctor
      croupier doctor --store sqlite:/var/lib/croupier/croupier.db --json

    Exits 0 when all is well, 1 when any check failed.
    """
    flags = {name: value for name, value in locals().items() if name != "json"}
    findings = _findings(flags)
    failed = not all(finding.ok for finding in findings)
    typer.echo(_as_json(findings, failed) if json else "\n".join(_line(finding) for finding in findings))
    if failed:
        raise typer.Exit(1)


def _findings(flags: Mapping[str, object]) -> list[Finding]:
    from croupier.cli.checkup import Finding, examine
    from croupier.config import load
    from croupier.stated import SettingsError

    try:
        settings = load(flags)
    except SettingsError as error:
        return [Finding("settings", False, str(error), "correct that setting, then run this again")]
    return examine(settings)


def _line(finding: Finding) -> str:
    line = f"{'ok' if finding.ok else 'FAIL':<5} {finding.check:<11} {finding.found}"
    return line if finding.ok else f"{line}\n{'':<18}{finding.next_step}"


def _as_json(findings: list[Finding], failed: bool) -> str:
    import msgspec

    return msgspec.json.encode({"ok": not failed, "checks": findings}).decode()
