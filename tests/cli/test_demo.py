"""`rankgauge demo`: evaluations of the data inside the package."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import rankgauge as rg
from rankgauge.cli import demo

if TYPE_CHECKING:
    from tests.cli.conftest import Run, RunOnTerminal


def test_demo_has_a_search_a_recommender_and_a_stock_case() -> None:
    assert [case.name for case in demo.CASES] == ["search", "recommender", "stocks"]


@pytest.mark.parametrize("case", demo.CASES, ids=lambda case: str(case.name))
def test_demo_case_is_evaluated_and_its_story_is_true(run: Run, case: demo.Case) -> None:
    shown = run("demo").text()
    story = "\n".join(case.story)
    assert story in shown
    with as_file(files("rankgauge") / "demo_data") as folder:
        paths = (folder / f"{case.name}.judgments.txt", folder / f"{case.name}.ranking.txt")
        result = rg.evaluate(*paths, case.measures, convention=case.convention)
    assert str(result) in shown
    assert story.partition(": ")[2].startswith(f"{result.counts['judged']} ")


def test_demo_explains_one_query(run: Run) -> None:
    name, query, measure = demo.EXPLAINED
    with as_file(files("rankgauge") / "demo_data") as folder:
        why = rg.explain(folder / f"{name}.judgments.txt", folder / f"{name}.ranking.txt", query, measure)
    assert str(why) in run("demo").text()


def test_demo_in_a_pipe_is_repeatable_and_plain(run: Run) -> None:
    first, second = run("demo").text(), run("demo").text()
    assert first == second
    assert "\x1b" not in first


def test_demo_on_80_columns_shows_the_explained_items(run_on_terminal: RunOnTerminal) -> None:
    shown = run_on_terminal("demo", columns=80).text()
    assert "\x1b[" in shown
    assert shown.partition("Why does query")[2].count("doc") > 5
    assert "…" not in shown


def test_demo_data_is_what_its_script_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import make_demo_data

    monkeypatch.setattr(make_demo_data, "FOLDER", tmp_path)
    make_demo_data.main()
    with as_file(files("rankgauge") / "demo_data") as folder:
        shipped = {path.name: path.read_bytes() for path in folder.glob("*.txt")}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == shipped


@pytest.mark.parametrize(("gain", "chance"), [("exp2", 0.3467), ("linear", 0.5)])
def test_demo_stocks_in_random_order_have_the_stated_value(gain: str, chance: float) -> None:
    """Mean gain / highest gain: quintiles are equally large, and the best one has more than five stocks."""
    with as_file(files("rankgauge") / "demo_data") as folder:
        judgments = rg.read_judgments(folder / "stocks.judgments.txt").to_dict()
    grades = [grade for rows in judgments.values() for _, grade in rows]
    gains = [rg.cg([grade], gain=gain) for grade in grades]
    assert round(sum(gains) / len(gains) / max(gains), 4) == chance
    assert f"{chance:.4f}" in "".join(demo.CASES[2].story)
