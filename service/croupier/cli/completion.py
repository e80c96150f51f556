"""`--show-completion` and `--install-completion`, for the shell that is named.

Typer's own guess the shell from the process above, and take no name.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import typer

_PROGRAM: Final = "croupier"
_VARIABLE: Final = "_CROUPIER_COMPLETE"

Shell = Literal["bash", "zsh", "fish"]


def _show(shell: Shell | None) -> None:
    if shell is not None:
        from typer._completion_shared import get_completion_script

        typer.echo(get_completion_script(prog_name=_PROGRAM, complete_var=_VARIABLE, shell=shell))
        raise typer.Exit


def _install(shell: Shell | None) -> None:
    if shell is not None:
        from typer._completion_shared import install

        _, path = install(shell=shell, prog_name=_PROGRAM, complete_var=_VARIABLE)
        typer.echo(f"installed in {path}; a shell started from now on completes")
        raise typer.Exit


Show = Annotated[
    Shell | None,
    typer.Option(
        "--show-completion", callback=_show, is_eager=True, help="Show what completes in that shell."
    ),
]
Install = Annotated[
    Shell | None,
    typer.Option("--install-completion", callback=_install, is_eager=True, help="Install it for that shell."),
]
