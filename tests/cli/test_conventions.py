"""`rankgauge conventions`: what there is, and one in full."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from rankgauge.conventions import NAMED, QUESTIONS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run, RunOnTerminal

FORMATS = ("table", "json", "csv", "markdown", "latex")


def test_the_list_has_every_convention_once(run: Run) -> None:
    lines = run("conventions").text().splitlines()
    assert [line.split()[0] for line in lines] == ["convention", *NAMED]
    for line, convention in zip(lines[1:], NAMED.values(), strict=True):
        assert convention.summary in line
        assert convention.reproduces in line


@pytest.mark.parametrize("name", NAMED)
def test_one_in_full_answers_every_question(run: Run, name: str) -> None:
    shown = run("conventions", name).text()
    rows = {line.split()[0]: line for line in shown.splitlines() if line}
    for field, question in QUESTIONS.items():
        assert question.text in rows[field]
        assert str(NAMED[name][field]) in rows[field]
    for note in ("reproduces", "source", "cite", "summary"):
        assert rows[f"{note}:"] == f"{note}: {NAMED[name][note]}"


def test_one_with_changes(run: Run) -> None:
    found = json.loads(run("conventions", "jarvelin(discount=jarvelin(10),ties=average)", "--format", "json").text())
    assert found["name"] == "jarvelin(discount=jarvelin(10),ties=average)"
    assert (found["discount"], found["ties"], found["gain"]) == ("jarvelin(10)", "average", "linear")


@pytest.mark.parametrize("name", NAMED)
def test_json_of_one(run: Run, name: str) -> None:
    found = json.loads(run("conventions", name, "--format", "json").text())
    assert list(found) == ["name", *QUESTIONS, "summary", "reproduces", "source", "cite", "quirks", "undefined"]
    assert found["name"] == name
    assert {field: str(found[field]) for field in QUESTIONS} == {f: str(NAMED[name][f]) for f in QUESTIONS}


def test_json_of_all(run: Run) -> None:
    found = json.loads(run("conventions", "--format", "json").text())
    assert [convention["name"] for convention in found] == list(NAMED)


def test_csv(run: Run) -> None:
    rows = list(csv.reader(io.StringIO(run("conventions", "--format", "csv").text())))
    assert [row[0] for row in rows] == ["convention", *NAMED]
    rows = list(csv.reader(io.StringIO(run("conventions", "burges", "--format", "csv").text())))
    assert [row[0] for row in rows] == ["field", *QUESTIONS]


@pytest.mark.parametrize("name", [[], ["burges"]], ids=["all", "one"])
@pytest.mark.parametrize("format_", FORMATS)
def test_the_file_has_what_would_be_printed(run: Run, tmp_path: Path, format_: str, name: list[str]) -> None:
    arguments = ("conventions", *name, "--format", format_)
    printed = run(*arguments).text()
    assert "\x1b" not in printed
    assert run(*arguments, "-o", tmp_path / "out").text() == ""
    assert (tmp_path / "out").read_text(encoding="utf-8") == printed


@pytest.mark.parametrize("name", [[], ["burges"]], ids=["all", "one"])
def test_a_terminal_gets_colours(run_on_terminal: RunOnTerminal, name: list[str]) -> None:
    shown = run_on_terminal("conventions", *name, columns=80).text()
    assert "\x1b[" in shown
    assert "…" not in shown


def test_an_empty_name_is_not_the_list(run: Run) -> None:
    assert "expected a convention" in run("conventions", "").refusal()
