"""`rankgauge demo`: the main job on the data inside the package."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

import pytest

import rankgauge as rg
from rankgauge.cli import demo

if TYPE_CHECKING:
    from tests.cli.conftest import Run, RunOnTerminal


def test_there_is_a_search_a_recommender_and_a_stock_case() -> None:
    assert [case.name for case in demo.CASES] == ["search", "recommender", "stocks"]


@pytest.mark.parametrize("case", demo.CASES, ids=lambda case: str(case.name))
def test_each_case_is_evaluated_and_its_story_is_true(run: Run, case: demo.Case) -> None:
    shown = run("demo").text()
    assert f"{case.title}: {case.story}" in shown
    with as_file(files("rankgauge") / "demo_data") as folder:
        paths = (folder / f"{case.name}.judgments.txt", folder / f"{case.name}.ranking.txt")
        result = rg.evaluate(*paths, case.measures, convention=case.convention)
    assert str(result) in shown
    assert case.story.startswith(f"{result.counts['judged']} ")


def test_one_query_is_explained(run: Run) -> None:
    name, query, measure = demo.EXPLAINED
    with as_file(files("rankgauge") / "demo_data") as folder:
        why = rg.explain(folder / f"{name}.judgments.txt", folder / f"{name}.ranking.txt", query, measure)
    assert str(why) in run("demo").text()


def test_it_says_the_same_each_time_without_escape_sequences(run: Run) -> None:
    first, second = run("demo").text(), run("demo").text()
    assert first == second
    assert "\x1b" not in first


def test_a_terminal_of_80_columns_shows_the_explained_items(run_on_terminal: RunOnTerminal) -> None:
    shown = run_on_terminal("demo", columns=80).text()
    assert "\x1b[" in shown
    assert shown.partition("Why does query")[2].count("doc") > 5
    assert "…" not in shown
