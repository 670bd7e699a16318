"""Compare the CPU time of two versions: `python -m benchmarks.versions OLD NEW [CASE …]`.

OLD and NEW are source trees of rankgauge, both built with the profile `release`. They take turns, each time in a
process of its own, so that a noisy moment meets both. A process evaluates until it has used a second or two, and gives
the median; of each version the lowest median counts. CPU time is that of all threads, and hardly depends on what else
the machine does.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from benchmarks.datasets.arrays import dense_arrays, grouped_arrays
from benchmarks.datasets.frames import recommender_files
from benchmarks.datasets.prices import market_files
from benchmarks.datasets.tables import table_files
from benchmarks.datasets.trec import trec_files

ROOT = Path(__file__).parents[1]
QUERIES = 1_000
DEPTH = 1_000
USERS = 200_000


class Work(NamedTuple):
    """A function of benchmarks.peers and its arguments; none is a start of the command."""

    name: str
    function: str | None
    arguments: Callable[[], Sequence[object]]


def trec() -> Sequence[object]:
    return trec_files(QUERIES, DEPTH)[:2]


def frames(*more: object, ids: str = "dense") -> Sequence[object]:
    return (recommender_files(USERS, 20, ids), *more)  # type: ignore[arg-type]


WORKS = (
    Work("trec", "files.rankgauge", trec),
    Work("trec-40", "files.rankgauge_forty", trec),
    Work("csv", "readers.rankgauge", lambda: table_files("csv", QUERIES, DEPTH)[:2]),
    Work("parquet-strings", "readers.rankgauge", lambda: table_files("parquet-strings", QUERIES, DEPTH)[:2]),
    Work("parquet-integers", "readers.rankgauge", lambda: table_files("parquet-integers", QUERIES, DEPTH)[:2]),
    Work("dicts", "dicts.rankgauge", lambda: trec_files(60, DEPTH)[:2]),
    Work("dense", "dense.rankgauge", lambda: [dense_arrays(2_000, 1_000)]),
    Work("grouped", "grouped.rankgauge", lambda: [grouped_arrays(5_000), "lightgbm"]),
    Work("pandas-integers", "frames.rankgauge_pandas", lambda: frames("trec_eval")),
    Work("pandas-sparse", "frames.rankgauge_pandas", lambda: frames("trec_eval", ids="sparse")),
    Work("pandas-strings", "frames.rankgauge_pandas", lambda: frames("trec_eval", ids="strings")),
    Work("polars-integers", "frames.rankgauge_polars", lambda: frames("trec_eval")),
    Work("polars-sparse", "frames.rankgauge_polars", lambda: frames("trec_eval", ids="sparse")),
    Work("polars-strings", "frames.rankgauge_polars", lambda: frames("trec_eval", ids="strings")),
    Work("stocks", "market.rankgauge_polars", lambda: [market_files(505, 1_259)]),
    Work("small-dicts", "small.dicts", list),
    Work("small-arrays", "small.arrays", list),
    Work("start", None, lambda: trec_files(97, DEPTH)[:2]),
)


def cpu_seconds(tree: Path, work: Work, arguments: Sequence[object]) -> float:
    """The CPU time of one evaluation by the version in that tree."""
    command = ["-m", "benchmarks.peers", "cpu", str(work.function)]
    if work.function is None:
        command = ["-m", "rankgauge", "evaluate", "--format", "json"]
    environment = {**os.environ, "PYTHONPATH": f"{tree / 'src'}:{ROOT}"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = children_seconds()
    program = [sys.executable, *command, *map(str, arguments)]
    result = subprocess.run(program, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    return float(json.loads(result.stdout)["cpu"]) if work.function else children_seconds() - before


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compare(old: Path, new: Path, work: Work, turns: int) -> tuple[float, float]:
    arguments = work.arguments()
    pairs = [(cpu_seconds(old, work, arguments), cpu_seconds(new, work, arguments)) for _ in range(turns)]
    return min(first for first, _ in pairs), min(second for _, second in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("cases", nargs="*", help=f"default: all of {', '.join(work.name for work in WORKS)}")
    parser.add_argument("--turns", type=int, default=5)
    given = parser.parse_args()
    chosen = [work for work in WORKS if not given.cases or any(fnmatchcase(work.name, case) for case in given.cases)]
    print(f"{'case':18}{'old ms':>10}{'new ms':>10}{'new / old':>11}", flush=True)
    for work in chosen:
        old, new = compare(given.old.resolve(), given.new.resolve(), work, given.turns)
        print(f"{work.name:18}{old * 1e3:10.3f}{new * 1e3:10.3f}{new / old:11.3f}", flush=True)


if __name__ == "__main__":
    main()
