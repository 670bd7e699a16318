"""CSV: a reader gets every cell back as it was, and a spreadsheet runs none of them if it is asked not to."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rankgauge.cli import app
from rankgauge.presentation.csv import is_formula
from rankgauge.presentation.table import Table

FORMULAS = ["=1+1", "+A1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "=", "-", "+", "-a"]
NO_FORMULAS = ["", "d1", "-1", "+2.5", "-1e3", " =1", "'=1", "1-2"]
CELLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=4))
@example([["a\rb", "a\nb"], ['"', ","], [" a ", "\r\n"]])
def test_csv_read_again_has_the_same_cells(rows: list[list[str]]) -> None:
    text = Table(["a", "b"], rows).to_csv()
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["a", "b"], *rows]


@pytest.mark.parametrize("text", FORMULAS)
def test_cell_that_a_spreadsheet_would_run_has_an_apostrophe_if_safe(text: str) -> None:
    table = Table(["id", "value"], [[text, -0.5]])
    assert is_formula(text)
    assert _cells(table.to_csv()) == [["id", "value"], [text, "-0.5"]]
    assert _cells(table.to_csv(spreadsheet_safe=True)) == [["id", "value"], [f"'{text}", "-0.5"]]


@pytest.mark.parametrize("text", NO_FORMULAS)
def test_cell_that_no_spreadsheet_would_run_is_left_as_it_is(text: str) -> None:
    table = Table([text, "value"], [[text, 1]])
    assert not is_formula(text)
    assert table.to_csv(spreadsheet_safe=True) == table.to_csv()


def _cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Judgments and a ranking, in which two queries have ids that a spreadsheet would run."""
    judgments, ranking = tmp_path / "qrels.txt", tmp_path / "run.txt"
    judgments.write_text("=1+1 0 d1 1\n@x 0 d1 1\n-7 0 d1 1\n", encoding="utf-8")
    ranking.write_text("=1+1 Q0 d1 1 1 t\n@x Q0 d1 1 1 t\n-7 Q0 d1 1 1 t\n", encoding="utf-8")
    return [str(judgments), str(ranking)]


def test_command_remarks_on_cells_that_a_spreadsheet_would_run(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.run(["evaluate", *files, "--per-query", "--format", "csv"]) == 0
    output, errors = capsys.readouterr()
    assert [row[0] for row in _cells(output)] == ["query", "-7", "=1+1", "@x", "all"]
    assert errors.splitlines()[-1] == "formulas: a spreadsheet would run 2 cells, such as '=1+1'"


def test_command_that_is_spreadsheet_safe_writes_apostrophes_and_no_remark(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "values.csv"
    assert app.run(["evaluate", *files, "--per-query", "--spreadsheet-safe", "-o", str(output)]) == 0
    assert [row[0] for row in _cells(output.read_text(encoding="utf-8"))] == ["query", "-7", "'=1+1", "'@x", "all"]
    assert "formulas" not in capsys.readouterr().err


@pytest.mark.parametrize("format_", ["table", "json", "markdown", "latex", "html"])
def test_command_in_another_format_says_nothing_of_formulas(
    files: list[str], format_: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.run(["evaluate", *files, "--per-query", "--format", format_]) == 0
    output, errors = capsys.readouterr()
    assert "formulas" not in output + errors
