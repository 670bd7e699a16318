"""`rankgauge conventions`: the list, one convention, and the comparison on data."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING

import pytest
from tests.grids import grid

import rankgauge as rg
from rankgauge.cli.output import GENERAL
from rankgauge.conventions import NAMED, QUESTIONS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run, RunOnTerminal


def test_conventions_without_a_name_lists_each_once(run: Run) -> None:
    lines = run("conventions").text().splitlines()
    assert [line.split()[0] for line in lines] == ["convention", *NAMED]
    for line, convention in zip(lines[1:], NAMED.values(), strict=True):
        assert convention.summary in line
        assert convention.reproduces in line


@pytest.mark.parametrize("name", grid(NAMED, 5))
def test_convention_by_name_shows_its_answer_to_every_question(run: Run, name: str) -> None:
    shown = run("conventions", name).text()
    rows = {line.split()[0]: line for line in shown.splitlines() if line}
    for field, question in QUESTIONS.items():
        assert question.text in rows[field]
        assert str(NAMED[name][field]) in rows[field]
    for note in ("reproduces", "source", "cite", "summary"):
        assert rows[f"{note}:"] == f"{note}: {NAMED[name][note]}"


LISTS = ("quirks", "undefined", "measures", "proven")


def test_convention_shows_what_its_tool_means_and_what_is_proven(run: Run) -> None:
    shown = run("conventions", "lightgbm").text()
    assert "proven for: ndcg, map\n" in shown
    assert "by map it means: capped_map(rel=0.50000003,relevant=ranked)\n" in shown
    assert "proven for" not in run("conventions", "textbook").text()


def test_convention_with_changed_answers_shows_them(run: Run) -> None:
    printed = json.loads(run("conventions", "jarvelin(discount=jarvelin(10),ties=average)", "--format", "json").text())
    assert printed["name"] == "jarvelin(discount=jarvelin(10),ties=average)"
    assert (printed["discount"], printed["ties"], printed["gain"]) == ("jarvelin(10)", "average", "linear")


@pytest.mark.parametrize("name", grid(NAMED, 5))
def test_convention_as_json_is_an_object(run: Run, name: str) -> None:
    printed = json.loads(run("conventions", name, "--format", "json").text())
    assert list(printed) == ["name", *QUESTIONS, "summary", "reproduces", "source", "cite", *LISTS]
    assert printed["name"] == name
    assert {field: str(printed[field]) for field in QUESTIONS} == {f: str(NAMED[name][f]) for f in QUESTIONS}


def test_conventions_as_json_are_a_list(run: Run) -> None:
    printed = json.loads(run("conventions", "--format", "json").text())
    assert [convention["name"] for convention in printed] == list(NAMED)


def test_conventions_as_csv_have_a_row_each(run: Run) -> None:
    rows = list(csv.reader(io.StringIO(run("conventions", "--format", "csv").text())))
    assert [row[0] for row in rows] == ["convention", *NAMED]
    rows = list(csv.reader(io.StringIO(run("conventions", "burges", "--format", "csv").text())))
    assert [row[0] for row in rows] == ["field", *QUESTIONS]


@pytest.mark.parametrize("name", [[], ["burges"]], ids=["all", "one"])
@pytest.mark.parametrize("format_", GENERAL)
def test_conventions_in_a_file_are_what_is_printed(run: Run, tmp_path: Path, format_: str, name: list[str]) -> None:
    arguments = ("conventions", *name, "--format", format_)
    printed = run(*arguments).text()
    assert "\x1b" not in printed
    assert run(*arguments, "-o", tmp_path / "out").text() == ""
    assert (tmp_path / "out").read_text(encoding="utf-8") == printed


@pytest.mark.parametrize("name", [[], ["burges"]], ids=["all", "one"])
def test_conventions_on_a_terminal_have_colours(run_on_terminal: RunOnTerminal, name: list[str]) -> None:
    shown = run_on_terminal("conventions", *name, columns=80).text()
    assert "\x1b[" in shown
    assert "…" not in shown


def test_convention_with_an_empty_name_is_refused(run: Run) -> None:
    assert "expected a convention" in run("conventions", "").refusal()


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    judgments, ranking = tmp_path / "judgments.txt", tmp_path / "ranking.txt"
    judgments.write_text("1 0 a 1\n1 0 b 3\n1 0 x 2\n2 0 c 1\n", encoding="utf-8")
    ranking.write_text("1 Q0 a 1 2 t\n1 Q0 b 2 2 t\n1 Q0 d 3 1 t\n", encoding="utf-8")
    return str(judgments), str(ranking)


def test_conventions_of_files_have_a_row_each(run: Run, files: tuple[str, str]) -> None:
    rows = list(csv.reader(io.StringIO(run("conventions", *files, "-m", "ndcg@2", "--format", "csv").text())))
    assert rows[0] == ["convention", "ndcg@2", "difference", "what differs"]
    assert {row[0].rstrip("*") for row in rows[1:]} == set(NAMED)
    printed = json.loads(run("conventions", *files, "-m", "ndcg@2", "--format", "json").text())
    expected = rg.evaluate(*files, "ndcg@2", convention="ir_measures")["ndcg@2"]
    assert {one["convention"]: one["value"] for one in printed["conventions"]}["ir_measures"] == expected
    assert printed["convention"] == "trec_eval"


@pytest.mark.parametrize("format_", GENERAL)
def test_conventions_of_files_are_written_in_every_format(
    run: Run, files: tuple[str, str], tmp_path: Path, format_: str
) -> None:
    output = tmp_path / "out"
    shown = run("conventions", *files, "--only", "sklearn,lightgbm", "--format", format_).text()
    run("conventions", *files, "--only", "sklearn,lightgbm", "--format", format_, "-o", str(output)).text()
    assert output.read_text(encoding="utf-8").strip() == shown.strip()
    assert {"sklearn", "lightgbm", "trec_eval", "rectools"} - set(re.findall(r"\w+", shown.replace("\\_", "_"))) == {
        "rectools"
    }


def test_why_and_identify_print_the_results_of_python(run: Run, files: tuple[str, str]) -> None:
    walk = json.loads(
        run("conventions", *files, "-m", "ndcg@2", "--why", "ranx", "rectools", "--format", "json").text()
    )
    assert [walk["from"]["convention"], walk["to"]["convention"]] == ["ranx", "rectools"]
    shown = run("conventions", *files, "-m", "ndcg@2", "--identify", f"{walk['to']['value']:.4f}").text()
    assert "rectools" in shown


def test_conventions_of_files_on_a_terminal_have_colours(
    run_on_terminal: RunOnTerminal, files: tuple[str, str]
) -> None:
    shown = run_on_terminal("conventions", *files, "-m", "ndcg@2", columns=100).text()
    assert "what differs" in shown
    assert "catboost-position" in shown


@pytest.mark.parametrize("switches", [["--why", "ranx", "sklearn"], ["--identify", "0.5"], ["--only", "ranx"]])
def test_switches_that_need_data_without_it_are_refused(run: Run, switches: list[str]) -> None:
    assert f"expected the files JUDGMENTS and RANKING for {switches[0]}" in run("conventions", *switches).refusal()


def test_conventions_with_three_arguments_are_refused(run: Run) -> None:
    assert "expected NAME, or JUDGMENTS RANKING, got a b c" in run("conventions", "a", "b", "c").refusal()
