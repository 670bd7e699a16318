"""Run the program: in this process, where a run takes milliseconds, or as a process of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from rankgauge.cli.app import run as run_program
from rankgauge.remarks import KINDS

PROGRAM = str(Path(sys.executable).with_name("rankgauge"))
MEMORY = 4 << 20  # kilobytes of address space, so that a runaway request harms nobody else
# The shell sets the limit: JAX, which other tests load, forbids to fork this process.
LIMITED = f'ulimit -v {MEMORY}; exec "$0" "$@"'


class Outcome(NamedTuple):
    """The exit code and the output of a run."""

    code: int
    stdout: str
    stderr: str

    def text(self) -> str:
        """Return the output of a run without errors; a format for programs has its remarks on stderr."""
        assert (self.code, without_remarks(self.stderr)) == (0, [])
        return self.stdout

    def refusal(self) -> str:
        """Return the error line of a run that failed, which has no other output."""
        assert "Traceback" not in self.stderr
        assert (self.code, self.stdout) == (2, "")
        assert self.stderr.endswith("\n")
        assert len(self.stderr.splitlines()) == 1
        assert self.stderr.startswith("rankgauge: ")
        assert "Hint: " in self.stderr
        assert "this is a bug" not in self.stderr
        return self.stderr


def without_remarks(stderr: str) -> list[str]:
    """Return the lines that are no remarks."""
    return [line for line in stderr.splitlines() if line.partition(": ")[0].replace(" ", "-") not in KINDS]


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of this process without the variables that change the output."""
    unwanted = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "RANKGAUGE_DEBUG", "PYTHONIOENCODING")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return kept | {"TERM": "xterm-256color"} | dict(changes or {})


def unmeasured(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of this process without what makes `make coverage` measure processes that tests start.

    Where a test asks which modules are loaded, those of coverage would be there; copies of the package do not count.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_PROCESS_")}
    return kept | dict(changes or {})


def run_as_process(*arguments: str | bytes | Path, env: Mapping[str, str] | None = None) -> Outcome:
    """Start the installed program with its output in pipes."""
    command = ["sh", "-c", LIMITED, PROGRAM, *arguments]
    done = subprocess.run(command, capture_output=True, check=False, env=environment(env))
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_with_java(*arguments: str | Path) -> Outcome:
    """Start the program without a limit of its address space, of which Java reserves much."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False, env=environment())
    return Outcome(done.returncode, done.stdout, done.stderr)


def run_in_process(*arguments: str | bytes | Path, env: Mapping[str, str] | None = None) -> Outcome:
    """Call the program with its output in memory; it imports nothing that is already there."""
    words = [os.fsdecode(argument) for argument in arguments]
    stdout, stderr = _pipe(), _pipe()
    with patch.dict(os.environ, environment(env), clear=True), redirect_stdout(stdout), redirect_stderr(stderr):
        code = run_program(words)
    return Outcome(code, _content(stdout), _content(stderr))


def _pipe() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n", write_through=True)


def _content(pipe: io.TextIOWrapper) -> str:
    pipe.flush()
    content: bytes = pipe.buffer.getvalue()  # type: ignore[attr-defined]
    return content.decode()
