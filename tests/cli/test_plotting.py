"""`--plot`: ASCII in a pipe and in a file, block characters on a terminal; and the rate of progress."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console
from tests.cli.conftest import Run
from tests.small_runs import run_with_noise, small_judgments, write_qrels, write_run

import rankgauge as rg
from rankgauge.cli.plotting import charts_of_comparison, print_chart

JUDGMENTS = small_judgments()
RUNS = {name: run_with_noise(JUDGMENTS, noise, 1) for name, noise in {"base": 2.0, "new": 0.5}.items()}


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    runs = [write_run(tmp_path / f"{name}.run", run) for name, run in RUNS.items()]
    return [write_qrels(tmp_path / "qrels.txt", JUDGMENTS), *runs]


def test_evaluate_draws_intervals_and_a_histogram_above_the_remarks(run: Run, paths: list[Path]) -> None:
    lines = run("evaluate", *paths[:2], "-m", "ndcg@10", "--plot").text().splitlines()
    places = [lines.index(line) for line in ("Means", "ndcg@10 by query")]
    remarks = next(number for number, line in enumerate(lines) if line.startswith("convention:"))
    assert places[0] < places[1] < remarks
    drawn = lines[places[0] : remarks]
    assert all(line.isascii() for line in drawn)
    assert any("[=" in line and "o" in line for line in drawn)
    assert sum(int(line.split()[-1].replace(",", "")) for line in drawn if " to 0." in line and "#" in line) > 0


@pytest.mark.parametrize(("columns", "widest"), [("20", 20), ("40", 40), ("0", 80), ("x", 80), ("9" * 5000, 80)])
def test_plot_in_a_pipe_is_as_wide_as_columns_say(run: Run, paths: list[Path], columns: str, widest: int) -> None:
    environment = {"COLUMNS": columns}
    lines = run("evaluate", *paths[:2], "-m", "ndcg@10", "--plot", env=environment).text().splitlines()
    first, last = (lines.index(line) for line in ("Means", "ndcg@10 by query"))
    assert max(map(len, lines[first:last])) == widest


def test_compare_draws_differences_of_each_measure_and_of_queries(run: Run, paths: list[Path]) -> None:
    shown = run("compare", *paths, "-m", "ndcg@10", "-m", "map", "--plot").text()
    assert "Differences in ndcg@10" in shown
    assert "Differences in map" in shown
    assert "new less base, query by query" in shown
    assert "new - base" in shown


def test_plot_in_a_file_is_ascii(run: Run, paths: list[Path], tmp_path: Path) -> None:
    run("evaluate", *paths[:2], "--plot", "-o", tmp_path / "out.txt").text()
    assert "[===" in (tmp_path / "out.txt").read_text(encoding="utf-8")


def test_plot_refuses_formats_for_programs(run: Run, paths: list[Path]) -> None:
    assert "expected --format table with --plot" in run("compare", *paths, "--plot", "--format", "csv").refusal()
    assert "expected --format table with --plot" in run("evaluate", *paths[:2], "--plot", "-o", "x.json").refusal()


def test_terminal_has_block_characters_in_colour() -> None:
    charts = charts_of_comparison(rg.compare(JUDGMENTS, RUNS, "ndcg@10"))
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    console = Console(file=stream, force_terminal=True, width=80, color_system="truecolor", highlight=False)
    assert all(print_chart(console, chart) for chart in charts)
    assert not print_chart(console, "text")
    stream.seek(0)
    shown = stream.read()
    assert "━●━" in shown
    assert "█" in shown
    assert "\x1b[38;2;61;159;219m" in shown


def test_terminal_without_utf8_has_ascii() -> None:
    (chart, *_) = charts_of_comparison(rg.compare(JUDGMENTS, RUNS, "ndcg@10"))
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    print_chart(Console(file=stream, force_terminal=True, width=80), chart)
    stream.seek(0)
    assert "=o=" in stream.read()


def test_titles_of_charts_are_in_the_language_that_is_asked_for(run: Run, paths: list[Path]) -> None:
    text = run("evaluate", *paths[:2], "-m", "ndcg@10", "--plot", "--lang", "ko").text()
    assert "\n평균\n" in text
    assert "\n질의별 ndcg@10\n" in text
    compared = run("compare", *paths, "-m", "ndcg@10", "--plot", "--lang", "ko").text()
    assert "\nndcg@10의 차이\n" in compared
    assert "\n질의별 new - base\n" in compared
