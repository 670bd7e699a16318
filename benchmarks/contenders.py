"""A contender: a program that does the work of a case and prints the value."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

FLOOR = Path(__file__).parent / "floor"

# The environment of RePlay, which needs older libraries than the others: `make bench` makes it.
REPLAY = Path(__file__).parents[1] / ".replay" / "bin" / "python"

Timed = Literal["process", "call", "tree"]


class Contender(NamedTuple):
    """It prints JSON with `value`, what `rankgauge evaluate --format json` prints, trec_eval's line, or nothing."""

    name: str
    command: list[str]
    rows: int = 0
    mapped_bytes: int = 0


class Files(Protocol):
    """Judgments and a ranking, of any format."""

    @property
    def judgments(self) -> Path: ...
    @property
    def ranking(self) -> Path: ...
    @property
    def rows(self) -> int: ...


def peer(name: str, timed: Timed, function: str, *arguments: object, rows: int = 0) -> Contender:
    """A function of benchmarks.peers; under `process` its whole process is timed, under `call` its work alone.

    Under `tree` the CPU time of its work counts, that of the processes below it added.
    """
    command = [sys.executable, "-m", "benchmarks.peers", timed, function, *map(str, arguments)]
    return Contender(name, command, rows)


def replay(folder: Path, rows: int) -> list[Contender]:
    """RePlay on Spark; none where its environment is not there."""
    if not REPLAY.exists():
        print("the environment of RePlay is not there, so it is left out: make .make/bench-spark")
        return []
    contender = peer("RePlay, 6 measures", "tree", "spark.replay", folder, rows=rows)
    return [contender._replace(command=[str(REPLAY), *contender.command[1:]])]


def on_files(name: str, function: str, files: Files) -> Contender:
    return peer(name, "process", function, files.judgments, files.ranking, rows=files.rows)


def mapped(contender: Contender, files: Files) -> Contender:
    """Mark the ranking as a mapped file, whose size is not counted as memory of the contender."""
    return contender._replace(mapped_bytes=files.ranking.stat().st_size)


def command_line(files: Files) -> Contender:
    program = Path(sys.executable).with_name("rankgauge")
    paths = [str(files.judgments), str(files.ranking)]
    return Contender("rankgauge, command line", [str(program), "evaluate", *paths, "--format", "json"], files.rows)


def bare_python() -> Contender:
    return Contender("python -c pass", [sys.executable, "-c", "pass"])


def trec_eval(files: Files) -> list[Contender]:
    """The program that TREC_EVAL names, or none."""
    program = os.environ.get("TREC_EVAL")
    command = [str(program), "-m", "ndcg_cut.10", str(files.judgments), str(files.ranking)]
    return [Contender("trec_eval", command, files.rows)] if program else []


def floor(files: Files) -> list[Contender]:
    """The least that a reader must do, built here; none without cargo."""
    if not shutil.which("cargo"):
        print("cargo is not there, so the floor program is left out")
        return []
    target = FLOOR / "target"
    command = ["cargo", "build", "--release", "--locked", "--quiet", "--target-dir", str(target)]
    subprocess.run(command, cwd=FLOOR, check=True)
    program = target / "release" / "rankgauge-floor"
    return [Contender("floor: read and parse only", [str(program), str(files.ranking)], files.rows)]
