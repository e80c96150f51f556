"""`croupier doctor`: whether a server could start here, and what to do where it could not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.serve import serve
from croupier.cli.settings_taken import takes_settings

if TYPE_CHECKING:
    from croupier.cli.checkup import Finding


@takes_settings(serve)
def doctor(
    flags: Mapping[str, object],
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
