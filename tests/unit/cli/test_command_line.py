"""The command line as newcomers meet it: help that says what a status means, completion, and where a server is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from croupier.cli.main import app
from croupier.cli.whereabouts import whereabouts
from croupier.config import Settings

CROUPIER = str(Path(sys.executable).with_name("croupier"))
COMMANDS = sorted(getattr(get_command(app), "commands"))  # noqa: B009


def asked(environment: dict[str, str], *arguments: str) -> str:
    given = {**os.environ, **environment}
    done = subprocess.run([CROUPIER, *arguments], env=given, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_terminal_and_says_what_the_status_means(command: str) -> None:
    told = CliRunner().invoke(app, [command, "-h"], env={"COLUMNS": "80"}).output
    assert max(map(len, told.splitlines())) <= 80
    assert re.search(r"\bExits 0\b", told)
    assert "…" not in told
    assert "\\[" not in told


def test_help_of_all_has_a_line_for_each_command() -> None:
    told = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "80"}).output
    for command in COMMANDS:
        assert re.search(rf"│ {command} ", told)


BASH = {"_CROUPIER_COMPLETE": "complete_bash"}


def test_completion_of_commands_and_options_in_bash() -> None:
    commands = asked({**BASH, "COMP_WORDS": "croupier wa", "COMP_CWORD": "1"})
    assert commands.split() == ["watch", "wallet-check"]
    options = asked({**BASH, "COMP_WORDS": "croupier serve --jwt", "COMP_CWORD": "2"})
    assert options.split() == ["--jwt-secret-file", "--jwt-audience"]


def test_completion_in_zsh_and_fish() -> None:
    zsh = {"_CROUPIER_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "croupier doc"}
    assert '"doctor":' in asked(zsh)
    fish = {
        "_CROUPIER_COMPLETE": "complete_fish",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_TYPER_COMPLETE_ARGS": "croupier doc",
    }
    assert asked(fish).startswith("doctor\t")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_shown(shell: str) -> None:
    script = asked({}, "--show-completion", shell)
    assert f"_CROUPIER_COMPLETE=complete_{shell}" in script
    if shell == "bash":
        subprocess.run(["bash", "-n", "-c", script], check=True)


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("serve --log-level ", ["debug", "info", "warning", "error"]),
        ("load --house p", ["poker_ocean", "puzzle_pirates"]),
        ("equity --game five", ["five_card_omaha", "five_card_draw"]),
    ],
)
def test_completion_of_values(words: str, values: list[str]) -> None:
    told = asked({**BASH, "COMP_WORDS": f"croupier {words}", "COMP_CWORD": "3"})
    assert sorted(told.split()) == sorted(values)


@pytest.mark.parametrize("content", ["", "one\ntwo", "\u00e9", "\x00"])
@pytest.mark.parametrize("command", ["watch", "load", "wallet-check"])
def test_a_file_that_holds_no_token_is_told(command: str, content: str, tmp_path: Path) -> None:
    """Not by a traceback of the first call that should bear it."""
    (file := tmp_path / "token").write_text(content)
    of_wallet = ["127.0.0.1:1", "--player", "p", "--currency", "c", "--funds", "100"]
    asked = of_wallet if command == "wallet-check" else ["--target", "127.0.0.1:1"]
    told = CliRunner().invoke(app, [command, *asked, "--token-file", str(file)], env={"COLUMNS": "300"})
    assert told.exit_code == 2
    assert f"{file} holds no token: one line of text" in told.output


def test_a_file_that_holds_no_certificates_is_told(tmp_path: Path) -> None:
    (file := tmp_path / "ca").write_text("no certificate")
    told = CliRunner().invoke(
        app, ["watch", "--target", "127.0.0.1:1", "--ca", str(file)], env={"COLUMNS": "300"}
    )
    assert told.exit_code == 2
    assert f"{file} holds no certificates in PEM" in told.output


def test_shuffles_that_cannot_be_written_are_told_by_their_file() -> None:
    told = CliRunner().invoke(app, ["audit", "--shuffle-stream", "1", "--output", "/nowhere/shuffles"])
    assert (told.exit_code, told.output) == (
        2,
        "croupier audit: /nowhere/shuffles: No such file or directory\n",
    )


def test_a_feed_of_a_file_is_none(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["audit", "--rebuild-feed", "HANDS", "--store", f"sqlite:{tmp_path}/t.db"])
    assert (told.exit_code, "only a PostgreSQL store has a feed" in told.output) == (2, True)


def test_doctor_takes_every_setting_of_serve() -> None:
    serve, doctor = (getattr(get_command(app), "commands")[name] for name in ("serve", "doctor"))  # noqa: B009
    assert [one.opts for one in doctor.params if one.name != "json"] == [one.opts for one in serve.params]


def test_whereabouts_name_every_place(tmp_path: Path) -> None:
    settings = Settings(store=f"sqlite:{tmp_path}/tables.db", console=True)
    told = "\n".join(whereabouts(settings, 1234, 2345))
    for place in (
        "127.0.0.1:1234 (no TLS, anyone on this machine)",
        "http://127.0.0.1:2345/metrics",
        "http://127.0.0.1:2345/console",
        f"{tmp_path}/tables.db",
        f"{tmp_path}/tables.key",
        "in the ledger of the store",
    ):
        assert place in told
    assert len(told.splitlines()) < 9
    assert "secret" not in "".join(whereabouts(Settings(store="postgresql://me:secret@db/poker"), 1, 2))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([""], "it is empty"),
        (["--player", "ann"], "it is about a table"),
        (["--once"], "it is about a table"),
        (["--language", "de"], "it is about a table"),
    ],
)
def test_a_watch_of_no_table_takes_nothing_about_one(arguments: list[str], said: str) -> None:
    told = CliRunner().invoke(app, ["watch", "--target", "127.0.0.1:1", *arguments], env={"COLUMNS": "200"})
    assert (told.exit_code, said in told.output) == (2, True)


def test_commands_that_readers_are_told_have_what_they_require() -> None:
    page = (Path(__file__).parents[3] / "README.md").read_text()
    told = {
        line.split("`")[1].split()[1]: line.split("`")[1]
        for line in page.splitlines()
        if "| `croupier " in line
    }
    assert sorted(told) == COMMANDS
    for name, command in getattr(get_command(app), "commands").items():  # noqa: B009
        for required in (one for one in command.params if one.required and one.param_type_name == "option"):
            assert required.opts[0] in told[name]


@pytest.mark.parametrize(("revision", "told"), [("", ""), ("0123abc", ", source 0123abc")])
def test_version_and_source_are_told(monkeypatch: pytest.MonkeyPatch, revision: str, told: str) -> None:
    monkeypatch.setattr("croupier.adapters.version._revision", lambda: revision)
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    assert result.output.startswith(f"croupier 0.1.0{told}, evaluator ")
