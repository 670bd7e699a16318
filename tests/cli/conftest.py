"""Run the installed program in its own process, on small TREC files."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest
from tests.program import PROGRAM, Outcome, environment, run_as_process, run_in_process

JUDGMENTS = "q1 0 d1 2\nq1 0 d2 1\nq1 0 d3 0\nq2 0 d1 1\nq2 0 d4 0\nq3 0 d5 1\n"
RANKING = (
    "q1 Q0 d9 1 3.0 t\nq1 Q0 d2 2 2.0 t\nq1 Q0 d1 3 1.0 t\n"  # d9 is unjudged
    "q2 Q0 d4 1 0.5 t\nq2 Q0 d1 2 0.5 t\n"  # a tie; q3 is missing
    "q9 Q0 d1 1 1.0 t\n"  # q9 is not judged
)


class Run(Protocol):
    """Start the program with arguments."""

    def __call__(self, *arguments: str | bytes | Path, env: Mapping[str, str] | None = None) -> Outcome: ...


class Files(NamedTuple):
    """A file of judgments and a file with a ranking."""

    judgments: Path
    ranking: Path


@pytest.fixture
def run() -> Run:
    """Run the program within this process, with its output in pipes."""
    return run_in_process


@pytest.fixture
def start() -> Run:
    """Start the installed program as a process of its own, with its output in pipes."""
    return run_as_process


class RunOnTerminal(Protocol):
    """Start the program on a terminal of so many columns."""

    def __call__(self, *arguments: str | Path, columns: int = 160, env: Mapping[str, str] | None = None) -> Outcome: ...


@pytest.fixture
def run_on_terminal() -> RunOnTerminal:
    """Run the program on a pseudo-terminal."""

    def start(*arguments: str | Path, columns: int = 160, env: Mapping[str, str] | None = None) -> Outcome:
        ours, theirs = pty.openpty()
        sizes = {"COLUMNS": str(columns)}
        program = subprocess.Popen(
            [PROGRAM, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            env=environment(sizes | dict(env or {})),
        )
        os.close(theirs)
        shown = b"".join(_chunks(ours))
        os.close(ours)
        _, errors = program.communicate()
        return Outcome(program.returncode, shown.decode().replace("\r\n", "\n"), errors.decode())

    return start


def _chunks(terminal: int) -> Iterable[bytes]:
    while True:
        try:
            chunk = os.read(terminal, 1 << 16)
        except OSError:  # Linux says so when the other end is closed
            return
        if not chunk:
            return
        yield chunk


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file and return its path."""

    def put(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return put


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Three judged queries: one with an unjudged item, one with a tie, one that is missing."""
    judgments, ranking = tmp_path / "qrels.txt", tmp_path / "run.txt"
    judgments.write_text(JUDGMENTS, encoding="utf-8")
    ranking.write_text(RANKING, encoding="utf-8")
    return Files(judgments, ranking)


@pytest.fixture
def large(tmp_path: Path) -> Files:
    """300 queries of 60 ranked items: a ranking of about 500 kB, which is read in several pieces."""
    judgments, ranking = tmp_path / "large.qrels.txt", tmp_path / "large.run.txt"
    judged = (f"q{query:03} 0 item{item:04} {(query + item) % 4}\n" for query in range(300) for item in range(20))
    rows = (
        f"q{query:03} Q0 item{item:04} 1 {(query * 7 + item * 13) % 61}.5 tag\n"
        for query in range(300)
        for item in range(60)
    )
    judgments.write_text("".join(judged), encoding="utf-8")
    ranking.write_text("".join(rows), encoding="utf-8")
    return Files(judgments, ranking)
