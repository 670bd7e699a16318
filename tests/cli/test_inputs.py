"""Input on the command line: files of many formats, standard input, pipes; and the progress bar."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest
from tests.cli.conftest import JUDGMENTS, RANKING, _chunks
from tests.program import PROGRAM, Outcome, environment

if TYPE_CHECKING:
    from tests.cli.conftest import Files, Run

Write = Callable[[str, str | bytes], Path]
COMMANDS = pytest.mark.parametrize("command", [["evaluate"], ["explain", "--query", "q1"]], ids=lambda words: words[0])
CSV_JUDGMENTS = "query,item,grade\n" + "".join(
    f"{query},{item},{grade}\n" for query, _, item, grade in map(str.split, JUDGMENTS.splitlines())
)
CSV_RANKING = "query,item,score\n" + "".join(
    f"{query},{item},{score}\n" for query, _, item, _, score, _ in map(str.split, RANKING.splitlines())
)


def without_columns(printed: str) -> str:
    """Return an output without the notes on which columns were taken, which TREC files have not."""
    return "".join(line for line in printed.splitlines(keepends=True) if not line.startswith("columns: "))


def fed(text: str | bytes, *arguments: str | Path, env: dict[str, str] | None = None) -> Outcome:
    """Run the program with a text as its standard input."""
    done = subprocess.run(
        [PROGRAM, *arguments],
        input=text.encode() if isinstance(text, str) else text,
        capture_output=True,
        check=False,
        env=environment(env),
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


@COMMANDS
def test_standard_input_for_either_side_is_read(run: Run, files: Files, command: list[str], tmp_path: Path) -> None:
    expected = run(*command, *files).text()
    kept = {"TMPDIR": str(tmp_path / "kept")}
    (tmp_path / "kept").mkdir()
    assert fed(JUDGMENTS, *command, "-", files.ranking, env=kept).text() == expected
    assert fed(RANKING, *command, files.judgments, "-", env=kept).text() == expected
    assert without_columns(fed(CSV_RANKING, *command, files.judgments, "-", env=kept).text()) == expected
    assert list((tmp_path / "kept").iterdir()) == []


@COMMANDS
def test_standard_input_for_both_sides_is_refused(command: list[str]) -> None:
    line = fed(JUDGMENTS, *command, "-", "-").refusal()
    assert "standard input" in line
    assert "empty" not in line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "standard input: expected rows"),
        ("q1 Q0 d1 1 x t\n", "standard input:1: expected a finite number"),
        ("q1 Q0 d1 1 1 t\nq1 Q0 d1 1 1 t\n", "standard input:2 (query 'q1', item 'd1')"),
        ("query,thing\nq1,d1\n", "standard input: expected a column for item"),
        (b"\x1f\x8b\x08\x00cut", "standard input: expected a complete gzip file"),
        (b"PAR1\x00\x00cut", "standard input: "),
        (b"ARROW1\x00\x00cut", "standard input: "),
    ],
)
def test_standard_input_with_bad_rows_is_refused(files: Files, text: str | bytes, message: str) -> None:
    line = fed(text, "evaluate", files.judgments, "-").refusal()
    assert line.startswith(f"rankgauge: {message}")
    assert "rankgauge-" not in line  # the name of the file in which it was kept


def test_standard_input_when_closed_is_refused(files: Files) -> None:
    shell = ["bash", "-c", '"$@" <&-', "bash", PROGRAM, "evaluate", str(files.judgments), "-"]
    done = subprocess.run(shell, capture_output=True, check=False, env=environment())
    Outcome(done.returncode, done.stdout.decode(), done.stderr.decode()).refusal()


def test_temporary_folder_that_is_missing_is_no_bug(files: Files) -> None:
    line = fed(RANKING, "evaluate", files.judgments, "-", env={"TMPDIR": "/nowhere"})
    assert line.code in (0, 2)  # Python finds another folder
    assert "bug" not in line.stderr


@COMMANDS
def test_process_substitution_is_read(run: Run, files: Files, command: list[str]) -> None:
    script = f'"$@" <(cat {files.judgments}) <(gzip -c {files.ranking})'
    done = subprocess.run(
        ["bash", "-c", script, "bash", PROGRAM, *command],
        capture_output=True,
        check=True,
        env=environment(),
    )
    assert done.stdout.decode() == run(*command, *files).text()


@COMMANDS
def test_tables_of_a_database_are_read(
    run: Run, files: Files, write: Write, command: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "data.duckdb"
    with duckdb.connect(str(path)) as database:
        for name, text in (("judged", CSV_JUDGMENTS), ("run", CSV_RANKING)):
            database.execute(f"create table {name} as from '{write(f'{name}.csv', text)}'")
    expected = run(*command, *files).text()
    assert without_columns(run(*command, f"{path}::judged", f"{path}::run").text()) == expected
    assert "(judged, run), got none" in run(*command, path, f"{path}::run").refusal()
    assert "did you mean 'run'?" in run(*command, f"{path}::judged", f"{path}::runs").refusal()


@COMMANDS
@pytest.mark.parametrize(
    ("judgments", "ranking", "switches"),
    [
        (CSV_JUDGMENTS, CSV_RANKING, []),
        (JUDGMENTS, RANKING, ["--format-judgments", "trec", "--format-ranking", "trec"]),
        (CSV_JUDGMENTS, CSV_RANKING.replace(",", "\t"), ["--format-ranking", "tsv"]),
        (
            CSV_JUDGMENTS.replace("query,item,grade", "a,b,c"),
            CSV_RANKING.replace("query,item,score", "x,y,z"),
            ["--columns-judgments", "query=a,item=b,grade=c", "--columns-ranking", "query=x, item=y, score=z"],
        ),
        (
            CSV_JUDGMENTS.partition("\n")[2],
            CSV_RANKING.partition("\n")[2],
            ["--columns-judgments", "query,item,grade", "--columns-ranking", "query,item,score"],
        ),
        (
            JUDGMENTS.replace(" ", "\t"),
            RANKING,
            ["--columns-judgments", "query,x,item,grade"],
        ),
    ],
    ids=["none", "formats", "tabs", "names", "no header", "as tabs"],
)
def test_reading_switches_of_every_format_are_used(
    run: Run, files: Files, write: Write, command: list[str], judgments: str, ranking: str, switches: list[str]
) -> None:
    expected = run(*command, *files).text()
    printed = run(*command, write("judgments", judgments), write("ranking", ranking), *switches).text()
    assert without_columns(printed) == expected


@COMMANDS
@pytest.mark.parametrize(
    ("switches", "message"),
    [
        (["--format-ranking", "xml"], "'xml' is not one of"),
        (["--format-judgments", "parquet"], "expected a table"),
        (["--format-ranking", "csv"], "expected a column for query"),
        (["--columns-ranking", "query=a,b"], "expected a role for each column"),
        (["--columns-ranking", "qury=a"], "did you mean 'query'?"),
        (["--columns-ranking", "=a"], "expected a role in columns"),
        (["--columns-ranking", "query:a,item:b"], "as in query=a,item=b, got 'query:a,item:b'"),
        (["--columns-ranking", "a=query,b=item"], "the role comes first"),
        (["--columns-judgments", "query=nothing"], "'nothing'"),
    ],
)
def test_reading_switches_that_are_wrong_are_refused(
    run: Run, files: Files, command: list[str], switches: list[str], message: str
) -> None:
    assert message in run(*command, *files, *switches).refusal()


class Waiting:
    """The program while it waits for a pipe, with its errors on a terminal."""

    def __init__(self, files: Files, command: list[str], source: str = "pipe") -> None:
        self.pipe = files.ranking.with_name("pipe")
        os.mkfifo(self.pipe)
        self.terminal, theirs = pty.openpty()
        self.program = subprocess.Popen(
            [PROGRAM, *command, files.judgments, self.pipe if source == "pipe" else source],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=theirs,
            env=environment({"COLUMNS": "100"}),
        )
        os.close(theirs)
        self.shown = ""

    def read_until(self, part: str) -> None:
        while part not in self.shown:
            self.shown += os.read(self.terminal, 1 << 12).decode(errors="replace")

    def end(self) -> Outcome:
        self.shown += b"".join(_chunks(self.terminal)).decode(errors="replace")
        output, _ = self.program.communicate()
        os.close(self.terminal)
        return Outcome(self.program.returncode, output.decode(), self.shown)


@COMMANDS
def test_progress_of_long_work_is_shown_on_a_terminal_alone(run: Run, files: Files, command: list[str]) -> None:
    waiting = Waiting(files, command)
    waiting.read_until("reading")
    waiting.pipe.write_text(RANKING, encoding="utf-8")
    outcome = waiting.end()
    assert outcome.code == 0
    assert outcome.stdout == run(*command, *files).text()
    assert outcome.stderr.rstrip().endswith("\x1b[2K")  # the bar is gone


@COMMANDS
def test_error_after_long_work_is_one_line(files: Files, command: list[str]) -> None:
    waiting = Waiting(files, command)
    waiting.read_until("reading")
    waiting.pipe.write_text("q1 Q0 d1 1 x t\n", encoding="utf-8")
    outcome = waiting.end()
    assert (outcome.code, outcome.stdout) == (2, "")
    assert outcome.stderr.partition("rankgauge: ")[2].count("\n") == 1


@COMMANDS
@pytest.mark.parametrize("source", ["pipe", "-"])
def test_interrupt_of_long_work_ends_it(files: Files, command: list[str], source: str) -> None:
    waiting = Waiting(files, command, source)
    waiting.read_until("reading")
    waiting.program.send_signal(signal.SIGINT)
    outcome = waiting.end()
    assert (outcome.code, outcome.stdout) == (130, "")
    assert outcome.stderr.count("rankgauge: interrupted") == 1
    assert "Traceback" not in outcome.stderr


@COMMANDS
def test_progress_without_a_terminal_is_not_shown(run: Run, files: Files, command: list[str]) -> None:
    program = subprocess.Popen(
        [PROGRAM, *command, files.judgments, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    time.sleep(1.5)  # longer than the patience of a person
    output, errors = program.communicate(RANKING.encode())
    assert (program.returncode, errors) == (0, b"")
    assert output.decode() == run(*command, *files).text()
