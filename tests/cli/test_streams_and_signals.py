"""Streams that are closed, full or without a reader, and signals: the exit code says what happened, nothing is left."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.cli.conftest import RANKING
from tests.program import PROGRAM, environment

from rankgauge.cli import streams_and_signals

if TYPE_CHECKING:
    from tests.cli.conftest import Files

JSON = ["--format", "json"]
STOPPING = {signal.SIGTERM: 143, signal.SIGHUP: 129}


def run_in_shell(redirection: str, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    command: list[str | Path] = ["bash", "-c", f'exec "$@" {redirection}', "bash", PROGRAM, *arguments]
    return subprocess.run(command, capture_output=True, check=False, env=environment())


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_standard_error_that_takes_nothing_leaves_output_and_exit_code(files: Files, redirection: str) -> None:
    done = run_in_shell(redirection, "evaluate", *files, *JSON)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == run_in_shell("", "evaluate", *files, *JSON).stdout


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "2>&- >&-", "2>&- >&- <&-"])
@pytest.mark.parametrize("switch", ["--missing=error", "--no-such-switch"])
def test_standard_error_that_takes_nothing_leaves_the_exit_code_of_an_error(
    files: Files, redirection: str, switch: str
) -> None:
    done = run_in_shell(redirection, "evaluate", *files, switch)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


def test_standard_error_without_a_reader_leaves_output_and_exit_code(files: Files) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([PROGRAM, "evaluate", *files, *JSON], stdout=subprocess.PIPE, stderr=writing, check=False)
    os.close(writing)
    assert done.returncode == 0
    assert done.stdout.startswith(b"{")


def test_streams_that_are_all_closed_are_no_error(files: Files, tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    done = run_in_shell("<&- >&- 2>&-", "evaluate", *files, "-o", output)
    assert done.returncode == 0
    assert output.read_bytes() == run_in_shell("", "evaluate", *files, *JSON).stdout


@pytest.mark.parametrize("redirection", ["", "<&-", "2>&-", ">&-", "<&- >&- 2>&-"])
def test_version_is_printed_whatever_is_closed(redirection: str) -> None:
    done = run_in_shell(redirection, "--version")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"rankgauge ") or ">&-" in redirection.replace("2>&-", "")


@pytest.mark.parametrize(
    "changes",
    [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"HOME": "/nowhere"}, {"TERM": ""}, {"TMPDIR": "/nowhere"}],
)
def test_version_is_printed_in_any_environment(changes: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    command = ["bash", "-c", f'cd {folder} && rmdir {folder} && exec "$0" --version', PROGRAM]
    done = subprocess.run(command, capture_output=True, check=False, env=environment(changes))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"rankgauge ")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for temporary files that is empty."""
    path = tmp_path / "temporary"
    path.mkdir()
    return path


def started(files: Files, folder: Path, *before: str) -> subprocess.Popen[bytes]:
    """Start the program, and wait until it has kept the first rows of its standard input."""
    program = subprocess.Popen(
        [*before, PROGRAM, "evaluate", files.judgments, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment({"TMPDIR": str(folder)}),
    )
    # Python itself writes a file into the folder, to see whether it can.
    while not any(path.is_file() for path in folder.glob("rankgauge-*/*")):
        assert program.poll() is None
        time.sleep(0.01)
    return program


@pytest.fixture
def waiting(files: Files, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The program while it waits for standard input."""
    program = started(files, folder)
    yield program
    program.kill()
    program.communicate()


@pytest.mark.parametrize(("number", "code"), STOPPING.items())
def test_signal_that_stops_the_program_leaves_no_spool(
    waiting: subprocess.Popen[bytes], folder: Path, number: signal.Signals, code: int
) -> None:
    waiting.send_signal(number)
    assert waiting.wait() == code
    assert waiting.stdout is not None
    assert waiting.stderr is not None
    assert (waiting.stdout.read(), waiting.stderr.read()) == (b"", b"")
    assert list(folder.iterdir()) == []


def test_interrupt_leaves_no_spool(waiting: subprocess.Popen[bytes], folder: Path) -> None:
    waiting.send_signal(signal.SIGINT)
    assert waiting.wait() == 130
    assert list(folder.iterdir()) == []


def test_signal_that_is_ignored_stays_so(files: Files, folder: Path) -> None:
    program = started(files, folder, "bash", "-c", 'trap "" HUP; exec "$0" "$@"')  # as `nohup` does
    program.send_signal(signal.SIGHUP)
    output, _ = program.communicate(RANKING.encode())
    assert program.returncode == 0
    assert output.startswith(b"measure")


def test_signal_while_a_draft_is_written_leaves_the_old_file(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rankgauge.cli import app

    output = tmp_path / "out" / "out.csv"
    output.parent.mkdir()
    output.write_text("old", encoding="utf-8")

    def stopped(*_: object, **__: object) -> None:
        raise streams_and_signals.Stopped(signal.SIGTERM)

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.replace", stopped)
        assert app.run(["evaluate", *map(str, files), "-o", str(output)]) == 143
    assert [path.read_text(encoding="utf-8") for path in output.parent.iterdir()] == ["old"]
