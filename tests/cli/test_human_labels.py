"""`--human FILE` of `rankgauge evaluate` and `rankgauge compare`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.results.labels import labels

import rankgauge as rg

if TYPE_CHECKING:
    from tests.cli.conftest import Run

DATA = labels()


class Paths(NamedTuple):
    """Machine and human judgments, and two runs."""

    machine: Path
    human: Path
    old: Path
    new: Path


@pytest.fixture
def paths(write: Callable[[str, str], Path]) -> Paths:
    def judgments(name: str, grades: Mapping[str, Mapping[str, int]]) -> Path:
        return write(
            name, "".join(f"{q} 0 {item} {grade}\n" for q, row in grades.items() for item, grade in row.items())
        )

    def run(name: str, ranking: Mapping[str, list[str]]) -> Path:
        rows = [f"{q} Q0 {item} {rank} {-rank} t\n" for q, items in ranking.items() for rank, item in enumerate(items)]
        return write(name, "".join(rows))

    return Paths(
        judgments("machine.qrels", DATA.machine),
        judgments("people.qrels", DATA.human),
        run("old.run", DATA.old),
        run("new.run", DATA.new),
    )


def test_evaluate_with_human_prints_what_python_prints(run: Run, paths: Paths) -> None:
    shown = run("evaluate", paths.machine, paths.new, "-m", "map", "--human", paths.human).text()
    assert shown.rstrip() == str(rg.evaluate(DATA.machine, DATA.new, "map", human=DATA.human))


def test_compare_with_human_has_the_key_ppi(run: Run, paths: Paths) -> None:
    arguments = ("compare", paths.machine, paths.old, paths.new, "-m", "map", "--human", paths.human)
    written: dict[str, Any] = json.loads(run(*arguments, "--format", "json").stdout)
    python = rg.compare(DATA.machine, {"old": DATA.old, "new": DATA.new}, "map", human=DATA.human)
    assert written["ppi"] == json.loads(python.to_json())["ppi"]


def test_gates_look_at_the_combined_interval(run: Run, paths: Paths) -> None:
    arguments = ("evaluate", paths.machine, paths.new, "-m", "map", "--human", paths.human)
    assert run(*arguments, "--fail-under", "map=0.7").code == 0
    assert run(*arguments, "--fail-under", "map=0.9").code == 1
    compared = ("compare", paths.machine, paths.new, paths.old, "-m", "map", "--human", paths.human)
    assert run(*compared, "--fail-if-worse", "0.01").code == 1


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        (["--format", "trec"], "expected another format for --human"),
        (["-m", "gm_map"], "expected measures that are means over queries"),
    ],
)
def test_evaluate_with_human_refuses_what_does_not_go_with_it(
    run: Run, paths: Paths, extra: list[str], words: str
) -> None:
    assert words in run("evaluate", paths.machine, paths.new, "--human", paths.human, *extra).refusal()


def test_evaluate_with_too_few_human_labels_is_refused(
    run: Run, paths: Paths, write: Callable[[str, str], Path]
) -> None:
    few = write("few.qrels", "q001 0 d1 1\nq002 0 d1 1\n")
    refusal = run("evaluate", paths.machine, paths.new, "--human", few).refusal()
    assert "expected human labels for at least 25 of the queries with machine labels, got them for 2" in refusal


def test_evaluate_and_compare_with_human_labels_go_by_segments(run: Run, paths: Paths, tmp_path: Path) -> None:
    segments = tmp_path / "segments.csv"
    rows = [f"{query},{'phone' if query < 'q320' else 'desktop'}" for query in DATA.machine]
    segments.write_text("\n".join(["query,device", *rows]), encoding="utf-8")
    by = ("--human", paths.human, "--by", f"{segments}:device", "-m", "map")
    shown = run("evaluate", paths.machine, paths.new, *by).text()
    assert "fewer than 25 queries with human labels" in shown
    compared = run("compare", paths.machine, paths.old, paths.new, *by).text()
    assert "1 comparison within segments of at least 25 queries with human labels" in compared
