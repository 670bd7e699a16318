"""The program itself: version, help, and errors that nobody expected."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import polars as pl
import pytest
from tests.program import PROGRAM, environment, without_remarks

import rankgauge as rg
from rankgauge.cli import app

if TYPE_CHECKING:
    from tests.cli.conftest import Files, Run


def failing_with(error: BaseException) -> Callable[..., NoReturn]:
    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    return fail


def test_version_prints_the_number_of_the_package(run: Run) -> None:
    assert run("--version").text() == f"rankgauge {rg.__version__}\n"


def test_python_m_rankgauge_prints_what_the_program_prints(run: Run) -> None:
    arguments = ["ndcg", "3", "2", "3"]
    done = subprocess.run([sys.executable, "-m", "rankgauge", *arguments], capture_output=True, text=True, check=True)
    assert done.stdout == run(*arguments).text()


def test_program_without_arguments_prints_its_help(run: Run) -> None:
    assert run().text() == run("--help").text()


@pytest.mark.parametrize("switch", ["-h", "--help"])
def test_help_of_the_program_lists_every_command(run: Run, switch: str) -> None:
    shown = run(switch).text()
    assert shown.startswith("Usage: rankgauge ")
    commands = shown.partition("Commands:\n")[2]
    assert [line.split()[0] for line in commands.splitlines()[: len(app.COMMANDS)]] == list(app.COMMANDS)


@pytest.mark.parametrize("switch", ["-h", "--help"])
@pytest.mark.parametrize("command", app.COMMANDS)
def test_help_of_a_command_has_a_usage_and_a_description(run: Run, command: str, switch: str) -> None:
    shown = run(command, switch).text()
    usage, _, rest = shown.partition("\n\n")
    assert usage.startswith(f"Usage: rankgauge {command}")
    assert len(rest.partition("Options:")[0].strip()) > 40
    assert "\x1b" not in shown


@pytest.mark.parametrize("command", ["evaluate", "explain", *app.CALCULATOR, "completion"])
def test_help_of_a_command_has_examples_of_it(run: Run, command: str) -> None:
    examples = run(command, "--help").text().partition("Examples:\n")[2].splitlines()
    assert len(examples) >= 3
    assert all(f"rankgauge {command} " in line for line in examples)


def test_help_of_evaluate_has_examples_that_run(run: Run, files: Files) -> None:
    text = run("evaluate", "--help").text().partition("Examples:\n")[2]
    folder = files.judgments.parent
    for name in ("run.txt.gz", "run.gz"):
        (folder / name).write_bytes(gzip.compress(files.ranking.read_bytes()))
    case = {"truth": {"d1": 2}, "recommendations": ["d2", "d1"]}
    (folder / "cases.json").write_text(json.dumps([case]), encoding="utf-8")
    (folder / "ratings.csv").write_text("userId,movieId,rating\n1,7,4.5\n", encoding="utf-8")
    pl.DataFrame({"user": [1], "item": [7], "score": [0.5]}).write_parquet(folder / "recommendations.parquet")
    (folder / "segments.csv").write_text("query,device\nq1,phone\nq2,desktop\n", encoding="utf-8")
    for name, row in (("llm.qrels", "0 d1 1"), ("people.qrels", "0 d1 1"), ("new.run", "Q0 d1 1 0.5 tag")):
        (folder / name).write_text("".join(f"{query} {row}\n" for query in range(30)), encoding="utf-8")
    path = {"PATH": f"{Path(PROGRAM).parent}:{os.environ['PATH']}"}
    # tests/cli/test_spark.py starts Spark.
    for line in (line for line in text.splitlines() if line.strip() and "--engine spark" not in line):
        command = ["bash", "-c", line.partition("  (")[0]]
        done = subprocess.run(command, cwd=folder, env=environment(path), capture_output=True, check=False)
        assert (line, done.returncode, without_remarks(done.stderr.decode())) == (line, 0, [])
    assert (folder / "result.json").exists()


def test_run_with_a_bug_prints_one_line_that_asks_for_a_report(
    files: Files, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("RANKGAUGE_DEBUG", raising=False)
    monkeypatch.setattr("rankgauge.cli.evaluate.evaluate_request", failing_with(RuntimeError("one\ntwo")))
    assert app.run(["evaluate", *map(str, files)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("rankgauge: unexpected RuntimeError: one two. Hint: this is a bug")
    assert err.count("\n") == 1


def test_run_with_a_bug_and_debug_set_raises_it(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKGAUGE_DEBUG", "1")
    monkeypatch.setattr("rankgauge.cli.evaluate.evaluate_request", failing_with(RuntimeError("one")))
    with pytest.raises(RuntimeError, match="one"):
        app.run(["evaluate", *map(str, files)])


def test_run_when_interrupted_prints_one_line(
    files: Files, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rankgauge.cli.evaluate.evaluate_request", failing_with(KeyboardInterrupt()))
    assert app.run(["evaluate", *map(str, files)]) == 130
    out, err = capsys.readouterr()
    assert (out, err.strip()) == ("", "rankgauge: interrupted")


def test_main_exits_with_the_code_of_run(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        app.main(["evaluate", str(files.judgments), "missing.txt"])
    assert stopped.value.code == 2
    assert "missing.txt: expected a file" in capsys.readouterr().err
