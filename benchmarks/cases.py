"""The cases: what is computed, on which data, by whom."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.data import TrecFiles, trec_files


class Contender(NamedTuple):
    """A program; it prints JSON with `value`, what `rankgauge evaluate --format json` prints, or trec_eval's line."""

    name: str
    command: list[str]


class Case(NamedTuple):
    """A piece of work that every contender does; the first contender is ours."""

    name: str
    title: str
    contenders: Callable[[], list[Contender]]


def python_peer(label: str, name: str, files: TrecFiles) -> Contender:
    return Contender(label, [sys.executable, "-m", "benchmarks.peers", name, str(files.judgments), str(files.ranking)])


def command_line(files: TrecFiles) -> Contender:
    program = Path(sys.executable).with_name("rankgauge")
    paths = [str(files.judgments), str(files.ranking)]
    return Contender("rankgauge, command line", [str(program), "evaluate", *paths, "--format", "json"])


def trec_contenders(queries: int, depth: int) -> list[Contender]:
    files = trec_files(queries, depth)
    contenders = [
        command_line(files),
        python_peer("rankgauge, Python", "rankgauge_files", files),
        python_peer("rankgauge, 15 measures at once", "rankgauge_many", files),
        python_peer("pytrec_eval-terrier", "pytrec_eval_files", files),
    ]
    program = os.environ.get("TREC_EVAL")
    if program:
        command = [program, "-m", "ndcg_cut.10", str(files.judgments), str(files.ranking)]
        contenders.append(Contender("trec_eval", command))
    return contenders


CASES = (
    Case("trec", "TREC files, 6,980 queries × 1,000 rows, ndcg@10", lambda: trec_contenders(6_980, 1_000)),
    Case("trec-small", "TREC files, 97 queries × 1,000 rows, ndcg@10", lambda: trec_contenders(97, 1_000)),
)
