"""What `croupier load` asks of latencies, and what it says of a run."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from tests.support.load_reports import HOSTILE, made_report
from typer.testing import CliRunner

from croupier.cli.load import _tell
from croupier.cli.load_html import page
from croupier.cli.load_objectives import judged, objective_of
from croupier.cli.load_progress import LoadProgress
from croupier.cli.load_text import lines
from croupier.cli.main import app
from croupier.client.load.progress import Now


@pytest.mark.parametrize(
    ("text", "percent", "most_ms"),
    [("p99=50ms", 99, 50), ("p99.9=0.25s", 99.9, 250), ("max=1.5s", 100, 1500), ("p0=7us", 0, 0.007)],
)
def test_an_objective_is_a_quantile_and_a_duration(text: str, percent: float, most_ms: float) -> None:
    objective = objective_of(text)
    assert (objective.percent, objective.most_ms) == pytest.approx((percent, most_ms))


@pytest.mark.parametrize(
    "text", ["", "p99", "p99=50", "p100=1s", "p99=-1ms", "99=1ms", "p9.=1ms", "min=1s", "p99=1 ms"]
)
def test_what_is_no_objective_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not like"):
        objective_of(text)


def test_objectives_are_about_actions_from_when_they_were_due() -> None:
    """The run stalled for half a second: p90 is not hit by it, p99 is."""
    report = made_report()
    slo = judged([objective_of(text) for text in ("p90=200ms", "p99=200ms", "max=9s")], report.of_acts)
    assert [one.met for one in slo] == [True, False, True]
    assert str(slo[1]) == f"SLO MISSED p99=200ms: {report.of_acts.p99_ms:.2f} ms"


def test_a_run_that_measured_nothing_keeps_no_objective() -> None:
    (slo,) = judged([objective_of("p99=1s")], made_report(calls=0).of_acts)
    assert str(slo) == "SLO MISSED p99=1s: no action was measured"
    assert not slo.met


def test_both_latencies_of_an_open_loop_are_told() -> None:
    told = "\n".join(lines(made_report(), []))
    assert re.search(r"Act from its time +1,200 .*\n +Act from sending +1,200 ", told)
    assert "  1,200 actions were due in the steady phase: 1,200 answered\n" in told
    assert f"WRONG table t: {HOSTILE}" in told
    assert "from sending" not in "\n".join(lines(made_report(rate=0), []))


def test_what_became_of_the_actions_that_were_due_adds_up() -> None:
    """As many as are measured, and those that could not be."""
    report = made_report()
    assert (report.due, report.unserved, report.unmeasured) == (report.of_acts.calls, 0, 0)
    short = report._replace(due=1_510, unserved=300, unmeasured=10)
    said = "1,510 actions were due in the steady phase: 1,200 answered, 300 never sent, no table was ready in time, "
    said += "10 late or without an answer"
    assert f"  {said}" in list(lines(short, []))
    assert said in page(short, [])


def test_probes_are_said_to_have_failed_only_where_some_did() -> None:
    report = made_report()._replace(probes=90)
    for failed, said in (
        (0, "90 refused or repeated as they must be"),
        (2, "2 of 90 not refused or repeated as they must be"),
    ):
        told = report._replace(probes_failed=failed)
        assert f"  probes: {said}" in list(lines(told, []))
        assert said in page(told, [])


def test_an_outage_is_told_as_one_and_not_as_wrong() -> None:
    """Only where the run had no patience for it: what patience covers is right."""
    report = made_report(wrong=False)
    assert not report.outage
    given_up = report._replace(away=7, unanswered={"UNAVAILABLE": 2, "DEADLINE_EXCEEDED": 1})
    told = list(lines(given_up, []))
    said = "OUTAGE 3 calls got no answer and were given up: 1 DEADLINE_EXCEEDED, 2 UNAVAILABLE"
    assert said in told
    assert told[-1] == "every answer was right, but there was no server at times"
    assert not any(line.startswith("WRONG") for line in told)
    assert "there was no server at times" in page(given_up, [])
    repeated = report._replace(away=7, repeated=9)
    assert "OUTAGE 7 tries found no server" in list(lines(repeated, []))
    tries = "  repeated: 9 tries that were not answered, 7 of them for want of a server"
    assert tries in list(lines(repeated, []))
    patient = repeated.conditions._replace(plan={**repeated.conditions.plan, "patience": 9.0})
    assert list(lines(repeated._replace(conditions=patient), []))[-1] == "every answer was right"
    unchecked = report._replace(conditions=patient, unchecked=["the ledger: UNAVAILABLE"])
    assert "NOT CHECKED the ledger: UNAVAILABLE" in list(lines(unchecked, []))
    assert unchecked.outage


@pytest.mark.parametrize("now", [Now("steady", 1.0, 9.0, away=12.3), Now("checking", away=12.3)])
def test_the_moving_line_tells_for_how_long_no_server_has_answered(now: Now) -> None:
    said = StringIO()
    with LoadProgress(Console(file=said, force_terminal=True, width=200)) as moving:
        moving.show(now)
    assert re.search(f"{now.phase}.* no server for 12 s", said.getvalue())


def test_no_name_is_markup_in_the_page_and_none_ends_its_script() -> None:
    told = page(made_report(), [])
    assert HOSTILE not in told
    assert "<img" not in told
    assert told.count("</script>") == 3
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", told)
    figures = json.loads(told.split('<script id="figures" type="application/json">')[1].split("</script>")[0])
    assert len(figures["points"]["at"]) == 15
    assert figures["unmeasured"] == [[0, 1], [1, 2], [2, 3]]


def test_figures_can_be_written_as_json() -> None:
    told = json.loads(json.dumps(made_report().as_json()))
    assert told["latency"]["Act"]["calls"] == 1200
    assert told["points"][0]["phase"] == "ramp"
    assert told["conditions"]["plan"]["mix"] == [HOSTILE, "five_aces=2"]


def test_the_page_tells_every_setting_so_that_the_run_can_be_repeated() -> None:
    report = made_report()
    about = report.conditions
    zeros = {**about.plan, "seed": 0, "probes": 0, "watchers_per_table": 0, "ramp": 0.0}
    told = page(report._replace(conditions=about._replace(plan=zeros)), [])
    for name, value in zeros.items():
        if name not in ("target", "mix", "history"):
            assert f"<tr><th>{name.replace('_', ' ')}</th><td>{value}</td></tr>" in told
    assert "0 messages, 0.00 for each action, cut off 0 times" in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rate=5", "--callers=2"], "--callers is for a closed loop"),
        (["--slo=p99"], "is not like"),
        (["--house=a:b:c:d"], "is not HOUSE"),
        (["--via=mail"], "act"),
        (["--seconds=inf"], "31536000"),
        (["--seconds=nan"], "31536000"),
        (["--ramp=inf"], "31536000"),
        (["--patience=inf"], "31536000"),
        (["--rate=inf"], "1000000"),
        (["--rate=nan"], "1000000"),
        (["--history=/nope/x"], "there is no folder /nope"),
        (["--json=/nope/x"], "there is no folder /nope"),
        (["--html=/nope/x"], "there is no folder /nope"),
        (["--html=/"], "/ is a folder"),
    ],
)
def test_options_that_make_no_sense_are_refused(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["load", *arguments], env={"COLUMNS": "200"})
    assert result.exit_code == 2
    assert said in result.output


def test_files_that_would_be_written_over_each_other_are_refused(tmp_path: Path) -> None:
    one = tmp_path / "one"
    (tmp_path / "link").symlink_to(one)
    for first, other in (("--json", "--html"), ("--history", "--json")):
        asked = CliRunner().invoke(app, ["load", first, str(one), other, str(tmp_path / "link")])
        assert asked.exit_code == 2
        assert f"is the file of {first} already" in " ".join(asked.output.split()).replace("│ ", "")


def test_a_refused_credential_is_no_fault_of_the_servers() -> None:
    report = made_report(wrong=False)._replace(denial="CREDENTIALS_<b>", unchecked=["table t: refused"])
    told = list(lines(report, []))
    assert "NOT CHECKED table t: refused" in told
    assert told[-1] == "every answer was right, until the credential was refused (CREDENTIALS_<b>)"
    assert "refused (CREDENTIALS_&lt;b&gt;)" in page(report, [])


@pytest.mark.parametrize(
    ("wrong", "away", "missed", "status"),
    [(True, 7, True, 1), (False, 7, True, 4), (False, 0, True, 3), (False, 0, False, 2)],
)
def test_a_report_that_cannot_be_written_hides_nothing_worse(
    tmp_path: Path, wrong: bool, away: int, missed: bool, status: int
) -> None:
    report = made_report(wrong=wrong)._replace(away=away, unanswered={"UNAVAILABLE": 1} if away else {})
    assert report.outage is bool(away)
    slo = [objective_of("max=1us" if missed else "max=9s")]
    assert _tell(report, slo, tmp_path / "gone" / "report.json", None) == status


def test_files_are_written_before_a_line_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who reads the lines may have gone away, or stand still."""
    written: set[int] = set()
    monkeypatch.setattr("typer.echo", lambda _: written.add(len(list(tmp_path.iterdir()))))
    assert _tell(made_report(wrong=False), [], tmp_path / "report.json", tmp_path / "report.html") == 0
    assert written == {2}


def test_each_file_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And keeps no other from being written."""
    assert _tell(made_report(wrong=False), [], Path("/dev/full"), tmp_path / "report.html") == 2
    said = "croupier load: /dev/full cannot be written: No space left on device\n"
    assert capsys.readouterr().err == said
    assert (tmp_path / "report.html").stat().st_size
