"""docs/architecture.md: the drawing is what the imports give, and the table of steps what a command goes through."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, NamedTuple

import pytest
from tests.docs.test_generated import load_script
from tests.program import run_in_process

import rankgauge
from rankgauge.request import _checked

SCRIPT: ModuleType = load_script("draw_architecture")
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
PACKAGE = Path(rankgauge.__file__).parent
# What joins the steps, and what serves all of them, as the page says.
BESIDE = {
    *("evaluate.py", "execution_options.py", "__init__.py"),
    *("errors", "remarks", "languages", "checks.py", "notation.py", "immutable_value.py"),
}


def test_drawing_of_the_page_is_what_the_imports_give() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == SCRIPT.page(text), "run `make docs`"
    assert SCRIPT.drawing() in text


def test_imports_of_the_package_lead_from_the_program_to_the_core() -> None:
    down, late = SCRIPT.imports()
    assert ("rankgauge.cli", "rankgauge.evaluate") in down
    assert ("rankgauge.data", "rankgauge._core") in down
    assert ("rankgauge.errors", "rankgauge.cli") not in down | late
    assert ("rankgauge.grading", "rankgauge.reports") in late
    assert ("rankgauge.results.segmenting", "rankgauge.results.result") in down
    assert ("rankgauge.results.result", "rankgauge.results.segmenting") in late
    assert down & late == frozenset()


def test_import_at_loading_that_goes_up_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SCRIPT, "_late_lines", lambda _: set())
    with pytest.raises(SystemExit, match=r"go up: .*rankgauge\.grading"):
        SCRIPT.imports()


def test_late_lines_are_those_of_functions_and_of_types() -> None:
    late = SCRIPT._late_lines("rankgauge.results.result")
    lines = (ROOT / "src/rankgauge/results/result.py").read_text(encoding="utf-8").splitlines()
    late_imports = {line.strip() for number, line in enumerate(lines, start=1) if number in late and "import" in line}
    assert "from rankgauge.results.segmenting import segments_of_result" in late_imports
    assert "from rankgauge.results.comparison import Comparison" in late_imports
    assert "from rankgauge.results.report_mixin import ReportMixin" not in late_imports


def test_shortest_leaves_out_what_other_imports_imply() -> None:
    assert SCRIPT.shortest({("a", "b"), ("b", "c"), ("a", "c")}) == {("a", "b"), ("b", "c")}


def test_shortest_of_a_circle_is_refused() -> None:
    with pytest.raises(SystemExit, match="circle"):
        SCRIPT.shortest({("a", "b"), ("b", "a")})


def test_part_of_a_module_in_no_layer_is_refused() -> None:
    assert SCRIPT.part_of("rankgauge.results.result", ["rankgauge.results", "rankgauge.results.result"]) == (
        "rankgauge.results.result"
    )
    with pytest.raises(SystemExit, match=r"rankgauge\.new is in no layer"):
        SCRIPT.part_of("rankgauge.new", ["rankgauge.cli"])


class Call(NamedTuple):
    """A call of a function of ours: its file in the package, and its name as the page has it, `module.function`."""

    file: str
    name: str


class Step(NamedTuple):
    """A row of the page: a part of the package, and the function that the walk enters it by."""

    part: str
    function: str


def steps() -> list[Step]:
    rows = re.findall(r"^\| +\d+ \| `(.*?)` +\| `(.*?)` +\|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [Step(part.rstrip("/"), function) for part, function in rows]


def calls_of(work: Callable[[], object]) -> list[Call]:
    """Do some work and return the calls of functions of the package, in order; those of the core by their class."""
    made: list[Call] = []

    def note(frame: FrameType, event: str, argument: Any) -> None:
        file = Path(frame.f_code.co_filename)
        if event == "call" and file.is_relative_to(PACKAGE):
            module = file.parent.name if file.stem == "__init__" else file.stem
            made.append(Call(file.relative_to(PACKAGE).as_posix(), f"{module}.{frame.f_code.co_name}"))
        elif event == "c_call" and type(getattr(argument, "__self__", None)).__module__ == "rankgauge._core":
            made.append(Call("crates/core", argument.__qualname__))

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return made


@pytest.fixture
def walk(tmp_path: Path) -> list[Call]:
    """The calls of the command of the page, once everything that it needs is loaded."""
    judgments, ranking = tmp_path / "qrels.txt", tmp_path / "run.txt"
    judgments.write_text("q1 0 d1 3\nq1 0 d2 2\nq2 0 d4 1\n", encoding="utf-8")
    ranking.write_text("q1 Q0 d2 1 0.9 r\nq1 Q0 d1 2 0.2 r\nq2 Q0 d4 1 0.7 r\n", encoding="utf-8")
    files = str(judgments), str(ranking)
    run_in_process("evaluate", *files, "-m", "map@7").text()
    _checked.cache_clear()  # another test may have asked the same
    return calls_of(lambda: run_in_process("evaluate", *files, "-m", "ndcg@10").text())


def test_walk_of_a_command_enters_each_part_once_in_the_order_of_the_page(walk: list[Call]) -> None:
    known = steps()
    assert len(known) == 11
    entered = [
        step
        for call in walk
        for step in known
        if call.name == step.function and (call.file == step.part or call.file.startswith(f"{step.part}/"))
    ]
    assert entered == known


def test_walk_of_a_command_has_no_part_that_the_page_does_not_name(walk: list[Call]) -> None:
    named = {step.part.partition("/")[0] for step in steps()} | BESIDE
    assert {call.file.partition("/")[0] for call in walk} - named == set()
